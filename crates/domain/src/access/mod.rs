//! Access control: keys, rights and surfaces.

pub mod key;
mod right;
pub mod rights;
pub mod surfaces;
