//! Kills, full disks, races, limits, and texts that take too long.

pub(super) mod crashes;
pub(super) mod disk;
mod limits;
pub(super) mod process;
mod races;
mod reading;
mod storage;
