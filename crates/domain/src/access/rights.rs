//! Rights of operators at the console. Every operator may view; there are two further rights, and neither includes the other:
//! support staff can erase without deciding what the team knows, and reviewers can decide without seeing a person's memories.

pub use super::right::Right;

use serde::{Deserialize, Serialize};

use crate::problem::{Field, Problem};

/// An operator's rights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rights {
    /// To view only.
    #[default]
    View,
    Review,
    Manage,
    /// Both.
    Edit,
}

impl Rights {
    pub const ALL: [Self; 4] = [Self::View, Self::Review, Self::Manage, Self::Edit];

    /// The name in forms, records and on the command line.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::View => "view",
            Self::Review => "review",
            Self::Manage => "manage",
            Self::Edit => "edit",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Problem> {
        let known = Self::ALL.into_iter().find(|rights| rights.as_str() == name);
        known.ok_or_else(|| Problem::invalid(Field::Rights, "must be one of view, review, manage, edit"))
    }

    /// Returns the name of the role with these rights.
    #[must_use]
    pub fn role(self) -> &'static str {
        match self {
            Self::View => "View only",
            Self::Review => "Reviewer",
            Self::Manage => "Manager",
            Self::Edit => "Editor",
        }
    }

    /// Returns a short description of them.
    #[must_use]
    pub fn means(self) -> &'static str {
        match self {
            Self::View => "sees counts and masks",
            Self::Review => "facts:review – decides on team facts",
            Self::Manage => "users:edit – erases, shows text, changes settings and operators",
            Self::Edit => "facts:review and users:edit – does both",
        }
    }

    #[must_use]
    pub fn include(self, right: Right) -> bool {
        match self {
            Self::View => false,
            Self::Review => right == Right::Review,
            Self::Manage => right == Right::Manage,
            Self::Edit => true,
        }
    }

    /// Whether every right in `others` is in these.
    #[must_use]
    pub fn cover(self, others: Self) -> bool {
        [Right::Review, Right::Manage].into_iter().all(|right| self.include(right) || !others.include(right))
    }

    /// These rights without this one.
    #[must_use]
    pub fn without(self, right: Right) -> Self {
        match right {
            Right::Review if self.include(Right::Manage) => Self::Manage,
            Right::Manage if self.include(Right::Review) => Self::Review,
            _ => Self::View,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn review_and_manage_are_apart_and_edit_is_both() {
        assert!(!Rights::Manage.include(Right::Review) && !Rights::Review.include(Right::Manage));
        assert!(Rights::Edit.include(Right::Review) && Rights::Edit.include(Right::Manage));
        for rights in Rights::ALL {
            assert_eq!(Rights::parse(rights.as_str()), Ok(rights));
            assert!(Rights::Edit.cover(rights) && rights.cover(Rights::View));
            assert!(!rights.without(Right::Review).include(Right::Review));
            assert_eq!(rights.without(Right::Review).include(Right::Manage), rights.include(Right::Manage));
        }
        assert!(!Rights::Manage.cover(Rights::Review) && !Rights::Manage.cover(Rights::Edit));
        assert!(Rights::parse("admin").is_err());
    }
}
