//! Texts that a person pasted into a message and that an export keeps as files of their own. The message names such a file by its id,
//! with which the name of the file in the archive begins: `file-8Tq2-Pasted text.txt`.

use std::collections::BTreeMap;
use std::path::Path;

use super::conversations::MESSAGE_MAX;
use super::names::base;
use super::source::Source;
use crate::cli::Failure;

/// What may stand between the id and the rest of the name.
const AFTER_ID: [char; 3] = ['-', '_', '.'];

/// The files beside the conversations.
pub struct Attached {
    source: Source,
    /// The last part of each name, with the whole name.
    names: BTreeMap<String, String>,
}

impl Attached {
    /// Those of an export; a plain file has none.
    pub fn of(export: &Path) -> Result<Self, Failure> {
        let source = Source::open(export)?;
        let names = source.names().into_iter().map(|name| (base(&name).to_owned(), name)).collect();
        Ok(Self { source, names })
    }

    /// The text of the file with this id; `None`: it is not in the export, is no text, or is longer than a message may be.
    pub fn text(&mut self, id: &str) -> Option<String> {
        let begins = |name: &str| name.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with(AFTER_ID));
        let same_start = self.names.range(id.to_owned()..).take_while(|(name, _)| name.starts_with(id));
        let (_, name) = same_start.into_iter().find(|(name, _)| begins(name))?;
        let text = self.source.text(name, MESSAGE_MAX as u64).ok()??;
        Some(text.trim().to_owned()).filter(|text| !text.is_empty() && !text.contains('\0'))
    }
}
