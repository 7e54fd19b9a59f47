//! What the memory tool takes and answers. The field names are those of the tool.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::values::{self, BlockContent, LineNumber, LineRange, MemoryCommand, MemoryFile};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use service::blocks::MemoryToolReply;

/// The input of the tool as the model sent it; a host may add `user_id`, `surface` and `allow_shrink`. Which arguments are needed
/// depends on the command.
#[derive(ToSchema)]
pub struct MemoryToolRequest {
    #[schema(value_type = Option<values::UserId>)]
    pub user_id: Option<UserId>,
    /// `memory-tool` if absent.
    #[schema(value_type = Option<values::Surface>)]
    pub surface: Option<Surface>,
    pub command: MemoryCommand,
    /// Under `/memories`. For every command but `rename`.
    pub path: Option<MemoryFile>,
    /// `view`: the first and the last line; -1: to the end.
    pub view_range: Option<LineRange>,
    /// `create`: the text of the file.
    pub file_text: Option<BlockContent>,
    /// `str_replace`: a part that is there once.
    pub old_str: Option<BlockContent>,
    /// `str_replace`: what takes its place.
    pub new_str: Option<BlockContent>,
    /// `insert`: after which line; 0: before the first.
    pub insert_line: Option<LineNumber>,
    /// `insert`: the lines.
    pub insert_text: Option<BlockContent>,
    /// `rename`: a file or a folder.
    pub old_path: Option<MemoryFile>,
    /// `rename`: where it goes.
    pub new_path: Option<MemoryFile>,
    /// It is meant that a text becomes much shorter, or has a line that looks as if it stood for left-out text.
    #[schema(default = false)]
    pub allow_shrink: Option<bool>,
}

/// What the host adds.
#[derive(Deserialize)]
pub struct ByTheHost {
    pub user_id: Option<String>,
    pub surface: Option<String>,
    pub allow_shrink: Option<bool>,
}

/// The members of a tool result.
#[derive(Serialize, ToSchema)]
pub struct MemoryToolAnswer {
    /// For the model.
    pub content: String,
    pub is_error: bool,
}

impl From<MemoryToolReply> for MemoryToolAnswer {
    fn from(MemoryToolReply { content, is_error }: MemoryToolReply) -> Self {
        Self { content, is_error }
    }
}
