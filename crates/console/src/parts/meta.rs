//! Data about a candidate, in one line. People appear only as a number.

use leptos::prelude::*;

use crate::parts::stand::Stand;
use crate::review::shapes::ReviewCandidate;
use domain::facts::fact::FactStatus;
use domain::facts::promotion::Voices;
use domain::facts::provenance::Origin;

#[component]
pub fn Meta(candidate: ReviewCandidate, promote_at: Option<u32>) -> impl IntoView {
    view! {
        <p class="meta">
            {(candidate.status != FactStatus::Pending).then(|| view! { <Stand status=candidate.status /> })}
            {candidate.flag.map(|flag| view! { <span class="flag">{flag.label()}</span> })}
            <Meter contributors=candidate.contributors promote_at />
            <span>{candidate.kind.label()}</span>
            <Dots importance=candidate.importance />
            <Badge origin=candidate.origin />
            <span class="age">{ago(&candidate.age)}</span>
        </p>
    }
}

/// The number of contributors, out of the number that promotes the fact.
#[component]
pub fn Meter(contributors: Voices, promote_at: Option<u32>) -> impl IntoView {
    let Voices { count, or_more } = contributors;
    let segments = promote_at.map(|needed| {
        let segments: String = (1..=needed).map(|n| if n <= count { "<b></b>" } else { "<i></i>" }).collect();
        view! { <span class="segments" aria-hidden="true" inner_html=segments></span> }
    });
    let words = match promote_at {
        Some(needed) if !or_more => format!("{count} of {needed} contributors"),
        _ => contributors.words(),
    };
    view! { <span class="meter" data-testid="meter">{segments}{words}</span> }
}

/// The number of contributors to a fact; a dash if it never had one.
#[component]
pub fn Contributors(contributors: Voices) -> impl IntoView {
    match contributors {
        Voices { count: 0, .. } => {
            view! { <span class="dim" aria-hidden="true">"—"</span><span class="sr">"none"</span> }.into_any()
        }
        Voices { count, or_more: true } => {
            view! { <span aria-hidden="true">{count}"+"</span><span class="sr">{contributors.to_string()}</span> }.into_any()
        }
        Voices { count, .. } => view! { {count} }.into_any(),
    }
}

/// Importance from 1 to 5. The style sheet draws the dots: every row has them.
#[component]
pub fn Dots(importance: u8) -> impl IntoView {
    let class = match importance {
        2 => "importance of-2",
        3 => "importance of-3",
        4 => "importance of-4",
        5 => "importance of-5",
        _ => "importance",
    };
    view! { <span class=class><span class="sr">"Importance "</span>{importance}</span> }
}

/// The origin of a fact (the class of its author), with an icon from the style sheet.
#[component]
pub fn Badge(origin: Origin) -> impl IntoView {
    let class = match origin {
        Origin::Assistant => "origin",
        Origin::Agent => "origin agent",
        Origin::User => "origin user",
    };
    view! { <span class=class>{origin.label()}</span> }
}

/// A coarse age in words.
pub fn ago(age: &str) -> String {
    format!("{age} ago")
}
