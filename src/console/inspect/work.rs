//! The recall inspector for the console's calls.

use leptos::prelude::use_context;

use crate::console::inspect::call::{Explanation, Form, Inspector, Miss, ScoredItem};
use crate::console::notice::Refused;
use crate::console::server::{PostedForm, SignedIn, say};
use crate::domain::admission::LeftOut;
use crate::domain::confidence::Remedy;
use crate::domain::days::day_iso;
use crate::domain::memory::MemoryKind;
use crate::domain::moment::Moment;
use crate::domain::people::UserId;
use crate::domain::problem::{Field, Problem};
use crate::domain::promotion::PromoteAt;
use crate::domain::provenance::{Origin, OriginFilter, Surface};
use crate::domain::rights::Right;
use crate::service;
use crate::service::explain::{Explained, MissedFact, MissedMemory};
use crate::service::recall::{Item, Query};

/// The result of a posted question; it is asked and logged only once.
pub(crate) type Outcome = Result<Explanation, Problem>;

/// The surface in a form that is not filled in yet.
const FIRST_SURFACE: &str = "web";

impl SignedIn {
    pub async fn inspector(self) -> Result<Inspector, Refused> {
        let posted = use_context::<PostedForm>();
        let asked = posted.as_ref().map_or_else(blank, read);
        let outcome = match &posted {
            Some(form) => {
                let clock = self.console.keepsake.clock.as_ref();
                let explained =
                    form.0.explained.get_or_init(async || self.explain(&asked).await.map_err(|error| error.outward(clock)));
                Some(explained.await.clone().map_err(|problem| say(problem).0))
            }
            None => None,
        };
        Ok(Inspector { asked, outcome, may_manage: self.viewer.may(Right::Manage) })
    }

    async fn explain(&self, asked: &Form) -> service::Result<Explanation> {
        let keepsake = &self.console.keepsake;
        let query = Query {
            k: number(&asked.k, Field::K)?,
            budget: number(&asked.budget, Field::Budget)?,
            as_of: as_of(&asked.as_of)?,
            kinds: asked.kinds.iter().map(|kind| MemoryKind::parse(kind)).collect::<Result<_, _>>()?,
            origins: if asked.origin.is_empty() { None } else { Some(OriginFilter::Only(vec![Origin::parse(&asked.origin)?])) },
            ..Query::new(None, Surface::new(asked.surface.as_str())?, asked.question.as_str())
        };
        let explained = if asked.user.is_empty() {
            keepsake.explain(&self.viewer, &query).await?
        } else {
            let manager = self.viewer.manager()?;
            let user = UserId::new(asked.user.as_str())?;
            let reason = keepsake.reason(&asked.reason, &user).await?;
            keepsake.explain_as_user(manager, &user, &reason, &query).await?
        };
        let settings = keepsake.settings();
        Ok(shown(explained, asked, settings.promote_contributors, settings.recall_min_confidence))
    }
}

fn blank() -> Form {
    let empty = String::new;
    Form {
        question: empty(),
        surface: FIRST_SURFACE.to_owned(),
        user: empty(),
        reason: empty(),
        k: empty(),
        origin: empty(),
        budget: empty(),
        as_of: empty(),
        kinds: Vec::new(),
    }
}

fn read(posted: &PostedForm) -> Form {
    let field = |name| posted.field(name).trim().to_owned();
    Form {
        question: posted.field("question"),
        surface: field("surface"),
        user: field("user"),
        reason: field("reason"),
        k: field("k"),
        origin: field("origin"),
        budget: field("budget"),
        as_of: field("as_of"),
        kinds: posted.every("kinds"),
    }
}

fn number(text: &str, field: Field) -> Result<Option<u32>, Problem> {
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| Problem::invalid(field, "must be a whole number"))
}

