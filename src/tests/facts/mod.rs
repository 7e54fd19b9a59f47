//! Facts of the team: the gate, the queue, decisions, and the secrecy of contributors.

pub(super) mod decide;
mod gate;
pub(super) mod list;
mod observer;
mod queue;
mod split;
mod unlinkable;
mod verdicts;
