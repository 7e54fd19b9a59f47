//! One fact, whatever its state: what it says, what is known about it, what is near it, what happened to it.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_meta::Title;
use leptos_router::components::A;
use leptos_router::hooks::{use_navigate, use_params_map, use_query_map};

use super::table::{Contributors, offered};
use crate::calls::decide::act;
use crate::calls::facts::{FactPage, RecallsOn, open_fact};
use crate::calls::{Notice, Refused};
use crate::domain::decision::Verb;
use crate::domain::fact::FactStatus;
use crate::domain::problem::Problem;
use crate::ui::live::Live;
use crate::ui::parts::about::{About, Status};
use crate::ui::parts::copy::CopyId;
use crate::ui::parts::editor::Editor;
use crate::ui::parts::focus::{HEADING, close_dialog, focus, open_dialog};
use crate::ui::parts::icon::{Icon, Icon16};
use crate::ui::parts::last::Done;
use crate::ui::parts::load::load;
use crate::ui::parts::meta::{Badge, Dots, surface_label};
use crate::ui::parts::note::Note;
use crate::ui::parts::problem::ProblemPanel;
use crate::ui::parts::prose::Prose;
use crate::ui::shell::{Desk, Leftover};

/// The id of the dialog that asks before deleting.
const DELETE: &str = "delete-fact";
/// Characters of an id that the crumbs show.
const ID_SHOWN: usize = 11;

#[component]
pub fn FactDetail() -> impl IntoView {
    let (params, query) = (use_params_map(), use_query_map());
    let desk = expect_context::<Desk>();
    let live = expect_context::<Live>();
    let id = Memo::new(move |_| params.read().get("id").unwrap_or_default());
    let edit = RwSignal::new(query.read_untracked().get("edit").is_some());
    // Rises with every answer, so that the page is read again.
    let answers = RwSignal::new(0_usize);
    let note = RwSignal::new(None::<Problem>);
    // While it is edited, the page stays as it is: what is typed is not lost to somebody else's deed.
    let heard = Memo::new(move |before: Option<&u64>| match before {
        Some(before) if edit.get() => *before,
        _ => live.facts.get(),
    });
    let page = load(move || (id.get(), answers.get(), heard.get(), desk.taken_back.get()), |(id, ..)| open_fact(id));
    view! {
        <Transition fallback=|| view! { <header class="head"><h1 id=HEADING tabindex="-1">"Fact"</h1></header> }>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(page) => view! { <Detail page note edit answers /> }.into_any(),
                    Err(Refused(problem)) => view! {
                        <Title text=if matches!(problem, Problem::NotFound { .. }) { "Not found" } else { "Fact" } />
                        <header class="head"><h1 id=HEADING tabindex="-1">"Fact"</h1></header>
                        <ProblemPanel problem missing="The fact" />
                    }
                    .into_any(),
                }
            })}
        </Transition>
    }
}

