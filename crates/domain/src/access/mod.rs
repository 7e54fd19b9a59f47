//! Access control: keys, rights and surfaces.

pub mod key;
pub mod rights;
pub mod surfaces;
