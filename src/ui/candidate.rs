//! One candidate as a page: for phones, deep links, and reading before deciding.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::Title;
use leptos_router::components::A;
use leptos_router::hooks::{use_params_map, use_query_map};

use super::live::Live;
use super::parts::about::{About, Status};
use super::parts::editor::Editor;
use super::parts::focus::{HEADING, focus};
use super::parts::icon::{Icon, Icon16};
use super::parts::last::Done;
use super::parts::meta::{Badge, Dots, ago};
use super::parts::note::Note;
use super::parts::problem::ProblemPanel;
use super::parts::prose::Prose;
use super::shell::{Desk, Head, Leftover};
use crate::calls::decide::act;
use crate::calls::review::{Opened, open_candidate};
use crate::calls::{Notice, Refused};
use crate::domain::fact::FactStatus;
use crate::domain::problem::Problem;

#[component]
pub fn CandidatePage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let desk = expect_context::<Desk>();
    let live = expect_context::<Live>();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let edit = RwSignal::new(query.read_untracked().get("edit").is_some());
    // Rises with every answer, so that the page is read again.
    let answers = RwSignal::new(0_usize);
    let note = RwSignal::new(None::<Problem>);
    let page = Resource::new_blocking(
        move || (id.get(), answers.get(), live.facts.get(), desk.taken_back.get()),
        |(id, ..)| open_candidate(id),
    );
    view! {
        <Transition fallback=|| view! { <Head title="Candidate" /> }>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(opened) => view! { <Detail opened note edit answers /> }.into_any(),
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
fn Detail(opened: Opened, note: RwSignal<Option<Problem>>, edit: RwSignal<bool>, answers: RwSignal<usize>) -> impl IntoView {
    let candidate = opened.candidate.clone();
    let desk = expect_context::<Desk>();
    let known = StoredValue::new(candidate.clone());
    let told = move |notice: Notice| {
        note.set(None);
        desk.leftover.set(None);
        desk.undoable.set(true);
        desk.done.set(Some(Done { notice, text: Some(known.with_value(|candidate| candidate.content.clone())) }));
        answers.update(|answers| *answers += 1);
        focus(HEADING);
    };
    let closed = move || edit.set(false);
    let saved = move |notice: Notice| {
        edit.set(false);
        told(notice);
    };
    let send = move |action: &'static str| {
        move |ev: leptos::ev::MouseEvent| {
            ev.prevent_default();
            let id = known.with_value(|candidate| format!("{}:{}", candidate.id, candidate.version));
            spawn_local(async move {
                let outcome = act(action.to_owned(), vec![id], None, None, None, None, None, None).await;
                if note.try_get_untracked().is_none() {
                    return;
                }
                match outcome {
                    Ok(notice) => told(notice),
                    Err(Refused(Problem::Unauthenticated)) => desk.signed_out.set(true),
                    Err(Refused(problem)) => {
                        if problem == Problem::ViewOnly {
                            desk.may_edit.set(false);
                        }
                        note.set(Some(problem));
                        answers.update(|answers| *answers += 1);
                    }
                }
            });
        }
    };
    let value = format!("{}:{}", candidate.id, candidate.version);
    let buttons = move || {
        let button = |action: &'static str, test: &'static str, icon: Icon, words: &'static str| {
            view! { <button type="submit" name="action" value=action class="button" data-testid=test on:click=send(action)><Icon16 icon />{words}</button> }
        };
        let verbs = match known.with_value(|candidate| candidate.status) {
            FactStatus::Pending => {
                vec![button("approve", "approve", Icon::Check, "Approve"), button("reject", "reject", Icon::Cross, "Reject")]
            }
            FactStatus::Approved => {
                vec![button("reopen", "reopen", Icon::Undo, "Re-open"), button("reject", "reject", Icon::Cross, "Reject")]
            }
            FactStatus::Rejected => {
                vec![button("approve", "approve", Icon::Check, "Approve"), button("reopen", "reopen", Icon::Undo, "Re-open")]
            }
        };
        view! {
            <div class="actions">
                <form method="post" action="/calls/decide"><input type="hidden" name="ids[]" value=value.clone() />{verbs}</form>
                <a class="button" rel="external" href="?edit=1" data-testid="edit" on:click=move |ev| { ev.prevent_default(); edit.set(true); }><Icon16 icon=Icon::Pencil />"Edit"</a>
            </div>
        }
    };
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
            {candidate.flag.map(|flag| view! { <p class="flag"><Icon16 icon=Icon::Warning />{flag.label()}</p> })}
            <Show
                when=move || edit.get() && desk.may_edit.get()
                fallback=move || {
                    let buttons = buttons.clone();
                    view! {
                        <p class="statement"><Prose text=known.with_value(|candidate| candidate.content.clone()) /></p>
                        {move || note.get().map(|problem| view! { <Note problem text=None /> })}
                        <Show when=move || desk.may_edit.get()>{buttons()}</Show>
                    }
                }
            >
                <Editor candidate=known.get_value() newest=Signal::derive(|| None) saved=Callback::new(saved) closed=Callback::new(move |()| closed()) />
            </Show>
            <dl class="about">
                <div><dt>"Status"</dt><dd><Status status=candidate.status by=candidate.decided_by /></dd></div>
                <div><dt>"Kind"</dt><dd>{candidate.kind.label()}</dd></div>
                <div><dt>"Importance"</dt><dd><Dots importance=candidate.importance /></dd></div>
                <div><dt>"Origin"</dt><dd><Badge origin=candidate.origin /></dd></div>
                <div><dt>"Proposed"</dt><dd>{ago(&candidate.age)}</dd></div>
                <div><dt>"Id"</dt><dd><code>{candidate.id.clone()}</code></dd></div>
            </dl>
            <div class="inspector inline"><h2 class="sr">"About this candidate"</h2><About opened /></div>
            <p class="back"><A href="/review" attr:class="button">"Back to the queue"</A></p>
        </article>
    }
}
