//! Erasing a person, verifying it, and the person's own export.

pub(super) mod epoch;
pub mod erase;
pub mod export;
pub mod ledger;
pub(super) mod pending;
pub mod receipts;
pub mod rehearse;
pub mod replay;
pub mod verify;
