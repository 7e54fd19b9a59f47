//! Request and response of a recall. Their field names are part of the contract.

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::answers::Timestamp;
use super::values::{
    self, BLOCKS, Confidence, ItemCount, OriginName, PastTime, RecallExtras, RecallKind, RecallQuery, Tags, TokenBudget,
};
use domain::erasure::people::UserId;
use domain::facts::admission::LeftOut;
use domain::facts::provenance::{Origin, OriginFilter, Surface};
use domain::memory::tags::TagFilter;
use domain::memory::{Importance, MemoryKind};
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use domain::recall::prompt;
use domain::recall::ranking::ScoreParts;
use domain::recall::search::{Leg, Legs};
use service::blocks::Passage;
use service::recall::RecallOmissions;
use service::recall::{Item, Query, RecallResult};

#[derive(Deserialize, ToSchema)]
pub struct RecallRequest {
    #[schema(value_type = Option<values::UserId>)]
    pub user_id: Option<String>,
    #[schema(value_type = Option<values::Surface>)]
    pub surface: Option<String>,
    /// An explicit wish in it ("use only Claude's memories") filters team facts by origin, unless `origins` is present.
    #[schema(value_type = RecallQuery)]
    pub query: String,
    /// 0 to 50; absent: as in the settings.
    #[schema(value_type = Option<ItemCount>)]
    pub k: Option<u32>,
    /// Which team facts may be used; an empty object: all.
    #[serde(default, deserialize_with = "object")]
    pub origins: Option<Origins>,
    /// Only personal memories of these kinds: `fact`, `preference`, `correction`, `episode`; absent or empty: of all.
    #[serde(default)]
    #[schema(value_type = Vec<values::MemoryKind>)]
    pub kinds: Vec<String>,
    /// Which personal memories may be in the answer.
    pub tags: Option<TagsAsked>,
    /// `blocks`: also passages of memory blocks.
    #[serde(default)]
    #[schema(value_type = RecallExtras)]
    pub include: Vec<String>,
    /// Maximum size of `prompt` in tokens, 0 to 100000; absent: any.
    #[schema(value_type = Option<TokenBudget>)]
    pub budget: Option<u32>,
    /// RFC 3339, not in the future: what was known then, with a whole second at its end.
    #[schema(value_type = Option<PastTime>)]
    pub as_of: Option<String>,
    /// Says how each item was scored, and what was left out.
    #[serde(default)]
    #[schema(default = false)]
    pub explain: bool,
}

impl RecallRequest {
    /// Validates every field. `user` is the user for whom the caller speaks.
    pub fn query(self, user: Option<UserId>, surface: Surface) -> Result<Query, Problem> {
        let kinds = self.kinds.iter().map(|kind| MemoryKind::parse(kind)).collect::<Result<_, _>>();
        let as_of = |at: String| {
            Moment::parse(&at)
                .map(Moment::end_of_second)
                .ok_or_else(|| Problem::invalid(Field::AsOf, "must be an RFC 3339 timestamp such as 2026-11-01T10:00:00Z"))
        };
        if self.include.len() > 1 || self.include.iter().any(|part| part != BLOCKS) {
            return Err(Problem::invalid(Field::Include, "must list `blocks` once, or nothing"));
        }
        Ok(Query {
            passages: !self.include.is_empty(),
            k: self.k,
            origins: self.origins.map(Origins::filter).transpose()?,
            kinds: kinds
                .map_err(|_| Problem::invalid(Field::Kinds, "must list some of fact, preference, correction, episode"))?,
            tags: self.tags.map_or_else(|| Ok(TagFilter::default()), TagsAsked::filter)?,
            budget: self.budget,
            as_of: self.as_of.map(as_of).transpose()?,
            explain: self.explain,
            ..Query::new(user, surface, self.query)
        })
    }
}

/// Personal memories that have all of these tags, at least one of those, and none of the last.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagsAsked {
    #[serde(default)]
    #[schema(value_type = Tags)]
    pub all: Vec<String>,
    #[serde(default)]
    #[schema(value_type = Tags)]
    pub any: Vec<String>,
    #[serde(default)]
    #[schema(value_type = Tags)]
    pub none: Vec<String>,
}

