//! Tags and expiry of a personal memory.
//!
//! A tag is a short text of its owner. It is compared exactly, after Unicode normalisation (NFC) and without white space around
//! it.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use crate::moment::Moment;
use crate::problem::{Field, Problem};

/// Maximum number of tags of a memory.
pub const TAGS_MAX: usize = 16;
/// Longest tag in characters.
pub const TAG_MAX_CHARS: usize = 64;

/// The tags of a memory: different from each other, in the order in which they were given.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tags(Vec<String>);

impl std::fmt::Debug for Tags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tags({})", self.0.len())
    }
}

impl Tags {
    /// Accepts up to 16 tags of 1 to 64 characters; duplicates are dropped.
    pub fn new(texts: &[String]) -> Result<Self, Problem> {
        let mut tags: Vec<String> = Vec::with_capacity(texts.len());
        for text in texts {
            let tag = tag(text)?;
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        if tags.len() > TAGS_MAX {
            return Err(Problem::invalid(Field::Tags, format!("must be {TAGS_MAX} or fewer; there are {}", tags.len())));
        }
        Ok(Self(tags))
    }

    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }

    #[must_use]
    pub fn into_vec(self) -> Vec<String> {
        self.0
    }

    /// Returns these tags, followed by those of the other set up to the maximum.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut tags = self.0.clone();
        for tag in &other.0 {
            if tags.len() < TAGS_MAX && !tags.contains(tag) {
                tags.push(tag.clone());
            }
        }
        Self(tags)
    }
}

/// Normalises a tag for storage and comparison.
pub fn tag(text: &str) -> Result<String, Problem> {
    let tag: String = text.trim().nfc().collect();
    let chars = tag.chars().count();
    if !(1..=TAG_MAX_CHARS).contains(&chars) || tag.chars().any(char::is_control) {
        return Err(Problem::invalid(
            Field::Tags,
            format!("must each have 1 to {TAG_MAX_CHARS} characters, without control characters"),
        ));
    }
    Ok(tag)
}

/// Tags and expiry of a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    pub tags: Tags,
    /// When the memory expires; `None`: never.
    pub expires_at: Option<Moment>,
}

impl Labels {
    /// Creates the labels of a new statement. The expiry must be in the future.
    pub fn new(tags: &[String], expires_at: Option<Moment>, now: Moment) -> Result<Self, Problem> {
        check_end(expires_at, now)?;
        Ok(Self { tags: Tags::new(tags)?, expires_at })
    }

    /// Merges the labels of two statements that say the same: all tags, and the later expiry. If one of them never expires,
    /// neither does the result, as if both had stayed.
    #[must_use]
    pub fn joined(&self, other: &Self) -> Self {
        let expires_at = self.expires_at.zip(other.expires_at).map(|(one, two)| one.max(two));
        Self { tags: self.tags.and(&other.tags), expires_at }
    }

    #[must_use]
    pub fn live_at(&self, now: Moment) -> bool {
        self.expires_at.is_none_or(|end| end > now)
    }
}

/// Refuses an expiry that is not in the future.
pub fn check_end(expires_at: Option<Moment>, now: Moment) -> Result<(), Problem> {
    match expires_at {
        Some(end) if end <= now => Err(Problem::invalid(Field::ExpiresAt, "must be a time that is still to come, or null")),
        _ => Ok(()),
    }
}

/// Filter of memories by tags. Every condition must hold; an empty list is no condition.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagFilter {
    pub all: Vec<String>,
    pub any: Vec<String>,
    pub none: Vec<String>,
}

impl TagFilter {
    /// Normalises the tags. A filter may name up to 16 in each list.
    pub fn new(all: &[String], any: &[String], none: &[String]) -> Result<Self, Problem> {
        let read = |texts: &[String]| Tags::new(texts).map(Tags::into_vec);
        Ok(Self { all: read(all)?, any: read(any)?, none: read(none)? })
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.any.is_empty() && self.none.is_empty()
    }

    #[must_use]
    pub fn admits(&self, tags: &[String]) -> bool {
        self.all.iter().all(|tag| tags.contains(tag))
            && (self.any.is_empty() || self.any.iter().any(|tag| tags.contains(tag)))
            && !self.none.iter().any(|tag| tags.contains(tag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(of: &[&str]) -> Vec<String> {
        of.iter().map(|text| (*text).to_owned()).collect()
    }

    fn tags(of: &[&str]) -> Tags {
        Tags::new(&texts(of)).expect("fit")
    }

    #[test]
    fn tags_are_trimmed_composed_and_kept_once() {
        assert_eq!(tags(&[" Work ", "work", "caf\u{65}\u{301}", "café", "Work"]).as_slice(), ["Work", "work", "café"]);
        for bad in ["", "  ", "a\nb", "\u{0}", &"x".repeat(TAG_MAX_CHARS + 1)] {
            assert!(Tags::new(&texts(&[bad])).is_err(), "{bad:?}");
        }
        assert!(Tags::new(&texts(&[&"é".repeat(TAG_MAX_CHARS)])).is_ok());
        let many: Vec<String> = (0..=TAGS_MAX).map(|n| format!("tag {n}")).collect();
        assert!(Tags::new(&many).is_err() && Tags::new(&many[1..]).is_ok());
    }

    #[test]
    fn two_that_become_one_have_all_tags_and_the_later_end() {
        let of = |names: &[&str], end: Option<i64>| Labels { tags: tags(names), expires_at: end.map(Moment) };
        assert_eq!(of(&["a", "b"], Some(5)).joined(&of(&["b", "c"], Some(9))), of(&["a", "b", "c"], Some(9)));
        assert_eq!(of(&[], Some(5)).joined(&of(&[], None)), Labels::default());
        let full: Vec<String> = (0..TAGS_MAX).map(|n| format!("tag {n}")).collect();
        let full = Tags::new(&full).expect("fit");
        assert_eq!(full.and(&tags(&["one more"])), full);
    }

    #[test]
    fn a_memory_ends_at_its_end() {
        let labels = Labels { expires_at: Some(Moment(5)), ..Labels::default() };
        assert!(labels.live_at(Moment(4)) && !labels.live_at(Moment(5)) && Labels::default().live_at(Moment(5)));
        assert!(Labels::new(&[], Some(Moment(5)), Moment(5)).is_err() && Labels::new(&[], Some(Moment(6)), Moment(5)).is_ok());
    }

    #[test]
    fn filters_ask_for_all_for_any_and_for_none() {
        let own = texts(&["work", "trip"]);
        for (all, any, none, admitted) in [
            (vec![], vec![], vec![], true),
            (vec!["work"], vec![], vec![], true),
            (vec!["work", "home"], vec![], vec![], false),
            (vec![], vec!["home", "trip"], vec![], true),
            (vec![], vec!["home"], vec![], false),
            (vec!["work"], vec!["trip"], vec!["trip"], false),
            (vec!["work"], vec!["trip"], vec!["home"], true),
            (vec!["Work"], vec![], vec![], false),
        ] {
            let filter = TagFilter::new(&texts(&all), &texts(&any), &texts(&none)).expect("valid");
            assert_eq!(filter.admits(&own), admitted, "{filter:?}");
        }
        assert!(TagFilter::default().is_empty() && TagFilter::default().admits(&[]));
    }
}
