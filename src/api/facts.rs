//! Team facts: propose one, list the approved ones.

use axum::Json;
use axum::extract::{RawQuery, State};

use super::Api;
use super::reply::{Answer, Posted};
use super::wire::{self, FactItem, Listed, ProposeAnswer, ProposeRequest, limit};
use crate::access::callers::Caller;
use crate::domain::fact::{Candidate, FactKind};
use crate::domain::memory::{Content, Importance};
use crate::domain::problem::{Field, Problem};
use crate::domain::provenance::{Origin, Surface};
use crate::service::{FactFilter, Page, TextFilter};

/// Longest search in characters, as in the console.
pub const QUERY_MAX_CHARS: usize = 200;
/// The surface of a proposal that names none.
const SURFACE_DEFAULT: &str = "other";

/// Proposes a fact. It waits in the quarantine until people agree.
#[utoipa::path(post, path = "/v1/facts", operation_id = "propose_fact", request_body = ProposeRequest, security(("key" = ["write"])),
    responses((status = 200, body = ProposeAnswer, description = "What became of it"),
        (status = 409, description = "`erasure_running`"), (status = 422),
        (status = 429, description = "`rate_limited`: too many requests, or too many pending facts of one user or key on one day")))]
pub async fn propose(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<ProposeRequest>,
) -> Answer<Json<ProposeAnswer>> {
    let user = caller.speaks_for(value.user_id)?;
    let surface = caller.speaks_on(value.surface)?.map_or_else(|| Surface::new(SURFACE_DEFAULT), Ok)?;
    let candidate = Candidate {
        origin: value.origin.as_deref().map_or(Ok(Origin::User), Origin::parse)?,
        kind: FactKind::parse(&value.kind)?,
        content: Content::new(&value.content)?,
        importance: value.importance.map_or(Ok(Importance::DEFAULT), Importance::new)?,
    };
    let proposed = api.outward(api.keepsake.propose(&caller, user.as_ref(), &surface, &candidate).await)?;
    Ok(Json(ProposeAnswer::of(proposed, api.keepsake.clock.now())?))
}

/// Approved facts, oldest first.
#[utoipa::path(get, path = "/v1/facts", operation_id = "list_facts", security(("key" = ["read"])),
    params(("origin" = Option<Vec<String>>, Query), ("kind" = Option<Vec<String>>, Query), ("q" = Option<String>, Query),
        ("limit" = Option<u32>, Query), ("cursor" = Option<String>, Query)),
    responses((status = 200, body = Listed<FactItem>, description = "A page of facts"), (status = 422)))]
pub async fn list(State(api): State<Api>, caller: Caller, RawQuery(query): RawQuery) -> Answer<Json<Listed<FactItem>>> {
    let (filter, cursor, asked) = read(query.as_deref().unwrap_or_default())?;
    let limit = limit(asked)?;
    let now = api.keepsake.clock.now();
    let page = Page { after: cursor, limit: limit + 1 };
    let facts = api.outward(api.keepsake.approved_facts(&caller, caller.bound_to(), filter, &page).await)?;
    Ok(Json(Listed::page(facts.into_iter().map(|fact| FactItem::at(fact, now)).collect(), limit, |item| item.id.clone())))
}

/// Parses a query string in which `origin` and `kind` may be repeated.
fn read(query: &str) -> Result<(FactFilter, Option<String>, Option<u32>), Problem> {
    let mut filter = FactFilter::default();
    let (mut cursor, mut limit) = (None, None);
    let pairs: Vec<(String, String)> =
        serde_urlencoded::from_str(query).map_err(|error| Problem::Malformed { detail: error.to_string() })?;
    for (name, value) in pairs {
        match name.as_str() {
            "origin" => filter.origins.push(Origin::parse(&value)?),
            "kind" => filter.kinds.push(FactKind::parse(&value)?),
            "q" if value.chars().count() > QUERY_MAX_CHARS => {
                return Err(Problem::invalid(Field::Query, format!("must be {QUERY_MAX_CHARS} characters or fewer")));
            }
            "q" => filter.search = (!value.trim().is_empty()).then_some(TextFilter::Words(value)),
            "cursor" => cursor = wire::cursor(Some(value))?,
            "limit" => {
                limit = Some(value.parse().map_err(|_| Problem::invalid(Field::Limit, "must be a whole number from 1 to 200"))?);
            }
            _ => {}
        }
    }
    Ok((filter, cursor, limit))
}
