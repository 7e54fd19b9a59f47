//! The recall inspector for the console's calls.

pub(crate) mod words;

use self::words::{RecallNeeds, advice, prospect, sentence, verdict};
use leptos::prelude::use_context;

use crate::inspect::shapes::{AskedBy, Explanation, FactProspect, InspectForm, Inspector, Miss, ScoredItem};
use crate::notice::Refused;
use crate::server::{PostedForm, SignedIn, outward, say};
use domain::access::rights::Right;
use domain::facts::admission::LeftOut;
use domain::facts::promotion::PromoteAt;
use domain::facts::provenance::{Origin, OriginFilter, Surface};
use domain::insight::days::day_iso;
use domain::memory::MemoryKind;
use domain::moment::Moment;
use domain::problem::{Faults, Field, Problem};
use service;
use service::error::noted;
use service::recall::explain::Explained;
use service::recall::{self, Item, Query};
use service::recall::{MissedFact, MissedMemory};

/// The result of a posted question; it is asked and logged only once.
pub(crate) type Outcome = Result<Explanation, Problem>;

/// The surface in a form that is not filled in yet.
const FIRST_SURFACE: &str = "web";

/// `fact`: the fact that the page’s link asks about; empty: none.
pub async fn inspector(operator: &SignedIn, fact: String) -> Result<Inspector, Refused> {
    let posted = use_context::<PostedForm>();
    let asked = posted.as_ref().map_or_else(|| InspectForm { fact, ..blank() }, read);
    let about = asked_about(operator, &asked.fact).await?;
    let outcome = match &posted {
        Some(form) => {
            let clock = operator.console.keepsake.clock.as_ref();
            let explained =
                form.0.explained.get_or_init(async || explain(operator, &asked).await.map_err(|error| error.outward(clock)));
            Some(explained.await.clone().map_err(|problem| say(problem).0))
        }
        None => None,
    };
    Ok(Inspector { asked, outcome, about, may_manage: operator.viewer.may(Right::Manage) })
}

async fn asked_about(operator: &SignedIn, id: &str) -> Result<Option<FactProspect>, Refused> {
    if id.is_empty() {
        return Ok(None);
    }
    let keepsake = &operator.console.keepsake;
    let fact = outward(&operator.console, keepsake.facts.fact(&operator.viewer, id).await)?;
    let prospect = prospect(&fact, &keepsake.settings.current(), keepsake.clock.now());
    Ok(Some(FactProspect { id: fact.id, content: fact.content, prospect }))
}

async fn explain(operator: &SignedIn, asked: &InspectForm) -> service::Result<Explanation> {
    let keepsake = &operator.console.keepsake;
    let manager = if asked.asked_by == AskedBy::User { Some(operator.viewer.manager()?) } else { None };
    let mut faults = Faults::new();
    let surface = faults.note(Surface::new(asked.surface.as_str()));
    let query = Query {
        k: faults.note(number(&asked.k, Field::K)).flatten(),
        budget: faults.note(number(&asked.budget, Field::Budget)).flatten(),
        as_of: faults.note(as_of(&asked.as_of)).flatten(),
        kinds: asked.kinds.iter().map(|kind| MemoryKind::parse(kind)).collect::<Result<_, _>>()?,
        origins: if asked.origin.is_empty() { None } else { Some(OriginFilter::Only(vec![Origin::parse(&asked.origin)?])) },
        signed_in: asked.asked_by == AskedBy::Anyone,
        about: Some(asked.fact.clone()).filter(|id| !id.is_empty()),
        ..Query::new(None, surface.map_or_else(|| Surface::new(FIRST_SURFACE), Ok)?, asked.question.as_str())
    };
    for fault in recall::faults(&query, keepsake.clock.now()) {
        faults.add(fault);
    }
    let subject = match manager {
        Some(_) => noted(&mut faults, keepsake.reader.asked_about(&asked.user, &asked.reason).await)?,
        None => None,
    };
    faults.settle()?;
    let explained = match manager.zip(subject) {
        None => keepsake.recall.explain(&operator.viewer, &query).await?,
        Some((manager, (user, reason))) => keepsake.recall.explain_as_user(manager, &user, &reason, &query).await?,
    };
    let settings = keepsake.settings.current();
    Ok(shown(explained, asked, settings.promote_contributors, settings.recall_min_confidence))
}