impl TagsAsked {
    pub fn filter(self) -> Result<TagFilter, Problem> {
        TagFilter::new(&self.all, &self.any, &self.none)
    }
}

/// Reads an object alone; a list would be read as the fields in their order.
fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(from: D) -> Result<Option<T>, D::Error> {
    let Some(map) = Option::<serde_json::Map<String, serde_json::Value>>::deserialize(from)? else { return Ok(None) };
    serde_json::from_value(map.into()).map(Some).map_err(D::Error::custom)
}

/// At most one of the two, with at least one origin.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Origins {
    #[schema(value_type = Option<Vec<OriginName>>, min_items = 1)]
    pub only: Option<Vec<String>>,
    #[schema(value_type = Option<Vec<OriginName>>, min_items = 1)]
    pub exclude: Option<Vec<String>>,
}

impl Origins {
    pub fn filter(self) -> Result<OriginFilter, Problem> {
        let read = |names: Vec<String>| -> Result<Vec<Origin>, Problem> {
            if names.is_empty() {
                return Err(Problem::invalid(Field::Origins, "must name at least one origin"));
            }
            names.iter().map(|name| Origin::parse(name)).collect()
        };
        match (self.only, self.exclude) {
            (Some(_), Some(_)) => Err(Problem::invalid(Field::Origins, "Send either `only` or `exclude` in `origins`, not both")),
            (Some(only), None) => Ok(OriginFilter::Only(read(only)?)),
            (None, Some(exclude)) => Ok(OriginFilter::Exclude(read(exclude)?)),
            (None, None) => Ok(OriginFilter::Any),
        }
    }
}

/// The filter that was applied.
#[derive(Serialize, ToSchema)]
pub struct AppliedOrigins {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<values::Origin>>)]
    pub only: Option<Vec<Origin>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<values::Origin>>)]
    pub exclude: Option<Vec<Origin>>,
}

impl AppliedOrigins {
    fn of(filter: &OriginFilter) -> Option<Self> {
        match filter {
            OriginFilter::Any => None,
            OriginFilter::Only(list) => Some(Self { only: Some(list.clone()), exclude: None }),
            OriginFilter::Exclude(list) => Some(Self { only: None, exclude: Some(list.clone()) }),
        }
    }
}

/// One recalled thing. `score` = distance − importance − recency + confidence; lower is better.
#[derive(Serialize, ToSchema)]
pub struct RecallItem {
    pub id: String,
    #[schema(value_type = RecallKind)]
    pub kind: &'static str,
    pub content: String,
    /// When it was said; after a correction, when that was. For personal memories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    #[schema(value_type = values::Importance)]
    pub importance: Importance,
    pub score: f64,
    #[schema(value_type = values::ScoreParts)]
    pub parts: ScoreParts,
    /// The legs that found it: `vector`, `words`, `thread`, `dates`. Personal items are ordered by all of them together.
    #[schema(value_type = Vec<values::Leg>)]
    pub legs: Vec<Leg>,
    /// For team facts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<values::Origin>)]
    pub origin: Option<Origin>,
    /// For team facts: how sure it is, from 0 to 1. What it adds to the score is in `parts`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Confidence>)]
    pub confidence: Option<f64>,
    /// With `explain`: its place among everything that may be recalled from its store, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// With `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shares: Option<Shares>,
}

/// What each leg gave, in standard deviations above the mean of everything searched.
#[derive(Serialize, ToSchema)]
pub struct Shares {
    pub vector: f64,
    pub words: f64,
    pub thread: f64,
    pub dates: f64,
}

impl From<Legs> for Shares {
    fn from(legs: Legs) -> Self {
        let Legs { vector, words, thread, dates, thread_words: _ } = legs;
        Self { vector, words, thread, dates }
    }
}