/// A time as a browser sends it, which leaves out seconds that are zero, or as the API takes it.
fn as_of(text: &str) -> Result<Option<Moment>, Problem> {
    if text.is_empty() {
        return Ok(None);
    }
    let written = [text.to_owned(), format!("{text}Z"), format!("{text}:00Z")];
    let at = written.iter().find_map(|text| Moment::parse(text)).map(Moment::end_of_second);
    at.map(Some).ok_or_else(|| Problem::invalid(Field::AsOf, "must be a date and a time such as 2026-11-01T10:00"))
}

fn shown(explained: Explained, asked: &Form, promote_at: PromoteAt, floor: f64) -> Explanation {
    let Explained { answer, personal_k, global_k, missed_personal, missed_global } = explained;
    let items = |items: Vec<Item>, fact: bool| -> Vec<ScoredItem> {
        let scored = |Item { id, content, at, parts, legs, .. }: Item| {
            let found_by = legs.iter().map(|leg| leg.label()).collect::<Vec<_>>().join(", ");
            ScoredItem { id, content, day: day(at), parts, found_by, fact }
        };
        items.into_iter().map(scored).collect()
    };
    let prompt_tokens = answer.prompt_tokens;
    let personal = (!asked.user.is_empty()).then(|| items(answer.personal, false));
    let missed = missed_personal
        .into_iter()
        .map(|missed| memory(missed, personal_k))
        .chain(missed_global.into_iter().map(|missed| fact(missed, asked, global_k, promote_at, floor)))
        .collect();
    Explanation { personal, global: items(answer.global, true), missed, personal_k, global_k, prompt_tokens }
}

fn memory(missed: MissedMemory, k: u32) -> Miss {
    let MissedMemory { item: Item { id, content, at, parts, place, .. }, why: left_out, twin } = missed;
    let (why, change) = condition(left_out, twin.as_deref()).unwrap_or_else(|| beyond(place, k));
    Miss {
        hit: ScoredItem { id, content, day: day(at), parts, found_by: String::new(), fact: false },
        code: code(left_out),
        why,
        change,
        place: None,
    }
}

fn day(at: Option<Moment>) -> String {
    at.map(day_iso).unwrap_or_default()
}

/// For what is beyond k.
fn beyond(place: usize, k: u32) -> (String, String) {
    (format!("Ranked {place}; the maximum is {k}"), format!("Raising maximum results to {place}."))
}

/// For what the question itself leaves out, or another item stands for.
fn condition(why: LeftOut, twin: Option<&str>) -> Option<(String, String)> {
    let (why, change) = match why {
        LeftOut::NearDuplicate => {
            (format!("Says the same as {}", twin.unwrap_or("another item")), "Nothing: one of the two stands for both.")
        }
        LeftOut::Relevance => {
            ("Not similar enough to the question".to_owned(), "A question that names it, or a lower cut-off in Settings.")
        }
        LeftOut::Greeting => ("A greeting or thanks recalls nothing".to_owned(), "A question."),
        LeftOut::Budget => ("There is no room for it in the prompt".to_owned(), "A larger budget."),
        LeftOut::AsOf => ("Not known at that time".to_owned(), "A question about a later time."),
        LeftOut::Kind => ("The question wants other kinds".to_owned(), "A question that wants this kind too."),
        LeftOut::Tags => ("The question wants other tags".to_owned(), "A question that wants its tags too."),
        LeftOut::Rejected
        | LeftOut::Pending
        | LeftOut::SurfaceOff
        | LeftOut::AnonymousOff
        | LeftOut::Origin
        | LeftOut::BelowFloor
        | LeftOut::BeyondK => return None,
    };
    Some((why, change.to_owned()))
}

