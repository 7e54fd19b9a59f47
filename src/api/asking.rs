//! What every call on memory blocks asks with: the caller, the user, the surface, the dialect, and the parameters of the query.

use axum::Json;
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::{IntoParams, PartialSchema};

use super::Api;
use super::block_wire::{BlockItem, Precondition, View};
use super::dialect::Dialect;
use super::limits::{BLOCK_CURSOR_MAX_BYTES, FULL_PAGE_MAX, PAGE_DEFAULT, PAGE_MAX};
use super::memories::based_on;
use super::named_user::named_user;
use super::reply::{Owner, Refusal, etag, malformed, overtaken};
use super::values;
use super::wire::moment;
use access::callers::Caller;
use domain::blocks::{BlockPath, Operation, folder};
use domain::erasure::people::UserId;
use domain::facts::provenance::Surface;
use domain::memory::tags::Tags;
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use service::blocks::{Basis, BlockChangeResult, BlockFilter, Hand, StoreRef, VersionPlace};
use service::memories::BasedOn;

/// The surface of a call that names none.
const SURFACE_DEFAULT: &str = "other";
/// The name of the default store in a path.
const DEFAULT: &str = "default";

/// The parameters of the query. Unknown ones are ignored.
#[derive(Default)]
pub struct Asked {
    pub user_id: Option<String>,
    pub surface: Option<String>,
    pub limit: Option<u32>,
    pub cursor: Option<String>,
    pub view: Option<View>,
    pub path_prefix: Option<String>,
    pub depth: u32,
    pub filter: BlockFilter,
    pub archived: bool,
    pub since: Option<Moment>,
    pub until: Option<Moment>,
    pub block_id: Option<String>,
    pub operation: Option<Operation>,
    pub by_id: Option<String>,
    pub forever: bool,
    pub expected_sha256: Option<String>,
    pub expected_version: Option<i64>,
    pub from: Option<i64>,
    pub to: Option<i64>,
}

fn switch(field: Field, value: &str) -> Result<bool, Problem> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(Problem::invalid(field, "must be true or false")),
    }
}

fn whole<T: std::str::FromStr>(field: Field, value: &str) -> Result<T, Problem> {
    value.parse().map_err(|_| Problem::invalid(field, "must be a whole number"))
}

impl Asked {
    fn read(query: &str) -> Result<Self, Problem> {
        let mut asked = Self::default();
        let mut tags = Vec::new();
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).map_err(malformed)?;
        for (name, value) in pairs {
            match name.as_str() {
                "user_id" => asked.user_id = Some(value),
                "surface" => asked.surface = Some(value),
                "limit" => asked.limit = Some(whole(Field::Limit, &value)?),
                "cursor" | "page" => asked.cursor = Some(value),
                "view" => {
                    asked.view = Some(match value.as_str() {
                        "basic" => View::Basic,
                        "full" => View::Full,
                        _ => return Err(Problem::invalid(Field::View, "must be `basic` or `full`")),
                    });
                }
                "path_prefix" => {
                    asked.filter.below = folder(&value)?;
                    asked.path_prefix = Some(value);
                }
                "depth" => {
                    asked.depth = whole(Field::Depth, &value)?;
                    if asked.depth > 1 {
                        return Err(Problem::invalid(Field::Depth, "must be 0 or 1"));
                    }
                }
                "kind" => asked.filter.kind = Some(value),
                "scope" => asked.filter.scope = Some(value),
                "source" => asked.filter.source = Some(value),
                "tag" => tags.push(value),
                "pinned" => asked.filter.pinned = Some(switch(Field::Value, &value)?),
                "include_archived" => asked.archived = switch(Field::Value, &value)?,
                "created_at[gte]" => asked.since = Some(moment(&value)?),
                "created_at[lte]" => asked.until = Some(moment(&value)?),
                "memory_id" => asked.block_id = Some(value),
                "operation" => asked.operation = Some(Operation::parse(&value)?),
                "api_key_id" => asked.by_id = Some(value),
                "forever" => asked.forever = switch(Field::Value, &value)?,
                "expected_content_sha256" => asked.expected_sha256 = Some(value),
                "expected_version" => asked.expected_version = Some(whole(Field::Version, &value)?),
                "from" => asked.from = Some(whole(Field::Version, &value)?),
                "to" => asked.to = Some(whole(Field::Version, &value)?),
                _ => {}
            }
        }
        asked.filter.tags = Tags::new(&tags)?.into_vec();
        Ok(asked)
    }
}

/// A request on blocks. The key was checked, and it may speak for the user and on the surface.
pub struct Asking {
    pub dialect: Dialect,
    pub caller: Caller,
    pub user: UserId,
    pub surface: Surface,
    pub asked: Asked,
    /// The versions that `If-Match` names.
    if_match: Option<Basis>,
}

impl FromRequestParts<Api> for Asking {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, Refusal> {
        let caller = Caller::from_request_parts(parts, api).await?;
        let Ok(dialect) = Dialect::from_request_parts(parts, api).await;
        let mut asked = Asked::read(parts.uri.query().unwrap_or_default())?;
        let named = named_user(&parts.headers)?;
        let user = caller.must_speak_for(asked.user_id.take().or(named))?;
        let surface = caller.speaks_on(asked.surface.take())?.map_or_else(|| Surface::new(SURFACE_DEFAULT), Ok)?;
        let if_match = based_on(&parts.headers).map(|based| match based {
            BasedOn::Any => Basis::Newest,
            BasedOn::Versions(versions) => Basis::Versions(versions),
        });
        Ok(Self { dialect, caller, user, surface, asked, if_match })
    }
}