/// What was left out of the answer.
#[derive(Serialize, ToSchema)]
pub struct LeftOutItem {
    #[serde(flatten)]
    pub item: RecallItem,
    /// `below_rank`, `relevance`, `near_duplicate`, `budget`, `kind`, `tags`, `as_of`, `greeting`; for team facts also `origin`, `confidence`
    pub reason: &'static str,
    /// The item in the answer that says the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// A part of a memory block.
#[derive(Serialize, ToSchema)]
pub struct BlockPassage {
    pub content: String,
    /// The line of the block with which it begins, from 1.
    pub line: u32,
    pub parent: PassageParent,
}

/// The block of a passage.
#[derive(Serialize, ToSchema)]
pub struct PassageParent {
    pub id: String,
    pub store_id: String,
    pub path: String,
    pub description: String,
    pub version: i64,
    pub updated_at: Timestamp,
}

impl From<Passage> for BlockPassage {
    fn from(Passage { block, content, line }: Passage) -> Self {
        let parent = PassageParent {
            id: block.id,
            store_id: block.store_id,
            path: block.path,
            description: block.fields.description,
            version: block.version,
            updated_at: Timestamp(block.updated_at),
        };
        Self { content, line, parent }
    }
}

#[derive(Serialize, ToSchema)]
pub struct RecallAnswer {
    pub personal: Vec<RecallItem>,
    pub global: Vec<RecallItem>,
    /// The block for the prompt, after the cached prefix; empty if nothing was recalled.
    pub prompt: String,
    /// The estimated number of tokens of `prompt`: a quarter for each ASCII character, one for each other.
    pub prompt_tokens: u32,
    /// How an assistant treats the block: the same bytes for every user and every question, for the cached part of its prompt.
    pub prefix: &'static str,
    /// The filter by origin that was applied to team facts; absent if none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origins: Option<AppliedOrigins>,
    /// With `include`: passages of memory blocks that are not pinned, the most relevant first, one of each block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<BlockPassage>>,
    /// With `explain`: the nearest memories and facts that are not in the answer, at most 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<Vec<LeftOutItem>>,
}

impl From<RecallResult> for RecallAnswer {
    fn from(answer: RecallResult) -> Self {
        let explain = answer.left_out.is_some();
        let items = |items: Vec<Item>| items.into_iter().map(|item| RecallItem::of(item, explain)).collect();
        Self {
            origins: AppliedOrigins::of(&answer.origins),
            personal: items(answer.personal),
            global: items(answer.global),
            prompt: answer.prompt,
            prompt_tokens: answer.prompt_tokens,
            prefix: prompt::PREFIX,
            blocks: answer.passages.map(|passages| passages.into_iter().map(BlockPassage::from).collect()),
            left_out: answer.left_out.map(left_out),
        }
    }
}

impl RecallItem {
    fn of(item: Item, explain: bool) -> Self {
        Self {
            score: item.parts.score(),
            parts: item.parts,
            legs: item.legs,
            id: item.id,
            kind: item.kind,
            content: item.content,
            at: item.at.map(Timestamp),
            importance: item.importance,
            origin: item.origin,
            confidence: item.confidence,
            rank: (explain && item.place > 0).then_some(item.place),
            shares: explain.then(|| item.shares.into()),
        }
    }
}

fn left_out(missed: RecallOmissions) -> Vec<LeftOutItem> {
    let personal = missed.personal.into_iter().map(|missed| (missed.item, missed.why, missed.twin));
    let global = missed.global.into_iter().map(|missed| (missed.item, missed.why, missed.twin));
    let told = |(item, why, same_as)| LeftOutItem { item: RecallItem::of(item, true), reason: reason(why), same_as };
    personal.chain(global).map(told).collect()
}

/// The name of a reason in the contract.
fn reason(why: LeftOut) -> &'static str {
    match why {
        LeftOut::Rejected => "rejected",
        LeftOut::Pending => "pending",
        LeftOut::SurfaceOff => "surface_off",
        LeftOut::AnonymousOff => "anonymous_off",
        LeftOut::Origin => "origin",
        LeftOut::BelowFloor => "confidence",
        LeftOut::Relevance => "relevance",
        LeftOut::Greeting => "greeting",
        LeftOut::BeyondK => "below_rank",
        LeftOut::NearDuplicate => "near_duplicate",
        LeftOut::Budget => "budget",
        LeftOut::AsOf => "as_of",
        LeftOut::Kind => "kind",
        LeftOut::Tags => "tags",
    }
}
