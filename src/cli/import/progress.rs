//! How far an import is: a bar on a terminal, and elsewhere a line of JSON on stderr from time to time.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

/// The least time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

pub struct Progress {
    bar: Option<ProgressBar>,
    step: &'static str,
    done: u64,
    of: u64,
    told: Instant,
}

impl Progress {
    /// A step of `of` parts.
    #[allow(clippy::disallowed_methods, reason = "how often a line is printed is no rule")]
    pub fn of(step: &'static str, of: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:40} {percent}% {msg}");
            let bar = ProgressBar::new(of).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_message(step.replace('_', " "));
            bar
        });
        Self { bar, step, done: 0, of, told: Instant::now() }
    }

    pub fn advance(&mut self, by: u64) {
        self.done += by;
        match &self.bar {
            Some(bar) => bar.inc(by),
            None if self.told.elapsed() >= LINE_EVERY => self.line(),
            None => {}
        }
    }

    pub fn end(mut self) {
        match self.bar.take() {
            Some(bar) => bar.finish_and_clear(),
            None => self.line(),
        }
    }

    #[allow(clippy::disallowed_methods, reason = "how often a line is printed is no rule")]
    fn line(&mut self) {
        self.told = Instant::now();
        let line = json!({ "step": self.step, "done": self.done, "of": self.of });
        // Nobody may be reading.
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}
