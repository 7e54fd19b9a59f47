//! An operator's reason for rejecting a fact: a code, a note, or both. It is optional.

use serde::{Deserialize, Serialize};

use crate::problem::{Field, Problem};

/// Maximum length of a note in characters.
pub const NOTE_MAX_CHARS: usize = 200;

/// A reason code, which can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    NamesPerson,
    NotDurable,
    Wrong,
    Duplicate,
    /// Only the operator's note says why.
    Other,
}

impl Reason {
    /// Reasons that can be chosen, in the order of their keyboard keys (1 to 4).
    pub const CANNED: [Self; 4] = [Self::NamesPerson, Self::NotDurable, Self::Wrong, Self::Duplicate];
    pub const ALL: [Self; 5] = [Self::NamesPerson, Self::NotDurable, Self::Wrong, Self::Duplicate, Self::Other];

    /// Returns its stable code.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NamesPerson => "names_person",
            Self::NotDurable => "not_durable",
            Self::Wrong => "wrong",
            Self::Duplicate => "duplicate",
            Self::Other => "other",
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::NamesPerson => "Names a person",
            Self::NotDurable => "Not durable",
            Self::Wrong => "Wrong",
            Self::Duplicate => "Duplicate",
            Self::Other => "Other",
        }
    }

    /// The daily counter of rejections for it.
    #[must_use]
    pub fn counter(self) -> &'static str {
        match self {
            Self::NamesPerson => "fact.rejected.names_person",
            Self::NotDurable => "fact.rejected.not_durable",
            Self::Wrong => "fact.rejected.wrong",
            Self::Duplicate => "fact.rejected.duplicate",
            Self::Other => "fact.rejected.other",
        }
    }

    /// Returns the code that is sent to other programs; `None`: only the note says why.
    #[must_use]
    pub fn told(self) -> Option<&'static str> {
        Some(self.as_str()).filter(|_| self != Self::Other)
    }

    #[must_use]
    pub fn known(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == code)
    }
}

/// The reason for a rejection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    pub reason: Reason,
    /// In the operator's words: 1 to [`NOTE_MAX_CHARS`] characters.
    pub note: Option<String>,
}

impl Rejection {
    /// Validates the chosen code and the typed note; both may be empty. `None`: no reason was given.
    pub fn new(code: &str, note: &str) -> Result<Option<Self>, Problem> {
        let note = note.trim();
        if note.chars().count() > NOTE_MAX_CHARS || note.chars().any(char::is_control) {
            let must = format!("must be {NOTE_MAX_CHARS} characters or fewer, on one line");
            return Err(Problem::invalid(Field::Reason, must));
        }
        let note = (!note.is_empty()).then(|| note.to_owned());
        let reason = match (code.trim(), &note) {
            ("", None) => return Ok(None),
            ("" | "other", Some(_)) => Reason::Other,
            (code, _) => Reason::known(code).filter(|reason| *reason != Reason::Other).ok_or_else(|| {
                let codes = Reason::CANNED.map(Reason::as_str).join(", ");
                Problem::invalid(Field::Reason, format!("must be one of {codes}, or words"))
            })?,
        };
        Ok(Some(Self { reason, note }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_a_code_or_words_or_both_or_nothing() {
        let read = |code: &str, note: &str| Rejection::new(code, note).map(|given| given.map(|given| (given.reason, given.note)));
        let words = |text: &str| Some(text.to_owned());
        assert_eq!(read("", "  "), Ok(None));
        assert_eq!(read("wrong", ""), Ok(Some((Reason::Wrong, None))));
        assert_eq!(read("wrong", " The port moved. "), Ok(Some((Reason::Wrong, words("The port moved.")))));
        assert_eq!(read("", "Out of date."), Ok(Some((Reason::Other, words("Out of date.")))));
        assert_eq!(read("other", "Out of date."), Ok(Some((Reason::Other, words("Out of date.")))));
        for (code, note) in [("other", ""), ("silly", ""), ("silly", "x"), ("", "a\nb")] {
            assert!(matches!(read(code, note), Err(Problem::Invalid { field: Field::Reason, .. })), "{code:?} {note:?}");
        }
        assert!(read("wrong", &"ä".repeat(NOTE_MAX_CHARS)).is_ok());
        assert!(read("wrong", &"ä".repeat(NOTE_MAX_CHARS + 1)).is_err());
    }

    #[test]
    fn codes_are_known_again_and_only_chosen_ones_are_told() {
        for reason in Reason::ALL {
            assert_eq!(Reason::known(reason.as_str()), Some(reason));
            assert_eq!(reason.counter(), format!("fact.rejected.{}", reason.as_str()));
            assert_eq!(serde_json::to_value(reason).expect("a name"), reason.as_str());
        }
        assert!(Reason::CANNED.iter().all(|reason| reason.told() == Some(reason.as_str())));
        assert_eq!(Reason::Other.told(), None);
    }
}
