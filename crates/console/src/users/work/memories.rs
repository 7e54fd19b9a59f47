//! One of a user's memories, for the console's calls. Its text leaves this file only for a page that was posted to show it; the
//! input is returned only in the page that answers the post.

use leptos::prelude::use_context;

use crate::notice::Refused;
use crate::server::dates;
use crate::server::{PostedForm, SignedIn, outward, say};
use crate::users::shapes::{MemoryFields, MemoryOutcome, MemoryPage, PastWording};
use crate::users::work::{known, record, record_head, row};
use domain::erasure::people::UserId;
use domain::masking::mask;
use domain::memory::tags::Tags;
use domain::memory::{Content, Importance, MemoryKind};
use domain::moment::Moment;
use domain::problem::{Field, Problem};
use service::memories::{BasedOn, MemoryEdit, MemoryPast, Version};

/// The result of a post to the page.
#[derive(Clone)]
pub(crate) enum Posted {
    Shown(Box<MemoryPast>),
    Done(MemoryOutcome),
    /// With the input, if there was any.
    Refused(Problem, Option<MemoryFields>),
}

pub async fn memory(operator: &SignedIn, user: &str, id: &str) -> Result<MemoryPage, Refused> {
    let user = known(user)?;
    let keepsake = &operator.console.keepsake;
    let posted = match use_context::<PostedForm>() {
        Some(form) => Some(form.0.memory.get_or_init(|| post_memory(operator, &form, &user, id)).await.clone()),
        None => None,
    };
    let (past, outcome, fields, shown) = match posted {
        Some(Posted::Shown(past)) => (Some(*past), None, None, true),
        Some(Posted::Done(outcome)) => (None, Some(outcome), None, false),
        Some(Posted::Refused(problem, fields)) => {
            say(problem.clone());
            (None, Some(MemoryOutcome::Refused(problem)), fields, false)
        }
        None => (None, None, None, false),
    };
    let past = match past {
        Some(past) => past,
        None => outward(&operator.console, keepsake.memories.masked_memory(&operator.viewer, &user, id).await)?,
    };
    let record = record(operator, &user).await?;
    let MemoryPast { memory, versions } = past;
    let fields = if shown { Some(fields_of(&versions)) } else { fields };
    Ok(MemoryPage {
        head: record_head(operator, &record),
        version: memory.version,
        row: row(memory, keepsake.clock.now(), shown),
        past: versions.into_iter().map(|version| wording(version, shown)).collect(),
        outcome,
        fields,
        shown,
    })
}

async fn post_memory(operator: &SignedIn, form: &PostedForm, user: &UserId, id: &str) -> Posted {
    let fields = (form.field("action") == "edit").then(|| MemoryFields {
        content: form.field("content"),
        kind: form.field("kind"),
        importance: form.field("importance"),
        tags: form.field("tags"),
        ends: form.field("ends"),
    });
    match do_to_memory(operator, form, fields.as_ref(), user, id).await {
        Ok(posted) => posted,
        Err(refused) => Posted::Refused(refused.0, fields),
    }
}

async fn do_to_memory(
    operator: &SignedIn,
    form: &PostedForm,
    fields: Option<&MemoryFields>,
    user: &UserId,
    id: &str,
) -> Result<Posted, Refused> {
    let (keepsake, viewer) = (&operator.console.keepsake, &operator.viewer);
    let manager = viewer.manager().map_err(say)?;
    let base = || -> Result<BasedOn, Refused> {
        let version = form.field("version").parse();
        let version =
            version.map_err(|_| say(Problem::invalid(Field::Version, "must be the number of the version that you saw")))?;
        Ok(BasedOn::Versions(vec![version]))
    };
    if let Some(fields) = fields {
        let edit = edit(fields).map_err(say)?;
        outward(&operator.console, keepsake.memories.edit_memory_in_console(viewer, manager, user, id, &base()?, &edit).await)?;
        return Ok(Posted::Done(MemoryOutcome::Edited));
    }
    if form.field("action") == "undo" {
        outward(&operator.console, keepsake.memories.undo_memory_in_console(viewer, manager, user, id, &base()?).await)?;
        return Ok(Posted::Done(MemoryOutcome::Undone));
    }
    let past = outward(&operator.console, keepsake.memories.reveal_memory(viewer, manager, user, id).await)?;
    Ok(Posted::Shown(Box::new(past)))
}

/// Parses the fields of the form.
fn edit(fields: &MemoryFields) -> Result<MemoryEdit, Problem> {
    let tags: Vec<String> = fields.tags.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    let importance = fields.importance.parse().unwrap_or_default();
    let ends = match fields.ends.trim() {
        "" => None,
        text => Some(
            Moment::parse(text)
                .ok_or_else(|| Problem::invalid(Field::ExpiresAt, "must be a time such as 2026-12-24T18:00:00Z, or empty"))?,
        ),
    };
    Ok(MemoryEdit {
        content: Some(Content::new(&fields.content)?),
        kind: Some(MemoryKind::parse(&fields.kind)?),
        importance: Some(Importance::new(importance)?),
        tags: Some(Tags::new(&tags)?),
        expires_at: Some(ends),
    })
}

/// Returns the current wording as fields of the form.
fn fields_of(versions: &[Version]) -> MemoryFields {
    let now = versions.first();
    MemoryFields {
        content: now.map(|now| now.content.clone()).unwrap_or_default(),
        kind: now.map(|now| now.kind.as_str().to_owned()).unwrap_or_default(),
        importance: now.map(|now| now.importance.get().to_string()).unwrap_or_default(),
        tags: now.map(|now| now.labels.tags.as_slice().join("\n")).unwrap_or_default(),
        ends: now.and_then(|now| now.labels.expires_at).map(Moment::rfc3339).unwrap_or_default(),
    }
}

fn wording(version: Version, shown: bool) -> PastWording {
    let tags = version.labels.tags.into_vec();
    PastWording {
        kind: version.kind,
        mask: mask(&version.content),
        text: shown.then_some(version.content),
        importance: version.importance.get(),
        at: dates::stamp(version.at),
        how: version.how.as_str().to_owned(),
        tag_count: tags.len(),
        tags: shown.then_some(tags),
    }
}
