//! What a block of a pipeline sends, and what goes back. The field names and replies are those of the blocks.

use axum::body::Bytes;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::reply::malformed;
use super::values::{AnyText, BlockContent, BlockLabel, PipelineMemory};
use domain::problem::{Field, Problem};
use service::blocks::Block;
use service::blocks::pipelines::{PipelineMessage, PipelineOutcome, guid_of};

#[derive(Deserialize, ToSchema)]
pub struct WebhookRequest {
    /// The first one has the message.
    pub args: Option<Vec<WebhookArg>>,
    pub wf_webhook_args: Option<WebhookArgs>,
    /// The agent that sent the message: the `source` of a record that names none.
    #[schema(value_type = Option<BlockLabel>)]
    pub agent: Option<String>,
}

#[derive(Deserialize, ToSchema)]
pub struct WebhookArg {
    #[schema(value_type = Option<BlockContent>)]
    pub text: Option<String>,
}

/// What is set on the block of the pipeline. An empty text is the same as none.
#[derive(Default, Deserialize, ToSchema)]
pub struct WebhookArgs {
    /// `instances/<uid>/<alias>`; `${pipeline_uid}` is the instance that the key is bound to.
    #[schema(value_type = Option<PipelineMemory>)]
    pub memory_id: Option<String>,
    /// For a new record the `memory_id` if absent.
    #[schema(value_type = Option<BlockLabel>)]
    pub scope: Option<String>,
    /// For a new record `observation` if absent.
    #[schema(value_type = Option<BlockLabel>)]
    pub kind: Option<String>,
    #[schema(value_type = Option<BlockLabel>)]
    pub source: Option<String>,
    pub tags: Option<TagsGiven>,
    #[schema(value_type = Option<BlockLabel>)]
    pub guid: Option<String>,
    /// Answers with a text: this for each record, with `{{content}}`, `{{kind}}`, `{{scope}}`, `{{guid}}`, `{{source}}` and `{{tags}}`
    /// replaced.
    #[schema(value_type = Option<AnyText>)]
    pub output_template: Option<String>,
    /// It is meant that a text has a line that looks as if it stood for left-out text.
    #[schema(default = false)]
    pub allow_shrink: Option<bool>,
}

/// A JSON array as a text, tags with commas between, or an array.
#[derive(Deserialize, ToSchema)]
#[serde(untagged)]
pub enum TagsGiven {
    Text(String),
    List(Vec<String>),
}

impl TagsGiven {
    fn read(self) -> Result<Vec<String>, Problem> {
        let text = match self {
            Self::List(tags) => return Ok(tags),
            Self::Text(text) => text,
        };
        if text.trim_start().starts_with('[') {
            return serde_json::from_str(&text)
                .map_err(|_| Problem::invalid(Field::Tags, "must be a JSON array of strings, or tags with commas between"));
        }
        Ok(text.split(',').map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect())
    }
}

impl WebhookRequest {
    /// Reads a body, which may be anything.
    pub fn read(body: &Bytes) -> Result<PipelineMessage, Problem> {
        // A list would be read as the fields in their order.
        if body.trim_ascii_start().starts_with(b"[") {
            return Err(malformed("the body must be an object"));
        }
        let request: Self = serde_json::from_slice(body).map_err(malformed)?;
        let args = request.wf_webhook_args.unwrap_or_default();
        let text = request.args.and_then(|args| args.into_iter().next()).and_then(|first| first.text);
        Ok(PipelineMessage {
            text: text.unwrap_or_default(),
            memory_id: args.memory_id.unwrap_or_default(),
            guid: args.guid.unwrap_or_default(),
            scope: args.scope.unwrap_or_default(),
            kind: args.kind.unwrap_or_default(),
            source: args.source.unwrap_or_default(),
            tags: args.tags.map_or_else(|| Ok(Vec::new()), TagsGiven::read)?,
            output_template: args.output_template.unwrap_or_default(),
            allow_shrink: args.allow_shrink.unwrap_or_default(),
            agent: request.agent.unwrap_or_default(),
        })
    }
}

/// A record of a pipeline.
#[derive(Serialize, ToSchema)]
pub struct PipelineRecord {
    #[schema(format = "uuid")]
    pub guid: String,
    pub scope: String,
    pub kind: String,
    pub content: String,
    pub source: String,
    pub tags: Vec<String>,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub updated_at: i64,
}

impl From<Block> for PipelineRecord {
    fn from(block: Block) -> Self {
        Self {
            guid: guid_of(&block.id),
            scope: block.fields.scope,
            kind: block.fields.kind,
            content: block.content.unwrap_or_default(),
            source: block.fields.source,
            tags: block.fields.tags.into_vec(),
            created_at: block.created_at.0,
            updated_at: block.updated_at.0,
        }
    }
}

/// What was done.
#[derive(Default, Serialize, ToSchema)]
pub struct PipelineDone {
    /// Of the record: a UUID.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = "uuid")]
    pub guid: Option<String>,
    /// True: to a record that was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub appended: Option<bool>,
    /// True: to a new record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<bool>,
    /// How many records.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deleted: Option<u64>,
    /// Why there was nothing to do: `no query`, `no command`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<&'static str>,
    /// What is wrong, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum PipelineAnswer {
    Records(Vec<PipelineRecord>),
    Done(PipelineDone),
}

impl PipelineAnswer {
    /// An answer in JSON; an error is one in plain text.
    pub fn of(outcome: PipelineOutcome) -> Result<Self, String> {
        let done = match outcome {
            PipelineOutcome::Text(text) => return Err(text),
            PipelineOutcome::Records(records) => {
                return Ok(Self::Records(records.into_iter().map(PipelineRecord::from).collect()));
            }
            PipelineOutcome::Written(guid) => PipelineDone { guid: Some(guid), ..PipelineDone::default() },
            PipelineOutcome::AppendedTo(guid) => {
                PipelineDone { guid: Some(guid), appended: Some(true), ..PipelineDone::default() }
            }
            PipelineOutcome::AppendedNew(guid) => {
                PipelineDone { guid: Some(guid), created: Some(true), ..PipelineDone::default() }
            }
            PipelineOutcome::Deleted(deleted) => PipelineDone { deleted: Some(deleted), ..PipelineDone::default() },
            PipelineOutcome::Skipped(why) => PipelineDone { skipped: Some(why), ..PipelineDone::default() },
            PipelineOutcome::Error(error) => PipelineDone { error: Some(error), ..PipelineDone::default() },
        };
        Ok(Self::Done(done))
    }
}