fn may_name<T: PartialSchema>(name: &str, place: ParameterIn, words: &str) -> Parameter {
    ParameterBuilder::new().name(name).parameter_in(place).description(Some(words)).schema(Some(T::schema())).build()
}

/// What each of these calls may name.
impl IntoParams for Asking {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let words = "The user, if `user_id` does not name one; for clients that send the same headers always. UTF-8";
        let header = may_name::<values::UserId>("X-Keepsake-User", ParameterIn::Header, words);
        Owner::into_params(place).into_iter().chain([header]).collect()
    }
}

/// What a call that is no reading may name too.
pub enum OnSurface {}

impl IntoParams for OnSurface {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![may_name::<values::Surface>("surface", ParameterIn::Query, "The surface; absent: that of the key, or `other`")]
    }
}

impl Asking {
    pub fn hand(&self) -> Hand<'_> {
        Hand { caller: &self.caller, user: &self.user, surface: &self.surface }
    }

    /// The state that a change is based on, if the request names one.
    pub fn basis(&self, version: Option<i64>, precondition: Option<Precondition>) -> Result<Option<Basis>, Problem> {
        if let Some(basis) = &self.if_match {
            return Ok(Some(basis.clone()));
        }
        if let Some(version) = version.or(self.asked.expected_version) {
            return Ok(Some(Basis::Versions(vec![version])));
        }
        let sha256 = match precondition {
            Some(Precondition { kind, content_sha256: Some(sha256) }) if kind == "content_sha256" => Some(sha256),
            Some(_) => {
                let must = "must be {\"type\":\"content_sha256\",\"content_sha256\":…}";
                return Err(Problem::invalid(Field::Precondition, must));
            }
            None => self.asked.expected_sha256.clone(),
        };
        Ok(sha256.map(Basis::Sha256))
    }

    /// The state that a change of the text is based on. In our dialect it must be named.
    pub fn must_be_based(&self, version: Option<i64>, precondition: Option<Precondition>) -> Result<Basis, Problem> {
        match (self.basis(version, precondition)?, self.dialect) {
            (Some(basis), _) => Ok(basis),
            (None, Dialect::Theirs) => Ok(Basis::Newest),
            (None, Dialect::Ours) => Err(Problem::VersionNeeded),
        }
    }

    /// A changed block, or the one that the change was not based on.
    pub fn changed(&self, changed: BlockChangeResult, view: View) -> Response {
        match changed.done() {
            Ok(block) => {
                let tag = etag(block.version);
                ([(header::ETAG, tag)], Json(BlockItem::of(block, view))).into_response()
            }
            Err(block) => self.overtaken(*block),
        }
    }

    pub fn overtaken(&self, block: service::blocks::Block) -> Response {
        overtaken(block.version, self.if_match.is_some(), &BlockItem::of(block, View::Full))
    }

    /// How many rows a page has at the most.
    pub fn limit(&self, view: View) -> Result<u32, Problem> {
        let asked = self.asked.limit.unwrap_or(PAGE_DEFAULT);
        if !(1..=PAGE_MAX).contains(&asked) {
            return Err(Problem::invalid(Field::Limit, format!("must be a whole number from 1 to {PAGE_MAX}")));
        }
        Ok(if view == View::Full { asked.min(FULL_PAGE_MAX) } else { asked })
    }

    pub fn view(&self, default: View) -> View {
        self.asked.view.unwrap_or(default)
    }

    /// What the cursor stands for, if there is one.
    pub fn after(&self) -> Result<Option<String>, Problem> {
        let Some(cursor) = &self.asked.cursor else { return Ok(None) };
        let bytes = Some(cursor)
            .filter(|cursor| cursor.len() <= BLOCK_CURSOR_MAX_BYTES)
            .and_then(|cursor| URL_SAFE_NO_PAD.decode(cursor).ok());
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        text.map(Some).ok_or_else(no_cursor)
    }

    /// The place of a version that the cursor stands for.
    pub fn after_version(&self) -> Result<Option<VersionPlace>, Problem> {
        let Some(text) = self.after()? else { return Ok(None) };
        let place = || {
            let mut parts = text.splitn(3, ' ');
            Some((Moment(parts.next()?.parse().ok()?), parts.next()?.parse().ok()?, parts.next()?.to_owned()))
        };
        place().map(Some).ok_or_else(no_cursor)
    }
}

fn no_cursor() -> Problem {
    Problem::invalid(Field::Cursor, "must be the `next_cursor` or `next_page` of a page")
}

/// What is opaque to whoever gets it.
pub fn cursor_of(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(text)
}

/// The store that a path names.
pub fn store_of(id: String) -> StoreRef {
    if id == DEFAULT { StoreRef::Default } else { StoreRef::Id(id) }
}

/// A path that a request may leave out.
pub fn path_of(path: Option<String>) -> Result<Option<BlockPath>, Problem> {
    path.map(BlockPath::new).transpose()
}
