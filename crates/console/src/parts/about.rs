//! Data for a decision: the contradictions of a fact, the number of its contributors, and its neighbours.

use leptos::prelude::*;

use crate::parts::icon::{Icon, Icon16};
use crate::parts::meta::Meter;
use crate::parts::prose::Prose;
use crate::parts::stand::Stand;
use crate::review::shapes::{Beside, OpenedCandidate};
use crate::state::ConsoleState;
use domain::access::rights::Right;
use domain::facts::fact::FactStatus;

/// The sections of the inspector, also shown on a candidate's page.
#[component]
pub fn About(
    opened: OpenedCandidate,
    /// The page says elsewhere whether the fact would be recalled.
    #[prop(optional)]
    foretold: bool,
) -> impl IntoView {
    let OpenedCandidate {
        candidate,
        promote_at,
        confidence,
        floor,
        merges_at,
        nearest,
        against,
        outlook,
        history,
        disputes,
        prospect,
        ..
    } = opened;
    let below = confidence < floor;
    let console = expect_context::<ConsoleState>();
    let mergeable = (candidate.status == FactStatus::Pending && console.may_now(Right::Review)).then(|| candidate.id.clone());
    view! {
        {against.into_iter().map(|other| view! { <Against other mine=candidate.id.clone() disputes /> }).collect_view()}
        {(!foretold).then(|| view! { <Would id=candidate.id.clone() prospect /> })}
        <section>
            <h3>"Corroboration"</h3>
            <Meter contributors=candidate.contributors promote_at />
            <Why />
        </section>
        <section>
            <h3>"Confidence"</h3>
            <p class="confidence">
                <strong>{format!("{confidence:.2}")}</strong>
                {if below { format!("below the recall floor of {floor:.2}") } else { format!("above the recall floor of {floor:.2}") }}
            </p>
            <svg class="gauge" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect class="rail" x="0" y="2.5" width="100" height="5" rx="1" />
                <rect class="fill" x="0" y="2.5" width=format!("{:.1}", confidence * 100.0) height="5" rx="1" />
                <rect class="floor" x=format!("{:.1}", (floor * 100.0 - 0.3).clamp(0.0, 99.4)) y="0" width="0.6" height="10" />
            </svg>
            {outlook.map(|words| view! { <p class="outlook" data-testid="outlook">{words}</p> })}
        </section>
        <section>
            <h3>"Nearest in the team store"</h3>
            {if nearest.is_empty() {
                view! { <p class="quiet-text">"No similar facts"</p> }.into_any()
            } else {
                view! { <ul class="nearest" data-testid="nearest">{nearest.into_iter().map(|near| view! { <Near near mine=mergeable.clone() /> }).collect_view()}</ul> }.into_any()
            }}
            <p class="quiet-text">{format!("Merges at {merges_at} or above.")}</p>
        </section>
        <section>
            <h3>"History"</h3>
            <dl class="history">{history.into_iter().map(|past| view! { <div><dt>{past.what}</dt><dd>{past.when}</dd></div> }).collect_view()}</dl>
        </section>
    }
}

/// Says whether a fact would be recalled, with a link to try a question.
#[component]
pub fn Would(id: String, prospect: String) -> impl IntoView {
    view! {
        <section class="would-box" data-testid="would">
            <h2>"Would this be recalled?"</h2>
            <p class="would" data-testid="would-recall">{prospect}</p>
            <p><a class="link" href=format!("/manage/recall?fact={id}") data-testid="try-question">"Try a question"</a></p>
        </section>
    }
}

/// Explains why contributors are not named.
#[component]
pub fn Why() -> impl IntoView {
    view! {
        <details class="why">
            <summary><Icon16 icon=Icon::Lock /><span>"Contributors are counted, never named. "<span class="link">"Why"</span></span></summary>
            <p>
                "A fact is kept because it is true for the team, not because of who said it. Showing who would tie a shared fact back to a person. \
                To act for one person, open their record in Users; that is logged."
            </p>
        </details>
    }
}

#[component]
fn Against(
    other: Beside,
    mine: String,
    /// The fact of the page halves the confidence of what it contradicts.
    disputes: bool,
) -> impl IntoView {
    let halved = match (other.disputes, disputes) {
        (true, true) => "While both stand, the confidence of each is halved.",
        (true, false) => "While both stand, the confidence of this fact is halved.",
        (false, true) => "While both stand, the confidence of the other fact is halved.",
        (false, false) => "Neither loses confidence while neither is approved or said by enough people.",
    };
    let state = match other.status {
        FactStatus::Approved => "an approved",
        FactStatus::Pending => "a pending",
        FactStatus::Rejected => "a rejected",
    };
    let people = other.contributors.words();
    let open = if other.status == FactStatus::Approved { "Open approved fact" } else { "Open the other fact" };
    view! {
        <div class="note warn" data-testid="contradiction">
            <Icon16 icon=Icon::Warning />
            <div class="note-text">
                <p class="note-title">{format!("Contradicts {state} fact")}</p>
                <p class="quote">"“"<Prose text=other.content />"”"</p>
                <p class="quiet-text">{format!("{people} · confidence {} · {} old", other.confidence, other.age)}</p>
                <p>{format!("Both cannot be true. {halved} Compare them and choose which is true, or edit one so that both are.")}</p>
                <div class="note-actions">
                    <a href=format!("/manage/facts/{}", other.id) class="button">{open}</a>
                    <a href=format!("/manage/facts/{mine}/duel/{}", other.id) class="button primary" data-testid="resolve">"Resolve"</a>
                </div>
            </div>
        </div>
    }
}

#[component]
fn Near(near: Beside, mine: Option<String>) -> impl IntoView {
    let merge = mine.filter(|_| near.status != FactStatus::Rejected).map(|mine| format!("/review/{mine}?merge={}", near.id));
    view! {
        <li>
            <span class="similarity">{near.similarity}</span>
            <p>
                <a href=format!("/manage/facts/{}", near.id)><Prose text=near.content /></a>
                " "<Status status=near.status by=None />
                {merge.map(|href| view! { " "<a class="link" href=href data-testid="merge-into">"Merge into this fact…"</a> })}
            </p>
        </li>
    }
}

/// The status of a fact: an icon, a word, and the operator who decided.
#[component]
pub fn Status(status: FactStatus, #[prop(into)] by: Option<String>) -> impl IntoView {
    view! {
        <Stand status />
        {by.map(|by| view! { <span class="by">{format!(" by {by}")}</span> })}
    }
}
