//! Team facts: propose one, list the approved ones.

use axum::Json;
use axum::extract::State;

use super::Api;
use super::reply::{Answer, Pairs, Posted};
use super::values::{FactCursor, FactKindList, OriginList, PageLimit, SearchWords};
use super::wire::{FactItem, Listed, ProposeAnswer, ProposeRequest, cursor, limit};
use access::callers::Caller;
use domain::facts::fact::{Candidate, FactKind};
use domain::facts::provenance::{Origin, Surface};
use domain::memory::{Content, Importance};
use domain::problem::Problem;
use service::{FactFilter, Page, TextFilter};

/// The surface of a proposal that names none.
const SURFACE_DEFAULT: &str = "other";

/// Proposes a fact. It waits in the quarantine until people agree.
#[utoipa::path(post, path = "/v1/facts", operation_id = "propose_fact", security(("key" = ["write"])),
    request_body(content = ProposeRequest, example = json!({"user_id": "u1", "kind": "fact",
        "content": "The staging database is reset every Sunday night", "surface": "web"})),
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
    let proposed = api.outward(api.keepsake.proposals.propose(&caller, user.as_ref(), &surface, &candidate).await)?;
    Ok(Json(ProposeAnswer::of(proposed, api.keepsake.clock.now())?))
}

/// Approved facts, oldest first.
#[utoipa::path(get, path = "/v1/facts", operation_id = "list_facts", security(("key" = ["read"])),
    params(("origin" = Option<OriginList>, Query), ("kind" = Option<FactKindList>, Query), ("q" = Option<SearchWords>, Query),
        ("limit" = Option<PageLimit>, Query), ("cursor" = Option<FactCursor>, Query)),
    responses((status = 200, body = Listed<FactItem>, description = "A page of facts"), (status = 422)))]
pub async fn list(State(api): State<Api>, caller: Caller, asked: Pairs) -> Answer<Json<Listed<FactItem>>> {
    let limit = limit(asked.limit()?)?;
    let now = api.keepsake.clock.now();
    let page = Page { after: cursor(asked.last("cursor"))?, limit: limit + 1 };
    let facts = api.outward(api.keepsake.facts.approved_facts(&caller, caller.bound_to(), filter(&asked)?, &page).await)?;
    Ok(Json(Listed::page(facts.into_iter().map(|fact| FactItem::at(fact, now)).collect(), limit, |item| item.id.clone())))
}

/// Which facts are asked for.
fn filter(asked: &Pairs) -> Result<FactFilter, Problem> {
    let words = asked.last("q").filter(|words| !words.trim().is_empty());
    Ok(FactFilter {
        origins: asked.all("origin").iter().map(|name| Origin::parse(name)).collect::<Result<_, _>>()?,
        kinds: asked.all("kind").iter().map(|name| FactKind::parse(name)).collect::<Result<_, _>>()?,
        search: words.map(TextFilter::Words),
        ..FactFilter::default()
    })
}
