//! One candidate as a page: for phones, deep links, and reading before deciding.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::A;
use leptos_router::hooks::use_params_map;

use super::parts::decide::{Buttons, Done, HEADING, Outcome, focus};
use super::parts::icon::{Icon, Icon16};
use super::parts::meta::{Badge, Dots, Meter, ago};
use super::parts::note::Note;
use super::parts::problem::ProblemPanel;
use super::parts::prose::Prose;
use super::shell::{Desk, Head, Leftover};
use crate::calls::Refused;
use crate::calls::review::{Opened, open_candidate};
use crate::domain::fact::FactStatus;
use crate::domain::problem::Problem;

#[component]
pub fn CandidatePage() -> impl IntoView {
    let params = use_params_map();
    let desk = expect_context::<Desk>();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    // Rises with every answer, so that the page is read again.
    let answers = RwSignal::new(0_usize);
    let note = RwSignal::new(None::<Problem>);
    let page = Resource::new_blocking(move || (id.get(), answers.get()), |(id, _)| open_candidate(id));
    let answered = Callback::new(move |(text, outcome): (String, Outcome)| {
        desk.leftover.set(None);
        match outcome {
            Ok(notice) => {
                note.set(None);
                desk.done.set(Some(Done { notice, text: Some(text) }));
                focus(HEADING);
            }
            Err(problem) => {
                if problem == Problem::ViewOnly {
                    desk.may_edit.set(false);
                }
                note.set(Some(problem));
            }
        }
        answers.update(|answers| *answers += 1);
    });
    view! {
        <Transition fallback=|| view! { <Head title="Candidate" /> }>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(opened) => view! { <Detail opened note answered /> }.into_any(),
                    Err(Refused(problem)) => view! {
                        <Title text=if matches!(problem, Problem::NotFound { .. }) { "Not found" } else { "Candidate" } />
                        <Head title="Candidate" />
                        <ProblemPanel problem missing="The candidate" />
                    }
                    .into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Detail(opened: Opened, note: RwSignal<Option<Problem>>, answered: Callback<(String, Outcome)>) -> impl IntoView {
    let Opened { candidate, promote_at } = opened;
    let desk = expect_context::<Desk>();
    let text = StoredValue::new(candidate.content.clone());
    let pending = candidate.status == FactStatus::Pending;
    let deciding = StoredValue::new(candidate.clone());
    let contradicted =
        candidate.contradicted.then(|| view! { <p class="flag"><Icon16 icon=Icon::Warning />"Contradicts another fact"</p> });
    view! {
        <Title text=format!("Review: {}", candidate.id) />
        <Head title="Candidate" crumbs=true />
        <Leftover />
        <article
            class="detail"
            data-testid="review-item"
            data-fact-id=candidate.id.clone()
            data-version=candidate.version
            data-status=candidate.status.as_str()
        >
            {contradicted}
            <p class="statement"><Prose text=candidate.content /></p>
            {move || note.get().map(|problem| view! { <Note problem text=None /> })}
            <Show when=move || pending && desk.may_edit.get()>
                <Buttons candidate=deciding.get_value() answered=move |outcome| answered.run((text.get_value(), outcome)) />
            </Show>
            <dl class="about">
                <div><dt>"Status"</dt><dd><Status status=candidate.status by=candidate.decided_by /></dd></div>
                <div>
                    <dt>"Corroboration"</dt>
                    <dd>
                        <Meter contributors=candidate.contributors promote_at />
                        <details class="why">
                            <summary><Icon16 icon=Icon::Lock />"Contributors are counted, never named. "<span class="link">"Why"</span></summary>
                            <p>
                                "A fact is kept because it is true for the team, not because of who said it. Showing who would tie a shared fact back to a person. \
                                To act for one person, open their record in Users; that is logged."
                            </p>
                        </details>
                    </dd>
                </div>
                <div><dt>"Kind"</dt><dd>{candidate.kind.label()}</dd></div>
                <div><dt>"Importance"</dt><dd><Dots importance=candidate.importance /></dd></div>
                <div><dt>"Origin"</dt><dd><Badge origin=candidate.origin /></dd></div>
                <div><dt>"Proposed"</dt><dd>{ago(&candidate.age)}</dd></div>
                <div><dt>"Id"</dt><dd><code>{candidate.id.clone()}</code></dd></div>
            </dl>
            <p class="back"><A href="/review" attr:class="button">"Back to the queue"</A></p>
        </article>
    }
}

/// Where it stands: an icon, a word, and the operator who decided.
#[component]
fn Status(status: FactStatus, by: Option<String>) -> impl IntoView {
    let (icon, word) = match status {
        FactStatus::Pending => (Icon::Pending, "Pending"),
        FactStatus::Approved => (Icon::Approved, "Approved"),
        FactStatus::Rejected => (Icon::Rejected, "Rejected"),
    };
    view! {
        <span class=format!("status {}", status.as_str())><Icon16 icon />{word}</span>
        {by.map(|by| view! { <span class="by">{format!(" by {by}")}</span> })}
    }
}
