//! The fields of a block besides its text.

use super::check_content;
use super::limits::{DESCRIPTION_CHARS, LABEL_BYTES, OWN_CHARS, OWN_CHARS_THEN, PINNED_CHARS};
use crate::memory::tags::Tags;
use crate::problem::{Field, Problem};

/// The fields of a block.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BlockFields {
    /// The purpose of the block, in a sentence for assistants.
    pub description: String,
    /// Whether it is included in every prompt.
    pub pinned: bool,
    /// Maximum number of characters of the text; `None`: 5,000 if the block is pinned, else as many as fit into a block.
    pub char_limit: Option<u32>,
    /// Whether changes of the text and the path are refused until this is unset.
    pub read_only: bool,
    /// A category, such as `observation`; empty: none.
    pub kind: String,
    /// Subject that it belongs to; empty: none.
    pub scope: String,
    /// Origin of the text; empty: not given.
    pub source: String,
    pub tags: Tags,
}

/// Changes of fields; `None`: unchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldChanges {
    pub description: Option<String>,
    pub pinned: Option<bool>,
    /// `Some(None)`: removes the block's own limit.
    pub char_limit: Option<Option<u32>>,
    pub read_only: Option<bool>,
    pub kind: Option<String>,
    pub scope: Option<String>,
    pub source: Option<String>,
    pub tags: Option<Tags>,
}

impl BlockFields {
    #[must_use]
    pub fn changed(&self, changes: &FieldChanges) -> Self {
        let text = |changed: &Option<String>, own: &String| changed.clone().unwrap_or_else(|| own.clone());
        Self {
            description: text(&changes.description, &self.description),
            pinned: changes.pinned.unwrap_or(self.pinned),
            char_limit: changes.char_limit.unwrap_or(self.char_limit),
            read_only: changes.read_only.unwrap_or(self.read_only),
            kind: text(&changes.kind, &self.kind),
            scope: text(&changes.scope, &self.scope),
            source: text(&changes.source, &self.source),
            tags: changes.tags.clone().unwrap_or_else(|| self.tags.clone()),
        }
    }

    /// Maximum number of characters of the text; `None`: only its bytes are limited.
    #[must_use]
    pub fn chars_max(&self) -> Option<u64> {
        self.char_limit.map(u64::from).or(self.pinned.then_some(PINNED_CHARS.max))
    }

    /// Refuses fields that are not allowed, and a text that does not fit them.
    pub fn check(&self, content: &str) -> Result<(), Problem> {
        check_content(content)?;
        DESCRIPTION_CHARS.check(self.description.chars().count() as u64)?;
        for (label, field) in [(&self.kind, Field::Kind), (&self.scope, Field::Scope), (&self.source, Field::Source)] {
            LABEL_BYTES.check(label.len() as u64)?;
            if label.chars().any(char::is_control) {
                return Err(Problem::invalid(field, "must not contain control characters"));
            }
        }
        if self.char_limit == Some(0) {
            return Err(Problem::invalid(Field::CharLimit, "must be at least 1, or null"));
        }
        if self.pinned {
            PINNED_CHARS.check(self.char_limit.map_or(0, u64::from))?;
        }
        let chars = content.chars().count() as u64;
        match self.chars_max() {
            Some(max) if chars > max => Err(Problem::OverLimit {
                limit: OWN_CHARS.to_owned(),
                max,
                value: chars,
                then: (if self.char_limit.is_some() { OWN_CHARS_THEN } else { PINNED_CHARS.then }).to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// The user's own texts in the fields, which are checked before they are stored.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let own = [&self.description, &self.kind, &self.scope, &self.source].map(String::as_str);
        own.into_iter().chain(self.tags.as_slice().iter().map(String::as_str)).filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(pinned: bool, char_limit: Option<u32>) -> BlockFields {
        BlockFields { pinned, char_limit, ..BlockFields::default() }
    }

    #[test]
    fn a_text_fits_the_limit_of_its_block_to_the_character() {
        for (pinned, char_limit, most) in
            [(false, Some(10), 10), (true, None, 5_000), (true, Some(100), 100), (false, None, 51_200)]
        {
            let own = fields(pinned, char_limit);
            assert_eq!(own.check(&"é".repeat(most)), Ok(()), "{own:?}");
            let told = own.check(&"é".repeat(most + 1)).expect_err("one more").to_string();
            assert!(told.contains(&most.to_string()) || char_limit.is_none(), "{told}");
        }
        assert!(fields(true, Some(5_001)).check("").is_err() && fields(true, Some(5_000)).check("").is_ok());
        assert!(fields(false, Some(0)).check("").is_err());
    }

    #[test]
    fn labels_are_short_and_plain() {
        let with = |kind: &str, description: &str| BlockFields {
            kind: kind.to_owned(),
            description: description.to_owned(),
            ..BlockFields::default()
        };
        assert_eq!(with(&"k".repeat(256), &"é".repeat(1_024)).check(""), Ok(()));
        assert!(with(&"k".repeat(257), "").check("").is_err() && with("a\nb", "").check("").is_err());
        assert!(with("", &"é".repeat(1_025)).check("").is_err());
    }

    #[test]
    fn what_is_absent_stays() {
        let own = BlockFields { kind: "log".to_owned(), pinned: true, char_limit: Some(9), ..BlockFields::default() };
        assert_eq!(own.changed(&FieldChanges::default()), own);
        let changes = FieldChanges { char_limit: Some(None), kind: Some(String::new()), ..FieldChanges::default() };
        assert_eq!(own.changed(&changes), BlockFields { pinned: true, ..BlockFields::default() });
    }
}
