//! Accepting exchanges, and their status.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};

use super::Api;
use super::forget_wire::Confirm;
use super::limits::IDEMPOTENCY_KEY_MAX_BYTES;
use super::reply::{Answer, Named, Posted};
use super::values::{IdempotencyKey, ItemId};
use super::wire::{AcceptedExchange, ExchangeRecord, ExchangeState};
use access::callers::Caller;
use domain::problem::{Field, Problem};
use service::learning::inbox::{Idempotency, to_confirm};

/// Accepts an exchange. It is durable when this answers, and learned in the background.
#[utoipa::path(post, path = "/v1/exchanges", operation_id = "send_exchange", security(("key" = ["write"])),
    request_body(content = ExchangeRecord, example = json!({"user_id": "u1", "surface": "web", "thread": "t1",
        "user": "Remember that I work mostly on the iOS app.", "assistant": "Noted."})),
    params(("Idempotency-Key" = Option<IdempotencyKey>, Header)),
    responses((status = 202, body = AcceptedExchange, description = "Durable; its id"),
        (status = 409, description = "`idempotency_mismatch`, or `erasure_running`"), (status = 422)))]
pub async fn accept(
    State(api): State<Api>,
    caller: Caller,
    headers: HeaderMap,
    mut posted: Posted<ExchangeRecord>,
) -> Answer<(StatusCode, Json<AcceptedExchange>)> {
    let user = caller.speaks_for(posted.value.user_id.clone())?;
    posted.value.surface = Some(caller.must_speak_on(posted.value.surface)?.as_str().to_owned());
    let exchange = posted.value.into_exchange(user, api.keepsake.clock.now())?;
    let idempotency = idempotency_key(&headers)?.map(|key| Idempotency { key, body: &posted.bytes });
    let taken = api.outward(api.keepsake.inbox.accept(&caller, exchange, idempotency).await)?;
    Ok((StatusCode::ACCEPTED, Json(AcceptedExchange { id: taken.id, confirm: taken.to_forget.map(Confirm::of) })))
}

/// The status of an exchange; available for a day after it was learned.
#[utoipa::path(get, path = "/v1/exchanges/{id}", operation_id = "exchange_state", params(("id" = ItemId, Path)),
    security(("key" = ["read"])), responses((status = 200, body = ExchangeState, description = "Its status"), (status = 404)))]
pub async fn state(State(api): State<Api>, caller: Caller, Named(id): Named) -> Answer<Json<ExchangeState>> {
    let state = api.outward(api.keepsake.inbox.exchange_state(&caller, &id).await)?;
    let confirm = to_confirm(&state).map(Confirm::of);
    Ok(Json(ExchangeState { id, status: state.status.as_str(), reason: state.reason, confirm }))
}

fn idempotency_key(headers: &HeaderMap) -> Result<Option<&str>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let key = value
        .to_str()
        .ok()
        .filter(|key| key.bytes().all(|byte| byte.is_ascii_graphic()) && (1..=IDEMPOTENCY_KEY_MAX_BYTES).contains(&key.len()));
    key.map(Some).ok_or_else(|| Problem::invalid(Field::Id, "in Idempotency-Key must be 1 to 255 visible ASCII characters"))
}
