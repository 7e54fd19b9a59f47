//! One candidate as a page: for phones, deep links, and reading before deciding.

use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::Title;
use leptos_router::components::A;
use leptos_router::hooks::{use_navigate, use_params_map, use_query_map};

use super::live::Live;
use super::parts::about::{About, Status};
use super::parts::editor::Editor;
use super::parts::focus::{HEADING, focus};
use super::parts::icon::{Icon, Icon16};
use super::parts::last::Done;
use super::parts::load::load;
use super::parts::meta::{Badge, Dots, ago};
use super::parts::note::Note;
use super::parts::problem::ProblemPanel;
use super::parts::prose::Prose;
use super::shell::{Desk, Head, Leftover};
use crate::calls::decide::{Merge, act};
use crate::calls::review::{Beside, Candidate, Opened, open_candidate};
use crate::calls::{Notice, Refused};
use crate::domain::fact::FactStatus;
use crate::domain::problem::Problem;

#[component]
pub fn CandidatePage() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let desk = expect_context::<Desk>();
    let live = expect_context::<Live>();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let merge = query.read_untracked().get("merge");
    let edit = RwSignal::new(query.read_untracked().get("edit").is_some());
    // Rises with every answer, so that the page is read again.
    let answers = RwSignal::new(0_usize);
    let note = RwSignal::new(None::<Problem>);
    // While it is edited, the page stays as it is: what is typed is not lost to somebody else's deed.
    let heard = Memo::new(move |before: Option<&u64>| match before {
        Some(before) if edit.get() => *before,
        _ => live.facts.get(),
    });
    let page = load(move || (id.get(), answers.get(), heard.get(), desk.taken_back.get()), |(id, ..)| open_candidate(id));
    view! {
        <Transition fallback=|| view! { <Head title="Candidate" /> }>
            {move || {
                let merge = merge.clone();
                Suspend::new(async move {
                match page.await {
                    Ok(opened) => view! { <Detail opened note edit answers merge /> }.into_any(),
                    Err(Refused(problem)) => view! {
                        <Title text=if matches!(problem, Problem::NotFound { .. }) { "Not found" } else { "Candidate" } />
                        <Head title="Candidate" />
                        <ProblemPanel problem missing="The candidate" />
                    }
                    .into_any(),
                }
                })
            }}
        </Transition>
    }
}

#[component]
fn Detail(
    opened: Opened,
    note: RwSignal<Option<Problem>>,
    edit: RwSignal<bool>,
    answers: RwSignal<usize>,
    /// The fact that it may be merged into: asked about first.
    #[prop(into)]
    merge: Option<String>,
) -> impl IntoView {
    let candidate = opened.candidate.clone();
    let into = merge.and_then(|id| opened.nearest.iter().chain(&opened.against).find(|near| near.id == id).cloned());
    let into = into.filter(|into| candidate.status == FactStatus::Pending && into.status != FactStatus::Rejected);
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
            {into.map(|into| view! { <MergeInto candidate=candidate.clone() into /> })}
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
                <Editor candidate=known.get_value() saved=Callback::new(saved) closed=Callback::new(move |()| closed()) />
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

/// The one question before two facts become one; a form like any other.
#[component]
fn MergeInto(candidate: Candidate, into: Beside) -> impl IntoView {
    let desk = expect_context::<Desk>();
    let action = ServerAction::<Merge>::new();
    let navigate = use_navigate();
    Effect::new(move || match action.value().get() {
        Some(Ok(notice)) => {
            desk.leftover.set(None);
            desk.done.set(Some(Done { notice, text: None }));
            navigate("/review", Default::default());
        }
        Some(Err(Refused(Problem::Unauthenticated))) => desk.signed_out.set(true),
        Some(Err(Refused(problem))) => desk.leftover.set(Some((problem, None))),
        None => {}
    });
    let people = match candidate.contributors {
        0 => "Nobody stands behind it.".to_owned(),
        1 => "Its contributor counts there from now on, once.".to_owned(),
        n => format!("Its {n} contributors count there from now on, each once."),
    };
    view! {
        {desk.may_edit.get_untracked().then(|| view! {
            <section class="ask" aria-labelledby="merge-title" data-testid="merge">
                <h2 id="merge-title">"Merge into this fact?"</h2>
                <p class="quote">"“"<Prose text=into.content />"”"</p>
                <p>{people}" The words of this candidate go. This cannot be undone."</p>
                <ActionForm action=action attr:class="ask-actions">
                    <input type="hidden" name="from" value=format!("{}:{}", candidate.id, candidate.version) />
                    <input type="hidden" name="into" value=format!("{}:{}", into.id, into.version) />
                    <input type="hidden" name="back_to" value="/review" />
                    <a class="button" href=format!("/review/{}", candidate.id) rel="external" data-testid="dialog-cancel">"Cancel"</a>
                    <button type="submit" class="button primary" data-testid="dialog-confirm">"Merge"</button>
                </ActionForm>
            </section>
        })}
    }
}
