//! A user's notes, what should be looked at again, and the block for a prompt.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use super::Api;
use super::chat_wire::{All, KeptAnswer, NoteItem, NoteRequest, NotesReportAnswer, PromptAnswer, kept};
use super::limits::INCLUDE_MAX_BYTES;
use super::reply::{Answer, Named, Owner, Posted, QueryString};
use super::values::{ItemId, PromptPartList, Surface};
use access::callers::Caller;
use domain::chat::notes::NOTES_KEPT;
use domain::memory::Content;
use domain::problem::{Field, Problem};
use service::chat::user_prompt::PromptParts;

#[derive(Deserialize)]
pub struct PromptParams {
    surface: Option<String>,
    include: Option<String>,
}

/// Saves a note as it is. Of more than 50 the oldest falls out.
#[utoipa::path(post, path = "/v1/notes", operation_id = "add_note", security(("key" = ["write"])),
    request_body(content = NoteRequest,
        example = json!({"user_id": "u1", "surface": "web", "content": "The wifi is on the second floor"})),
    responses((status = 201, body = KeptAnswer, description = "Saved"), (status = 200, body = KeptAnswer, description = "Known already"),
        (status = 409, description = "`erasure_running`"), (status = 422)))]
pub async fn add(
    State(api): State<Api>,
    caller: Caller,
    Posted { value, .. }: Posted<NoteRequest>,
) -> Answer<(StatusCode, Json<KeptAnswer>)> {
    let user = caller.must_speak_for(value.user_id)?;
    let (surface, content) = (caller.must_speak_on(value.surface)?, Content::new(&value.content)?);
    Ok(kept(&api.outward(api.keepsake.chat.add_note(&caller, &user, &surface, &content).await)?))
}

/// A user's notes, oldest first.
#[utoipa::path(get, path = "/v1/notes", operation_id = "list_notes", security(("key" = ["read"])),
    params(Owner),
    responses((status = 200, body = All<NoteItem>, description = "All of them"), (status = 422)))]
pub async fn list(State(api): State<Api>, Owner { caller, user }: Owner) -> Answer<Json<All<NoteItem>>> {
    let notes = api.outward(api.keepsake.chat.notes(&caller, &user).await)?;
    let max = u32::try_from(NOTES_KEPT).unwrap_or(u32::MAX);
    Ok(Json(All { items: notes.into_iter().map(NoteItem::from).collect(), max }))
}

/// Deletes one note.
#[utoipa::path(delete, path = "/v1/notes/{id}", operation_id = "delete_note", security(("key" = ["write"])),
    params(("id" = ItemId, Path), Owner),
    responses((status = 204, description = "Deleted"), (status = 404), (status = 422)))]
pub async fn delete(State(api): State<Api>, Owner { caller, user }: Owner, Named(id): Named) -> Answer<StatusCode> {
    api.outward(api.keepsake.chat.delete_note(&caller, &user, &id).await)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Notes that no prompt has had for long, that say what another says, or that would be refused today.
#[utoipa::path(get, path = "/v1/notes/report", operation_id = "notes_report", security(("key" = ["read"])),
    params(Owner),
    responses((status = 200, body = NotesReportAnswer, description = "The notes by what is wrong with them"), (status = 422)))]
pub async fn report(State(api): State<Api>, Owner { caller, user }: Owner) -> Answer<Json<NotesReportAnswer>> {
    Ok(Json(api.outward(api.keepsake.chat.notes_report(&caller, &user).await)?.into()))
}

/// The text for a prompt: the profile, the newest 20 notes, the preferences that hold on this surface, and the pinned memory blocks.
#[utoipa::path(get, path = "/v1/prompt/notes", operation_id = "prompt_notes", security(("key" = ["read"])),
    params(Owner, ("surface" = Option<Surface>, Query), ("include" = Option<PromptPartList>, Query)),
    responses((status = 200, body = PromptAnswer, description = "The text"), (status = 422)))]
pub async fn prompt(
    State(api): State<Api>,
    Owner { caller, user }: Owner,
    QueryString(asked): QueryString<PromptParams>,
) -> Answer<Json<PromptAnswer>> {
    let surface = caller.must_speak_on(asked.surface)?;
    let parts = parts(asked.include.as_deref())?;
    let prompt = api.outward(api.keepsake.chat.prompt_of_told(&caller, &user, &surface, parts).await)?;
    Ok(Json(PromptAnswer { prompt }))
}

fn parts(include: Option<&str>) -> Result<PromptParts, Problem> {
    let Some(include) = include else { return Ok(PromptParts { profile: true, notes: true, preferences: true, blocks: true }) };
    if include.len() > INCLUDE_MAX_BYTES {
        return Err(Problem::invalid(Field::Include, format!("must be {INCLUDE_MAX_BYTES} bytes or fewer")));
    }
    let mut parts = PromptParts { profile: false, notes: false, preferences: false, blocks: false };
    for name in include.split(',') {
        match name.trim() {
            "profile" => parts.profile = true,
            "notes" => parts.notes = true,
            "preferences" => parts.preferences = true,
            "blocks" => parts.blocks = true,
            _ => {
                let must = "must name profile, notes, preferences or blocks, with commas between";
                return Err(Problem::invalid(Field::Include, must));
            }
        }
    }
    Ok(parts)
}
