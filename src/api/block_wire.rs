//! Types of requests and answers on memory blocks. The names that Anthropic's Memory Stores API has are that API's.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::Timestamp;
use super::values::{
    self, ActorType, BlockContent, BlockLabel, BlockPart, BlockPath, BlockQuery, BlockQueryLimit, BlockType, DeletedType,
    DescriptionText, EditCommand, FolderType, LineNumber, PreconditionKind, StoreName, StoreType, TextHash, TextLength,
    VersionNumber, VersionOperation, VersionType,
};
use super::wire::given;
use domain::blocks::{BlockFields, Edit, FieldChanges, Operation};
use domain::memory::tags::Tags;
use domain::problem::{Field, Problem};
use service::blocks::{Author, Block, BlockStore, BlockVersion, Differences};

#[derive(Deserialize, ToSchema)]
pub struct StoreRequest {
    #[schema(value_type = StoreName)]
    pub name: String,
    /// What the store is for.
    #[serde(default)]
    #[schema(value_type = DescriptionText)]
    pub description: String,
    /// Pairs for the host's own use.
    #[serde(default)]
    pub metadata: BTreeMap<String, String>,
}

/// What to change; what is absent stays.
#[derive(Deserialize, ToSchema)]
pub struct StoreChangeRequest {
    #[schema(value_type = Option<StoreName>)]
    pub name: Option<String>,
    #[schema(value_type = Option<DescriptionText>)]
    pub description: Option<String>,
    /// Pairs to set; one with `null` is removed.
    pub metadata: Option<BTreeMap<String, Option<String>>>,
}

#[derive(Serialize, ToSchema)]
pub struct StoreItem {
    pub id: String,
    #[schema(value_type = StoreType)]
    pub r#type: &'static str,
    pub name: String,
    pub description: String,
    pub metadata: BTreeMap<String, String>,
    /// The store that the user has from the first write; it can also be called `default`.
    pub is_default: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// From then on its blocks can be read and deleted only.
    pub archived_at: Option<Timestamp>,
}

impl From<BlockStore> for StoreItem {
    fn from(store: BlockStore) -> Self {
        Self {
            id: store.id,
            r#type: "memory_store",
            name: store.name,
            description: store.description,
            metadata: store.metadata,
            is_default: store.is_default,
            created_at: Timestamp(store.created_at),
            updated_at: Timestamp(store.updated_at),
            archived_at: store.archived_at.map(Timestamp),
        }
    }
}

/// What is deleted.
#[derive(Serialize, ToSchema)]
pub struct DeletedItem {
    pub id: String,
    #[schema(value_type = DeletedType)]
    pub r#type: &'static str,
}

#[derive(Deserialize, ToSchema)]
pub struct BlockRequest {
    /// Absent: `/` and the id of the block.
    #[schema(value_type = Option<BlockPath>)]
    pub path: Option<String>,
    /// Kept byte for byte; may be empty.
    #[schema(value_type = Option<BlockContent>)]
    pub content: Option<String>,
    /// What the block is for, in a sentence for assistants.
    #[schema(value_type = Option<DescriptionText>)]
    pub description: Option<String>,
    /// In every prompt.
    pub pinned: Option<bool>,
    /// The most characters that the text may have.
    #[schema(value_type = Option<TextLength>)]
    pub char_limit: Option<u32>,
    pub read_only: Option<bool>,
    #[schema(value_type = Option<BlockLabel>)]
    pub kind: Option<String>,
    #[schema(value_type = Option<BlockLabel>)]
    pub scope: Option<String>,
    #[schema(value_type = Option<BlockLabel>)]
    pub source: Option<String>,
    #[schema(value_type = Option<values::Tags>)]
    pub tags: Option<Vec<String>>,
    /// A line that looks as if it stood for left-out text is meant.
    #[serde(default)]
    pub allow_shrink: bool,
}

impl BlockRequest {
    pub fn fields(&self) -> Result<BlockFields, Problem> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Ok(BlockFields {
            description: text(&self.description),
            pinned: self.pinned.unwrap_or_default(),
            char_limit: self.char_limit,
            read_only: self.read_only.unwrap_or_default(),
            kind: text(&self.kind),
            scope: text(&self.scope),
            source: text(&self.source),
            tags: Tags::new(self.tags.as_deref().unwrap_or_default())?,
        })
    }
}

/// The state that a change is based on: a text with this SHA-256.
#[derive(Deserialize, ToSchema)]
pub struct Precondition {
    #[serde(rename = "type")]
    #[schema(value_type = PreconditionKind)]
    pub kind: String,
    /// Small hexadecimal digits.
    #[schema(value_type = Option<TextHash>)]
    pub content_sha256: Option<String>,
}

