//! The arithmetic of a sentence encoder, on one thread, with the widest vector instructions of this processor.
//!
//! It is a package of its own because Cargo sets optimisation per package, not per module, and an unoptimised debug build would
//! take seconds per sentence. It knows matrices, but no models or files. A row of a result does not depend on the rows around it,
//! to the last bit: each of its numbers is one sum in a fixed order.

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
