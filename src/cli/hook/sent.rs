//! A note of what was sent of a session, so that the same is not sent after every turn. It holds the id of an exchange, no text.

use std::fs;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::transcript::TranscriptExchange;
use crate::config;
use access::digest::sha256_hex;

/// A session that was not heard of for so long is over.
const KEPT: Duration = Duration::from_hours(30 * 24);

pub struct SessionNote {
    file: PathBuf,
    /// The exchange that was sent last.
    last: Option<String>,
}

impl SessionNote {
    /// Reads the note of this session, and deletes those of old ones.
    pub fn of(session: &str) -> std::io::Result<Self> {
        Self::within(&config::state_folder().join("hooks"), session)
    }

    fn within(folder: &Path, session: &str) -> std::io::Result<Self> {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        for entry in fs::read_dir(folder)?.filter_map(Result::ok) {
            let age = entry.metadata().and_then(|about| about.modified()).ok().and_then(|at| at.elapsed().ok());
            if age.is_some_and(|age| age > KEPT) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let file = folder.join(sha256_hex(session.as_bytes()));
        match fs::read_to_string(&file) {
            Ok(last) => Ok(Self { file, last: Some(last) }),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self { file, last: None }),
            Err(error) => Err(error),
        }
    }

    /// The exchanges after the one that was sent last; all of them if that one is not there.
    pub fn rest<'a>(&self, exchanges: &'a [TranscriptExchange]) -> &'a [TranscriptExchange] {
        let position = exchanges.iter().position(|exchange| self.last.as_ref() == Some(&exchange.id));
        position.map_or(exchanges, |at| &exchanges[at + 1..])
    }

    /// Notes that this one was sent.
    pub fn mark(&mut self, id: &str) -> std::io::Result<()> {
        // A process that is killed meanwhile leaves the old note, not half of one.
        let new = self.file.with_extension(std::process::id().to_string());
        let mut file = fs::File::options().create(true).truncate(true).write(true).mode(0o600).open(&new)?;
        file.write_all(id.as_bytes())?;
        fs::rename(&new, &self.file)?;
        self.last = Some(id.to_owned());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(id: &str) -> TranscriptExchange {
        TranscriptExchange { id: id.to_owned(), at: None, message: "m".to_owned(), reply: "r".to_owned() }
    }

    #[test]
    fn what_was_sent_is_not_sent_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let all = ["a", "b", "c"].map(exchange);
        let mut sent = SessionNote::within(folder.path(), "s1").expect("opens");
        assert_eq!(sent.rest(&all).len(), 3);
        sent.mark("b").expect("written");
        let again = SessionNote::within(folder.path(), "s1").expect("opens");
        assert_eq!(again.rest(&all).iter().map(|exchange| exchange.id.as_str()).collect::<Vec<_>>(), ["c"]);
        assert_eq!(SessionNote::within(folder.path(), "s2").expect("opens").rest(&all).len(), 3, "another session has its own");
        let cut = [exchange("x")];
        assert_eq!(again.rest(&cut).len(), 1, "a transcript without the noted exchange is sent whole");
    }
}
