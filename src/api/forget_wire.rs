//! What is sent to forget something, and what the user has to confirm first.

use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::values::{MemoryIds, RecallQuery, UserId};
use domain::chat::talk::ToForget;
use domain::problem::{Field, Problem};
use service::memories::forget::{AsAsked, Forgotten};

#[derive(Deserialize, ToSchema)]
pub struct ForgetRequest {
    #[schema(value_type = Option<UserId>)]
    pub user_id: Option<String>,
    /// Deletes the memory that lacks nothing that is named. If none does and one is near, or if several are meant, nothing is deleted,
    /// and `confirm` says what to do.
    #[schema(value_type = Option<RecallQuery>)]
    pub query: Option<String>,
    /// Deletes these memories, all or none.
    #[schema(value_type = Option<MemoryIds>)]
    pub ids: Option<Vec<String>>,
    /// Deletes everything. Needs the scope `erase`.
    #[serde(default)]
    #[schema(default = false)]
    pub all: bool,
}

#[derive(Serialize, ToSchema)]
pub struct ForgottenItem {
    pub id: String,
    pub content: String,
}

#[derive(Serialize, ToSchema)]
pub struct ForgetAnswer {
    pub forgotten: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<ForgottenItem>>,
    /// The query means everything, several memories, or perhaps one that is near: nothing was deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirm: Option<Confirm>,
}

impl ForgetAnswer {
    #[must_use]
    pub fn of(gone: Vec<Forgotten>) -> Self {
        let item = |gone: Forgotten| ForgottenItem { id: gone.id, content: gone.content };
        let items: Vec<ForgottenItem> = gone.into_iter().map(item).collect();
        Self { forgotten: items.len() as u64, items: Some(items), confirm: None }
    }

    /// A request that says nothing, or several things.
    #[must_use]
    pub fn one_of_three() -> Problem {
        Problem::invalid(Field::Query, "Send exactly one of `query`, `ids` or `\"all\": true`")
    }

    fn asking(meant: ToForget) -> Self {
        Self { confirm: Some(Confirm::of(meant)), ..Self::of(Vec::new()) }
    }
}

impl From<AsAsked> for ForgetAnswer {
    fn from(asked: AsAsked) -> Self {
        match asked {
            AsAsked::Forgotten(gone) => Self::of(vec![gone]),
            AsAsked::Nothing => Self::of(Vec::new()),
            AsAsked::Everything => Self::asking(ToForget::Everything),
            AsAsked::Several(meant) => Self::asking(ToForget::Memories(meant.into_iter().map(|one| one.id).collect())),
        }
    }
}

/// What the user asked for and what is done only if the user confirms it.
#[derive(Serialize, ToSchema)]
pub struct Confirm {
    /// `forget_all`: everything about the user; `forget_some`: the memories in `ids`.
    pub action: &'static str,
    /// What the user is to confirm; show it in the user's language.
    pub phrase: String,
    /// The call that does it, once the user has confirmed. It needs the scope `erase` for everything, else `write`.
    pub how: String,
    /// How many memories are meant, if it is not everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ids: Option<Vec<String>>,
}

impl Confirm {
    #[must_use]
    pub fn of(meant: ToForget) -> Self {
        match meant {
            ToForget::Everything => Self {
                action: "forget_all",
                phrase: "Delete everything that is remembered about me".to_owned(),
                how: r#"POST /v1/forget {"all":true}"#.to_owned(),
                count: None,
                ids: None,
            },
            ToForget::Memories(ids) => Self {
                action: "forget_some",
                phrase: match ids.len() {
                    1 => "Delete the memory that may be about this".to_owned(),
                    several => format!("Delete the {several} memories about this"),
                },
                how: format!("POST /v1/forget {}", json!({ "ids": ids })),
                count: Some(ids.len()),
                ids: Some(ids),
            },
        }
    }

    /// The same for an assistant that speaks MCP.
    #[must_use]
    pub fn with_tool(self) -> Self {
        Self { how: self.how.replacen("POST /v1/forget", "forget_memory", 1), ..self }
    }
}
