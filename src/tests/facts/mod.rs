//! Facts of the team: the gate, the queue, decisions, and who may know who contributed.

pub(super) mod decide;
mod gate;
pub(super) mod list;
mod observer;
mod queue;
mod split;
mod unlinkable;
mod verdicts;
