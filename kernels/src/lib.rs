//! The arithmetic of a sentence encoder, on one thread, with the widest vectors that this processor has.
//!
//! A package of its own, because a debug build optimises packages, not modules, and without that a sentence takes seconds.
//! It knows matrices, and neither models nor files. A row of a result never depends on the rows around it, to the last bit:
//! each of its numbers is one sum in a fixed order.

#![allow(clippy::inline_always, reason = "a loop that is not inlined into its dispatch is compiled without wide vectors")]
#![cfg_attr(test, allow(clippy::cast_precision_loss, reason = "small counts"))]

mod activation;
mod attention;
mod half;
mod linear;
mod norm;
mod product;

pub use activation::Activation;
pub use attention::{Attention, Room};
pub use half::{from_bf16, from_f16};
pub use linear::{GRAIN, Linear};
pub use norm::LayerNorm;
