//! Data that a user told in chats, for the console's calls. Text leaves this file only for a page that was posted to show it.

use leptos::prelude::use_context;

use crate::notice::{Notice, Refused};
use crate::server::{PostedForm, SignedIn, outward, say};
use crate::users::shapes::record_path;
use crate::users::told::shapes::{ToldPage, ToldText};
use crate::users::work::{known, record, record_head};
use domain::chat::notes::Stale;
use domain::chat::talk::Role;
use domain::erasure::people::UserId;
use domain::masking::mask;
use domain::moment::Moment;
use service::chat::chat_record::ChatRecord;
use service::chat::notes::NotesReport;

/// The rows that a post asked for, or why they are not shown.
pub(crate) type ShownTold = Result<ChatRecord, Refused>;

pub async fn told(operator: &SignedIn, user: &str) -> Result<ToldPage, Refused> {
    let user = known(user)?;
    let now = operator.console.keepsake.clock.now();
    let (told, shown) = told_rows(operator, &user).await?;
    let record = record(operator, &user).await?;
    let row = |text: String, at: Moment| ToldText {
        id: None,
        mask: mask(&text),
        text: shown.then_some(text),
        surface: None,
        role: None::<Role>,
        archived: false,
        looks: Vec::new(),
        age: now.age_since(at),
    };
    let ChatRecord { preferences, notes, audit, fields, turns } = told;
    let preferences = preferences.into_iter().map(|own| {
        let surface = own.platform.as_ref().map(|platform| platform.as_str().to_owned());
        ToldText { id: Some(own.id), surface, ..row(own.content, own.created_at) }
    });
    let notes = notes.into_iter().map(|note| ToldText {
        looks: looks(&audit, &note.id),
        id: Some(note.id),
        surface: Some(note.surface),
        ..row(note.content, note.created_at)
    });
    let fields = fields.into_iter().map(|field| row(format!("{}: {}", field.name, field.value.shown()), field.updated_at));
    let turns = turns.into_iter().map(|placed| ToldText {
        surface: Some(placed.surface),
        role: Some(placed.turn.role),
        archived: placed.archived_at.is_some(),
        ..row(placed.turn.content, placed.turn.at)
    });
    Ok(ToldPage {
        head: record_head(operator, &record),
        preferences: preferences.collect(),
        notes: notes.collect(),
        fields: fields.collect(),
        turns: turns.collect(),
        all_turns: record.held.told.turns,
        shown,
    })
}

pub async fn delete_told(operator: &SignedIn, user: &str, id: &str) -> Result<Notice, Refused> {
    let user = known(user)?;
    let manager = operator.viewer.manager().map_err(say)?;
    outward(
        &operator.console,
        operator.console.keepsake.chat.delete_from_chat_record(&operator.viewer, manager, &user, id).await,
    )?;
    leptos_axum::redirect(&format!("{}/chat", record_path(user.as_str())));
    Ok(Notice::ToldDeleted)
}

/// Returns the rows, and whether their text may be shown: a post asked for it, and the operator may see it.
async fn told_rows(operator: &SignedIn, user: &UserId) -> Result<(ChatRecord, bool), Refused> {
    let keepsake = &operator.console.keepsake;
    let Some(form) = use_context::<PostedForm>() else {
        return Ok((outward(&operator.console, keepsake.chat.masked_chat_record(&operator.viewer, user).await)?, false));
    };
    let shown = form.0.told.get_or_init(async || {
        let manager = operator.viewer.manager().map_err(say)?;
        outward(&operator.console, keepsake.chat.reveal_chat_record(&operator.viewer, manager, user).await)
    });
    Ok((shown.await.clone().map_err(|refused| say(refused.0))?, true))
}

/// Returns the reasons why a note needs a look, in words.
fn looks(audit: &NotesReport, id: &str) -> Vec<String> {
    let stale = audit.stale.iter().find(|(note, _)| note.id == id).map(|(_, why)| match why {
        Stale::NeverUsed => "In no prompt for 30 days",
        Stale::LongUnused => "In no prompt for 90 days",
    });
    let redundant = audit.redundant.iter().any(|(note, _)| note.id == id).then_some("Says what an older note says");
    let suspicious = audit.suspicious.iter().any(|(note, _)| note.id == id).then_some("Would be refused today");
    [stale, redundant, suspicious].into_iter().flatten().map(str::to_owned).collect()
}
