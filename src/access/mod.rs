//! Who is asking. Everything here ends in a proof (`Viewer`, `Editor`, `Caller`) that use cases demand as an argument;
//! nothing else in the program can make one, so a call that nobody checked does not compile.

pub mod callers;
pub mod digest;
pub mod operators;
pub mod passwords;
pub mod sessions;
pub mod tries;
