//! A bot: its memory, its client, and as whom it acts.

use std::time::Duration;

use super::client::Client;
use access::callers::Caller;
use domain::facts::provenance::Surface;
use service::Keepsake;

/// How long to wait after a failure.
const PAUSE: Duration = Duration::from_secs(2);

/// A bot, and the memory that it serves.
pub struct Bot {
    pub(super) keepsake: Keepsake,
    pub(super) client: Client,
    pub(super) caller: Caller,
    pub(super) surface: Surface,
    pub(super) pause: Duration,
}

impl Bot {
    #[must_use]
    pub fn new(keepsake: Keepsake, client: Client, caller: Caller, surface: Surface) -> Self {
        Self { keepsake, client, caller, surface, pause: PAUSE }
    }

    /// Sets how long to wait after a failure.
    #[must_use]
    pub fn with_pause(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }
}