/// What to change; what is absent stays.
#[derive(Deserialize, ToSchema)]
#[allow(clippy::option_option, reason = "absent, null and a value are three cases of a patch")]
pub struct BlockChangeRequest {
    #[schema(value_type = Option<BlockContent>)]
    pub content: Option<String>,
    #[schema(value_type = Option<BlockPath>)]
    pub path: Option<String>,
    #[schema(value_type = Option<DescriptionText>)]
    pub description: Option<String>,
    pub pinned: Option<bool>,
    /// `null`: no limit of its own.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<TextLength>)]
    pub char_limit: Option<Option<u32>>,
    pub read_only: Option<bool>,
    #[schema(value_type = Option<BlockLabel>)]
    pub kind: Option<String>,
    #[schema(value_type = Option<BlockLabel>)]
    pub scope: Option<String>,
    #[schema(value_type = Option<BlockLabel>)]
    pub source: Option<String>,
    /// All tags that it is to have.
    #[schema(value_type = Option<values::Tags>)]
    pub tags: Option<Vec<String>>,
    /// The version that was read.
    #[schema(value_type = Option<VersionNumber>)]
    pub expected_version: Option<i64>,
    pub precondition: Option<Precondition>,
    /// It is meant that the text becomes much shorter.
    #[serde(default)]
    pub allow_shrink: bool,
}

impl BlockChangeRequest {
    pub fn fields(&self) -> Result<FieldChanges, Problem> {
        Ok(FieldChanges {
            description: self.description.clone(),
            pinned: self.pinned,
            char_limit: self.char_limit,
            read_only: self.read_only,
            kind: self.kind.clone(),
            scope: self.scope.clone(),
            source: self.source.clone(),
            tags: self.tags.as_deref().map(Tags::new).transpose()?,
        })
    }
}

/// One edit of the newest text, or of the version that is named.
#[derive(Deserialize, ToSchema)]
pub struct BlockEditRequest {
    #[schema(value_type = EditCommand)]
    pub command: String,
    /// What `str_replace` replaces; it must be in the text exactly once.
    #[schema(value_type = Option<BlockPart>)]
    pub old_str: Option<String>,
    /// What takes its place; absent: nothing.
    #[schema(value_type = Option<BlockContent>)]
    pub new_str: Option<String>,
    /// `str_replace` replaces so many, and there must be so many.
    #[schema(value_type = Option<TextLength>)]
    pub expected_replacements: Option<u32>,
    /// `insert` puts the text after this line; 0: before the first.
    #[schema(value_type = Option<LineNumber>)]
    pub insert_line: Option<u32>,
    /// The Markdown heading whose section `replace_section` replaces: the line, or its words.
    #[schema(value_type = Option<BlockContent>)]
    pub heading: Option<String>,
    /// The lines for all but `str_replace`.
    #[schema(value_type = Option<BlockContent>)]
    pub text: Option<String>,
    #[schema(value_type = Option<VersionNumber>)]
    pub expected_version: Option<i64>,
    pub precondition: Option<Precondition>,
    #[serde(default)]
    pub allow_shrink: bool,
}

