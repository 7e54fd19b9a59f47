//! Imports, and the sample.

mod imports;
mod sample;
