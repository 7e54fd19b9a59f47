//! Memory blocks: text that an assistant keeps, rereads and edits. A *store* holds *blocks*; a block is text at a path, with
//! versions.
//!
//! A block must come back as it was sent: nothing here changes, cuts or masks a text. Forbidden text is refused, with the limit,
//! the value and what to do.

pub mod care;
mod edit;
mod fields;
mod guards;
pub mod guid;
pub mod limits;
mod matches;
pub mod memory_tool;
mod path;
mod pieces;
pub mod pipeline;
mod sections;

use serde::{Deserialize, Serialize};

use super::problem::{Field, Problem};
use crate::erasure::people::UserId;

pub use edit::{Edit, edited};
pub use fields::{BlockFields, FieldChanges};
pub use guards::{LEFT_OUT, SHRINKS, Window, left_out, shrinks};
pub use path::{BlockPath, folder};
pub use pieces::{pieces, seams, sentences};

/// Prefix of the user ids of pipeline instances.
pub const PIPELINES: &str = "instances/";
/// Name of the store that every user has from the first write on.
pub const DEFAULT_STORE: &str = "default";

/// Whether this user is a pipeline instance, whose stores hold records.
#[must_use]
pub fn is_pipeline(user: &UserId) -> bool {
    user.as_str().starts_with(PIPELINES)
}

/// The operation that a version records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    Created,
    Modified,
    /// The block was moved to the bin. Such a version has no text.
    Deleted,
    /// The block was restored from the bin.
    Restored,
}

impl Operation {
    pub const ALL: [Self; 4] = [Self::Created, Self::Modified, Self::Deleted, Self::Restored];

    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Modified => "modified",
            Self::Deleted => "deleted",
            Self::Restored => "restored",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Problem> {
        let known = Self::ALL.into_iter().find(|operation| operation.as_str() == name);
        known.ok_or_else(|| Problem::invalid(Field::Operation, "must be one of created, modified, deleted, restored"))
    }
}

/// Refuses a text that is too long for any block.
pub fn check_content(content: &str) -> Result<(), Problem> {
    limits::CONTENT_BYTES.check(content.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_fits_to_the_byte() {
        let most = usize::try_from(limits::CONTENT_BYTES.max).expect("small");
        assert_eq!(check_content(&"x".repeat(most)), Ok(()));
        let problem = check_content(&"x".repeat(most + 1)).expect_err("one more");
        let told = problem.to_string();
        assert!(told.contains("102400") && told.contains("102401"), "{told}");
        // Bytes are counted, not characters.
        assert!(check_content(&"é".repeat(most / 2 + 1)).is_err());
    }

    #[test]
    fn pipelines_are_known_by_their_id() {
        let user = |id: &str| UserId::new(id).expect("valid");
        assert!(is_pipeline(&user("instances/a3d8f1b2")) && !is_pipeline(&user("anna")));
    }

    #[test]
    fn operations_have_names() {
        for operation in Operation::ALL {
            assert_eq!(Operation::parse(operation.as_str()), Ok(operation));
        }
        assert!(Operation::parse("gone").is_err());
    }
}
