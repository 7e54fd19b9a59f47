//! The ledger file beside the database: one line per entry, readable even if the database is not.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Its name in the data folder.
const NAME: &str = "erasures.jsonl";

/// The ledger file. Only its owner can read it.
#[derive(Clone)]
pub(super) struct LedgerFile(PathBuf);

impl LedgerFile {
    pub(super) fn within(folder: &Path) -> Self {
        Self(folder.join(NAME))
    }

    /// Appends the whole line or nothing. A torn last line stays as it is, and the new line is not joined to it.
    pub(super) fn append(&self, line: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(&self.0)?;
        let length = file.metadata()?.len();
        let mut last = [b'\n'];
        if length > 0 {
            file.read_exact_at(&mut last, length - 1)?;
        }
        let start = if last == [b'\n'] { "" } else { "\n" };
        let written = file.write_all(format!("{start}{line}\n").as_bytes()).and_then(|()| file.sync_all());
        if written.is_err() {
            file.set_len(length)?;
        }
        written?;
        if length == 0 { self.sync_folder() } else { Ok(()) }
    }

    pub(super) fn lines(&self) -> io::Result<Vec<String>> {
        match fs::read_to_string(&self.0) {
            Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Replaces the content atomically: after a crash the file has either the old lines or the new ones.
    pub(super) fn replace(&self, lines: &[String]) -> io::Result<()> {
        let new = self.0.with_extension("jsonl.new");
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&new)?;
        file.write_all(lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>().as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, &self.0)?;
        self.sync_folder()
    }

    /// Makes the file's name durable.
    fn sync_folder(&self) -> io::Result<()> {
        self.0.parent().map_or(Ok(()), |folder| fs::File::open(folder)?.sync_all())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_does_not_join_one_that_was_torn() {
        let folder = tempfile::tempdir().expect("a folder");
        let ledger = LedgerFile::within(folder.path());
        ledger.append("one").expect("written");
        let file = OpenOptions::new().append(true).open(folder.path().join(NAME)).expect("there");
        (&file).write_all(b"tw").expect("torn");
        ledger.append("three").expect("written");
        assert_eq!(ledger.lines().expect("read"), ["one", "tw", "three"]);
        ledger.replace(&["one".to_owned()]).expect("written");
        assert_eq!(ledger.lines().expect("read"), ["one"]);
        let names: Vec<_> = fs::read_dir(folder.path()).expect("read").map(|file| file.expect("read").file_name()).collect();
        assert_eq!(names, [NAME]);
    }
}