fn fact(missed: MissedFact, asked: &Form, k: u32, promote_at: PromoteAt, floor: f64) -> Miss {
    let settings = |anchor: &str| Some(format!("/manage/settings#{anchor}"));
    let page = Some(format!("/manage/facts/{}", missed.item.id));
    let (why, change, place) = match missed.why {
        LeftOut::Rejected => ("Rejected".to_owned(), "Re-opening and approving it.".to_owned(), page),
        LeftOut::Pending => ("Pending".to_owned(), pending(&missed, promote_at), Some(format!("/review/{}", missed.item.id))),
        LeftOut::SurfaceOff => (
            format!("Team facts are off on {}", asked.surface),
            "Turning that surface on in Settings.".to_owned(),
            settings("recall"),
        ),
        LeftOut::AnonymousOff => (
            "Anonymous calls are off".to_owned(),
            "Asking as a user, or turning anonymous calls on.".to_owned(),
            settings("recall"),
        ),
        LeftOut::Origin => (
            format!("Its origin is {}", missed.item.origin.map_or("unknown", Origin::label)),
            "A question that does not leave that origin out.".to_owned(),
            None,
        ),
        LeftOut::BelowFloor => (
            format!("Confidence {:.2} is below the floor of {floor:.2}", missed.confidence),
            advice(&missed.remedies),
            settings("thresholds"),
        ),
        LeftOut::BeyondK => {
            let (why, change) = beyond(missed.place.unwrap_or_default(), k);
            (why, change, settings("recall-size"))
        }
        LeftOut::Relevance => {
            let (why, change) = condition(missed.why, None).unwrap_or_default();
            (why, change, settings("thresholds"))
        }
        LeftOut::NearDuplicate | LeftOut::Greeting | LeftOut::Budget | LeftOut::AsOf | LeftOut::Kind | LeftOut::Tags => {
            let (why, change) = condition(missed.why, missed.twin.as_deref()).unwrap_or_default();
            (why, change, None)
        }
    };
    let MissedFact { item: Item { id, content, parts, .. }, why: left_out, .. } = missed;
    let hit = ScoredItem { id, content, day: String::new(), parts, found_by: String::new(), fact: true };
    Miss { hit, code: code(left_out), why, change, place }
}

/// What would get a fact over the floor, one thing at a time.
fn advice(remedies: &[Remedy]) -> String {
    let words = remedies.iter().map(|remedy| match remedy {
        Remedy::Settle => "Settling its contradiction",
        Remedy::Voice => "Another contributor",
        Remedy::Approval => "An operator’s approval",
    });
    let words: Vec<&str> = words.collect();
    match words.as_slice() {
        [] => "A lower floor; nothing else alone is enough.".to_owned(),
        [one] => format!("{one}, or a lower floor."),
        [first, rest @ ..] => {
            let rest: Vec<String> = rest.iter().map(|words| lower(words)).collect();
            format!("{first}, {}, or a lower floor.", rest.join(", "))
        }
    }
}

fn lower(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

fn pending(missed: &MissedFact, promote_at: PromoteAt) -> String {
    match promote_at {
        _ if missed.contradicted && !missed.approval_is_enough => {
            "Resolving its contradiction, then approving it: approved as it is, it would stay below the floor.".to_owned()
        }
        _ if !missed.approval_is_enough => "Approving it and another contributor: neither alone is enough.".to_owned(),
        _ if missed.contradicted => "An operator’s approval: a contradiction is never promoted by count.".to_owned(),
        Some(needed) if missed.contributors < needed => {
            let more = needed - missed.contributors;
            let people = if more == 1 { "contributor" } else { "contributors" };
            format!("Approving it, or {more} more {people}.")
        }
        _ => "Approving it.".to_owned(),
    }
}

fn code(why: LeftOut) -> String {
    match why {
        LeftOut::Rejected => "rejected",
        LeftOut::Pending => "pending",
        LeftOut::SurfaceOff => "surface_off",
        LeftOut::AnonymousOff => "anonymous_off",
        LeftOut::Origin => "origin",
        LeftOut::BelowFloor => "below_floor",
        LeftOut::Relevance => "relevance",
        LeftOut::Greeting => "greeting",
        LeftOut::BeyondK => "beyond_k",
        LeftOut::NearDuplicate => "near_duplicate",
        LeftOut::Budget => "budget",
        LeftOut::AsOf => "as_of",
        LeftOut::Kind => "kind",
        LeftOut::Tags => "tags",
    }
    .to_owned()
}