#[component]
fn Detail(page: FactPage, note: RwSignal<Option<Problem>>, edit: RwSignal<bool>, answers: RwSignal<usize>) -> impl IntoView {
    let FactPage { opened, recalls, days, recalls_told_from, created, confirmed } = page;
    let candidate = opened.candidate.clone();
    let desk = expect_context::<Desk>();
    let navigate = StoredValue::new(use_navigate());
    let known = StoredValue::new(candidate.clone());
    let told = move |notice: Notice| {
        note.set(None);
        desk.leftover.set(None);
        let gone = matches!(&notice, Notice::Acted(acted) if acted.verb == Verb::Delete);
        if !gone {
            desk.undoable.set(true);
        }
        desk.done.set(Some(Done { notice, text: Some(known.with_value(|candidate| candidate.content.clone())) }));
        if gone {
            navigate.with_value(|navigate| navigate("/manage/facts", leptos_router::NavigateOptions::default()));
        } else {
            answers.update(|answers| *answers += 1);
            focus(HEADING);
        }
    };
    let saved = move |notice: Notice| {
        edit.set(false);
        told(notice);
    };
    let send = move |verb: Verb| {
        let id = known.with_value(|candidate| format!("{}:{}", candidate.id, candidate.version));
        spawn_local(async move {
            match act(verb.as_str().to_owned(), vec![id], None, None, None, None, None, None).await {
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
    };
    let value = format!("{}:{}", candidate.id, candidate.version);
    let (edit_at, delete_at) =
        (format!("/manage/facts/{}?edit=1", candidate.id), format!("/manage/facts/{}/delete", candidate.id));
    let buttons = move || {
        let verbs = offered(known.with_value(|candidate| candidate.status)).map(|(verb, words, test)| {
            let icon = match verb {
                Verb::Approve => Icon::Check,
                Verb::Reject => Icon::Cross,
                _ => Icon::Undo,
            };
            view! { <button type="submit" name="action" value=verb.as_str() class="button" data-testid=test on:click=move |ev| { ev.prevent_default(); send(verb); }><Icon16 icon />{words}</button> }
        });
        view! {
            <div class="actions">
                <a class="button" rel="external" href=edit_at.clone() data-testid="edit" on:click=move |ev| { ev.prevent_default(); edit.set(true); }><Icon16 icon=Icon::Pencil />"Edit"</a>
                <form method="post" action="/calls/decide"><input type="hidden" name="ids[]" value=value.clone() />{verbs.collect_view()}</form>
                <a class="button danger" rel="external" href=delete_at.clone() data-testid="delete" on:click=move |ev| { ev.prevent_default(); open_dialog(DELETE); }><Icon16 icon=Icon::Trash />"Delete…"</a>
            </div>
        }
    };
    let radius = (candidate.status == FactStatus::Approved).then(|| blast(&recalls, days, recalls_told_from));
    let (confidence, low) = (format!("{:.2}", opened.confidence), opened.confidence < opened.floor);
    let id = candidate.id.clone();
    let short: String = id.chars().take(ID_SHOWN).collect();
    view! {
        <Title text=format!("Fact {}", candidate.id) />
        <header class="head">
            <p class="crumbs"><A href="/manage/facts">"Facts"</A><span aria-hidden="true">"›"</span></p>
            <h1 id=HEADING tabindex="-1">"Fact "<code>{short}</code></h1>
            <CopyId id=Some(id) />
        </header>
        <Leftover />
        <div class="fact-page">
            <article
                class="detail"
                data-testid="fact-detail"
                data-fact-id=candidate.id.clone()
                data-version=candidate.version
                data-status=candidate.status.as_str()
            >
                <Show
                    when=move || edit.get() && desk.may_edit.get()
                    fallback=move || {
                        let (buttons, radius) = (buttons.clone(), radius.clone());
                        view! {
                            <p class="statement" data-testid="statement"><Prose text=known.with_value(|candidate| candidate.content.clone()) /></p>
                            {move || note.get().map(|problem| view! { <Note problem text=None /> })}
                            <Show when=move || desk.may_edit.get()>{buttons()}</Show>
                            {radius.map(|words| view! { <p class="quiet-text radius" data-testid="blast-radius">{words}</p> })}
                        }
                    }
                >
                    <Editor candidate=known.get_value() saved=Callback::new(saved) closed=Callback::new(move |()| edit.set(false)) />
                </Show>
                <dl class="about">
                    <div><dt>"Status"</dt><dd><Status status=candidate.status by=candidate.decided_by.clone() /></dd></div>
                    <div><dt>"Kind"</dt><dd>{candidate.kind.label()}</dd></div>
                    <div><dt>"Importance"</dt><dd><Dots importance=candidate.importance /></dd></div>
                    <div><dt>"Confidence"</dt><dd class:low=low>{confidence}{low.then_some(" · Below the recall floor")}</dd></div>
                    <div><dt>"Contributors"</dt><dd data-testid="contributors"><Contributors contributors=candidate.contributors /></dd></div>
                    <div><dt>"Origin"</dt><dd><Badge origin=candidate.origin /></dd></div>
                    <div><dt>{format!("Recalls in {days} days")}</dt><dd data-testid="recalls">{by_surface(&recalls, recalls_told_from)}</dd></div>
                    <div><dt>"Created"</dt><dd>{created}</dd></div>
                    <div><dt>"Last confirmed"</dt><dd>{confirmed}</dd></div>
                    <div><dt>"Id"</dt><dd><code>{candidate.id.clone()}</code></dd></div>
                </dl>
            </article>
            <aside class="inspector beside" aria-label="About this fact"><h2 class="sr">"About this fact"</h2><About opened /></aside>
        </div>
        <DeleteThis text=candidate.content.clone() sure=Callback::new(move |()| send(Verb::Delete)) />
    }
}

/// Asks before this fact is deleted.
#[component]
fn DeleteThis(text: String, sure: Callback<()>) -> impl IntoView {
    view! {
        <dialog id=DELETE class="dialog" aria-labelledby="delete-this" data-testid="dialog">
            <h2 id="delete-this">"Delete this fact?"</h2>
            <p class="quote">"“"<Prose text />"”"</p>
            <p class="dialog-text">"It and its contribution links are removed. If people say it again it comes back as pending. To keep it out, reject it."</p>
            <div class="dialog-actions">
                <button type="button" class="button" autofocus data-testid="dialog-cancel" on:click=move |_| close_dialog(DELETE)>"Cancel"</button>
                <button type="button" class="button danger-solid" data-testid="dialog-confirm" on:click=move |_| { close_dialog(DELETE); sure.run(()); }>"Delete fact"</button>
            </div>
        </dialog>
    }
}

/// `web 201 · mcp fewer than 5`
fn by_surface(recalls: &[RecallsOn], told_from: i64) -> String {
    let parts: Vec<String> = recalls
        .iter()
        .map(|on| match on.times {
            Some(times) => format!("{} {}", surface_label(&on.surface), super::table::grouped(times)),
            None => format!("{} fewer than {told_from}", surface_label(&on.surface)),
        })
        .collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(" · ") }
}

/// How far the word of a fact went that may be taken back.
fn blast(recalls: &[RecallsOn], days: i64, told_from: i64) -> String {
    if recalls.is_empty() {
        return format!("No recall used it in the last {days} days.");
    }
    format!(
        "Recalls that used it in the last {days} days: {}. Re-opening or rejecting takes it out of the next ones.",
        by_surface(recalls, told_from)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_recalls_are_not_told() {
        let on = |surface: &str, times| RecallsOn { surface: surface.to_owned(), times };
        assert_eq!(by_surface(&[on("web", Some(1201)), on("mcp", None)], 5), "Web 1,201 · MCP fewer than 5");
        assert_eq!(by_surface(&[], 5), "none");
        assert!(blast(&[on("mcp", None)], 30, 5).contains("MCP fewer than 5"));
    }
}