fn blank() -> InspectForm {
    let empty = String::new;
    InspectForm {
        question: empty(),
        surface: FIRST_SURFACE.to_owned(),
        asked_by: AskedBy::default(),
        user: empty(),
        reason: empty(),
        k: empty(),
        origin: empty(),
        budget: empty(),
        as_of: empty(),
        kinds: Vec::new(),
        fact: empty(),
    }
}

fn read(posted: &PostedForm) -> InspectForm {
    let field = |name| posted.field(name).trim().to_owned();
    let user = field("user");
    let named = AskedBy::ALL.into_iter().find(|who| who.as_str() == field("asked_by"));
    InspectForm {
        question: posted.field("question"),
        surface: field("surface"),
        // A form that names only a user means that user.
        asked_by: named.unwrap_or(if user.is_empty() { AskedBy::Anyone } else { AskedBy::User }),
        user,
        reason: field("reason"),
        k: field("k"),
        origin: field("origin"),
        budget: field("budget"),
        as_of: field("as_of"),
        kinds: posted.every("kinds"),
        fact: field("fact"),
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

fn shown(explained: Explained, asked: &InspectForm, promote_at: PromoteAt, floor: f64) -> Explanation {
    let sentence = sentence(&explained, &asked.surface, asked.asked_by, floor);
    let about = (!asked.fact.is_empty()).then(|| {
        let place = explained.answer.global.iter().position(|item| item.id == asked.fact).map(|place| place + 1);
        let missed = explained.about.clone();
        let told = missed.clone().map(|missed| fact(missed, asked, explained.global_k, promote_at, floor));
        let left_out = missed.as_ref().zip(told.as_ref()).map(|(missed, told)| (missed, told.why.as_str(), told.change.as_str()));
        verdict(place, left_out, &explained, &asked.surface, asked.asked_by)
    });
    let Explained { answer, personal_k, global_k, missed_personal, missed_global, .. } = explained;
    let items = |items: Vec<Item>, fact: bool| -> Vec<ScoredItem> {
        let scored = |Item { id, content, at, parts, legs, .. }: Item| {
            let found_by = legs.iter().map(|leg| leg.label()).collect::<Vec<_>>().join(", ");
            ScoredItem { id, content, day: day(at), parts, found_by, fact }
        };
        items.into_iter().map(scored).collect()
    };
    let (prompt, prompt_tokens) = (answer.prompt, answer.prompt_tokens);
    let personal = (asked.asked_by == AskedBy::User).then(|| items(answer.personal, false));
    let missed = missed_personal
        .into_iter()
        .map(|missed| memory(missed, personal_k))
        .chain(missed_global.into_iter().map(|missed| fact(missed, asked, global_k, promote_at, floor)))
        .collect();
    let global = items(answer.global, true);
    Explanation { sentence, about, personal, global, missed, personal_k, global_k, prompt_tokens, prompt }
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

/// Reason and remedy for an item ranked beyond `k`.
fn beyond(place: usize, k: u32) -> (String, String) {
    (format!("Ranked {place}; the maximum is {k}"), format!("Raising maximum results to {place}."))
}

/// Reason and remedy for an item that the question itself excludes, or that another item represents.
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

fn fact(missed: MissedFact, asked: &InspectForm, k: u32, promote_at: PromoteAt, floor: f64) -> Miss {
    let settings = |anchor: &str| Some(format!("/manage/settings#{anchor}"));
    let page = Some(format!("/manage/facts/{}", missed.item.id));
    let (why, change, place) = match missed.why {
        LeftOut::Rejected => ("Rejected".to_owned(), "Re-opening and approving it.".to_owned(), page),
        LeftOut::Pending => {
            ("Pending".to_owned(), waiting(&missed).words(promote_at), Some(format!("/review/{}", missed.item.id)))
        }
        LeftOut::SurfaceOff => (
            format!("Team facts are off on {}", asked.surface),
            "Turning that surface on in Settings.".to_owned(),
            settings("recall"),
        ),
        LeftOut::AnonymousOff => (
            "Team facts are off for people who are not signed in".to_owned(),
            "Asking as a signed-in user, or turning anonymous calls on.".to_owned(),
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

fn waiting(missed: &MissedFact) -> RecallNeeds {
    RecallNeeds {
        contributors: missed.contributors,
        contradicted: missed.contradicted,
        approval_is_enough: missed.approval_is_enough,
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