impl BlockEditRequest {
    pub fn edit(&self) -> Result<Edit, Problem> {
        let missing = |field: &str| Problem::Malformed { detail: format!("missing field `{field}`") };
        let text = || self.text.clone().ok_or_else(|| missing("text"));
        match self.command.as_str() {
            "str_replace" => Ok(Edit::StrReplace {
                old: self.old_str.clone().ok_or_else(|| missing("old_str"))?,
                new: self.new_str.clone().unwrap_or_default(),
                expected: self.expected_replacements,
            }),
            "insert" => Ok(Edit::Insert { line: self.insert_line.ok_or_else(|| missing("insert_line"))?, text: text()? }),
            "append" => Ok(Edit::Append { text: text()? }),
            "prepend" => Ok(Edit::Prepend { text: text()? }),
            "replace_section" => {
                Ok(Edit::ReplaceSection { heading: self.heading.clone().ok_or_else(|| missing("heading"))?, text: text()? })
            }
            _ => Err(Problem::invalid(Field::Command, "must be one of str_replace, insert, append, prepend, replace_section")),
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct BlockSearchRequest {
    #[schema(value_type = BlockQuery)]
    pub query: String,
    #[schema(value_type = Option<BlockLabel>)]
    pub kind: Option<String>,
    #[schema(value_type = Option<BlockLabel>)]
    pub scope: Option<String>,
    /// All of these.
    #[serde(default)]
    #[schema(value_type = values::Tags)]
    pub tags: Vec<String>,
    #[schema(value_type = Option<BlockQueryLimit>)]
    pub limit: Option<u32>,
}

#[derive(Deserialize, ToSchema)]
pub struct RestoreRequest {
    /// The version whose text comes back. Absent: the block comes out of the bin.
    #[schema(value_type = Option<VersionNumber>)]
    pub version: Option<i64>,
    #[schema(value_type = Option<VersionNumber>)]
    pub expected_version: Option<i64>,
    pub precondition: Option<Precondition>,
}

/// Who wrote.
#[derive(Serialize, ToSchema)]
pub struct ActorItem {
    /// `api_actor`, or `user_actor` for an operator
    #[schema(value_type = ActorType)]
    pub r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
}

impl ActorItem {
    fn of(kind: &str, id: &str) -> Self {
        if kind == "operator" {
            Self { r#type: "user_actor", api_key_id: None, user_id: Some(id.to_owned()) }
        } else {
            Self { r#type: "api_actor", api_key_id: Some(id.to_owned()), user_id: None }
        }
    }
}

/// Whether the text comes with what it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    Basic,
    Full,
}

/// A block.
#[derive(Serialize, ToSchema)]
pub struct BlockItem {
    pub id: String,
    #[schema(value_type = BlockType)]
    pub r#type: &'static str,
    pub memory_store_id: String,
    pub memory_version_id: String,
    pub path: String,
    /// `null` with `view=basic`, and in the bin.
    pub content: Option<String>,
    pub content_sha256: String,
    pub content_size_bytes: u64,
    pub chars: u64,
    /// Rises with every change, from 1.
    pub version: i64,
    pub description: String,
    pub pinned: bool,
    /// The most characters that the text may have; `null`: as many as fit.
    pub char_limit: Option<u64>,
    pub read_only: bool,
    pub kind: String,
    pub scope: String,
    pub source: String,
    pub tags: Vec<String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// To the day.
    pub last_read_at: Option<String>,
    /// Since when it is in the bin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
}

impl BlockItem {
    pub fn of(block: Block, view: View) -> Self {
        let char_limit = block.fields.chars_max();
        Self {
            id: block.id,
            r#type: "memory",
            memory_store_id: block.store_id,
            memory_version_id: block.version_id,
            path: block.path,
            content: block.content.filter(|_| view == View::Full),
            content_sha256: block.sha256,
            content_size_bytes: block.bytes,
            chars: block.chars,
            version: block.version,
            description: block.fields.description,
            pinned: block.fields.pinned,
            char_limit,
            read_only: block.fields.read_only,
            kind: block.fields.kind,
            scope: block.fields.scope,
            source: block.fields.source,
            tags: block.fields.tags.into_vec(),
            created_at: Timestamp(block.created_at),
            updated_at: Timestamp(block.updated_at),
            last_read_at: block.last_read_at.map(|at| at.rfc3339()[..10].to_owned()),
            deleted_at: block.deleted_at.map(Timestamp),
        }
    }
}

/// A folder in a list with `depth=1`.
#[derive(Serialize, ToSchema)]
pub struct BlockPrefix {
    #[schema(value_type = FolderType)]
    pub r#type: &'static str,
    /// Ends with `/`: send it as `path_prefix` to see what is below.
    pub path: String,
}

/// A block, or a folder of blocks.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum BlockEntry {
    Block(Box<BlockItem>),
    Prefix(BlockPrefix),
}

/// A version of a block.
#[derive(Serialize, ToSchema)]
pub struct BlockVersionItem {
    pub id: String,
    #[schema(value_type = VersionType)]
    pub r#type: &'static str,
    pub memory_id: String,
    pub memory_store_id: String,
    pub version: i64,
    #[schema(value_type = VersionOperation)]
    pub operation: &'static str,
    /// `null` if it was redacted.
    pub path: Option<String>,
    /// `null` with `view=basic`, and if it was redacted or records a deletion.
    pub content: Option<String>,
    pub content_sha256: Option<String>,
    pub content_size_bytes: Option<u64>,
    pub created_at: Timestamp,
    pub created_by: ActorItem,
    /// Where it was written.
    pub surface: String,
    pub redacted_at: Option<Timestamp>,
    pub redacted_by: Option<ActorItem>,
}

impl BlockVersionItem {
    pub fn of(version: BlockVersion, view: View) -> Self {
        let Author { kind, id, surface } = version.by;
        Self {
            id: version.id,
            r#type: "memory_version",
            memory_id: version.block_id,
            memory_store_id: version.store_id,
            version: version.version,
            operation: match version.operation {
                Operation::Created => "created",
                Operation::Modified | Operation::Restored => "modified",
                Operation::Deleted => "deleted",
            },
            path: version.path,
            content: version.content.filter(|_| view == View::Full),
            content_sha256: version.sha256,
            content_size_bytes: version.bytes,
            created_at: Timestamp(version.at),
            created_by: ActorItem::of(&kind, &id),
            surface,
            redacted_at: version.redacted.as_ref().map(|(at, ..)| Timestamp(*at)),
            redacted_by: version.redacted.map(|(_, kind, id)| ActorItem::of(&kind, &id)),
        }
    }
}

/// Two versions compared.
#[derive(Serialize, ToSchema)]
pub struct DiffAnswer {
    pub from: i64,
    pub to: i64,
    /// As `diff -u` writes it, without the names of files; empty: the texts are the same.
    pub unified: String,
}

impl From<Differences> for DiffAnswer {
    fn from(told: Differences) -> Self {
        Self { from: told.from, to: told.to, unified: told.unified }
    }
}
