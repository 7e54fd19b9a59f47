//! The ledger file beside the database: one line per entry, readable even if the database is not.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Its name in the data folder.
const NAME: &str = "erasures.jsonl";

/// The file. Only the owner can read it.
#[derive(Clone)]
pub(super) struct LedgerFile(PathBuf);

impl LedgerFile {
    pub(super) fn within(folder: &Path) -> Self {
        Self(folder.join(NAME))
    }

    pub(super) fn append(&self, line: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).mode(0o600).open(&self.0)?;
        file.write_all(format!("{line}\n").as_bytes())?;
        file.sync_all()
    }

    pub(super) fn lines(&self) -> io::Result<Vec<String>> {
        match fs::read_to_string(&self.0) {
            Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    pub(super) fn replace(&self, lines: &[String]) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&self.0)?;
        for line in lines {
            file.write_all(format!("{line}\n").as_bytes())?;
        }
        file.sync_all()
    }
}
