//! Authentication and authorisation. Each check returns a proof (`Viewer`, `Reviewer`, `Manager`, `Caller`) that use cases require as an
//! argument. Nothing else can create one, so an unchecked call does not compile.

pub mod callers;
pub mod digest;
pub mod operators;
pub mod passwords;
pub mod sessions;
pub mod tries;
