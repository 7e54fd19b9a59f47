//! Settings: a card each for what belongs together, rendered from the table of specs. Switches save at once; numbers are
//! reviewed with what they would do, then applied.

mod apply;
mod board;
mod history;
mod numbers;
mod switches;

use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::components::A;

pub use apply::ApplyPage;
pub use history::HistoryPage;

use self::apply::AskDialog;
use self::board::{Board, within, words};
use self::numbers::{AutoPromote, RecallSize, Thresholds};
use self::switches::Switches;
use super::parts::icon::{Icon, Icon16};
use super::parts::problem::ProblemPanel;
use super::parts::top::Top;
use super::shell::Leftover;
use crate::calls::settings::{Tuned, list_settings};
use crate::calls::{Notice, Refused};
use crate::domain::problem::Problem;
use crate::domain::settings::{Section, Spec};
use crate::ui::parts::load::load;

const TITLE: &str = "Settings";

#[component]
pub fn Settings() -> impl IntoView {
    // The cards are built once; what is read later goes into them, so that nothing typed is lost.
    let page = load(|| (), |()| list_settings());
    view! {
        <Title text=TITLE />
        <Suspense fallback=Skeleton>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(page) => view! { <Cards board=Board::new(&page) /> }.into_any(),
                    Err(Refused(problem)) => view! {
                        <Top title=TITLE.to_owned() />
                        <ProblemPanel problem missing="Settings" />
                    }
                    .into_any(),
                }
            })}
        </Suspense>
    }
}

#[component]
fn Cards(board: Board) -> impl IntoView {
    view! {
        <Top title=TITLE.to_owned() lead="Changes apply to every surface at once">
            <A href="/manage/settings/history" attr:class="button plain" attr:data-testid="change-history"><Icon16 icon=Icon::History />"Change history"</A>
        </Top>
        <Leftover />
        <div class="settings">
            <Card board section=Section::SelfTraining id="self-training" title="Self-training" lead="What the background pass may write after a reply">
                <Switches board section=Section::SelfTraining />
            </Card>
            <Card board section=Section::Recall id="recall" title="Team knowledge in recall" lead="Where approved facts may be added to a prompt">
                <Switches board section=Section::Recall />
            </Card>
            <Card board section=Section::AutoPromote id="auto-promote" title="Auto-promote" lead="When a pending fact becomes recallable without an operator">
                <AutoPromote board />
            </Card>
            <Card board section=Section::Thresholds id="thresholds" title="Thresholds" lead="Similarity and confidence run from 0 to 1">
                <Thresholds board />
            </Card>
            <Card board section=Section::RecallSize id="recall-size" title="Recall size" lead="How much one answer may hold">
                <RecallSize board />
            </Card>
        </div>
        <AskDialog board />
    }
}

/// One group of settings, with what was last done to it in its head.
#[component]
fn Card(
    board: Board,
    section: Section,
    id: &'static str,
    title: &'static str,
    lead: &'static str,
    children: Children,
) -> impl IntoView {
    let heading = format!("{id}-title");
    let named = heading.clone();
    view! {
        <section class="settings-card" id=id aria-labelledby=named>
            <header class="settings-head">
                <div>
                    <h2 id=heading>{title}</h2>
                    <p>{lead}</p>
                </div>
                <p class="settings-said" role="status" data-testid=format!("said-{id}")>{move || said(board, section)}</p>
                {move || undoable(board, section).map(|tuned| view! { <Undo board tuned /> })}
            </header>
            {children()}
        </section>
    }
}

/// What was done to this section, by whom.
fn said(board: Board, section: Section) -> Option<AnyView> {
    if let Some((key, problem)) = board.failed.get().filter(|(key, _)| within(key, section)) {
        let label = Spec::find(&key).map_or("", |spec| spec.label);
        let row = board.row(&key);
        let still = words(&key, &row.value).to_lowercase();
        let why = match problem {
            Problem::SettingChanged { by, .. } => format!("{by} changed it first. "),
            _ => String::new(),
        };
        return Some(view! { <span class="danger"><Icon16 icon=Icon::Warning />{format!("{label} could not be changed. {why}It is still {still}.")}</span> }.into_any());
    }
    let news = board.news.get().into_iter().rev().find(|key| within(key, section));
    if let Some((key, last)) = news.and_then(|key| board.row(&key).last.filter(|last| !last.own).map(|last| (key, last))) {
        let (row, label) = (board.row(&key), Spec::find(&key).map_or("", |spec| spec.label));
        let what = if section == Section::AutoPromote { "this".to_owned() } else { label.to_owned() };
        return Some(view! { <span class="news"><Icon16 icon=Icon::Info />{format!("{} set {what} to {} just now", last.by, words(&key, &row.value))}</span> }.into_any());
    }
    let Notice::Tuned { changes, promoted } = board.desk.done.get()?.notice else { return None };
    let mine: Vec<Tuned> = changes.into_iter().filter(|change| within(&change.key, section)).collect();
    let done = match mine.as_slice() {
        [] => return None,
        [one] => done(one),
        several => format!("{} values applied", several.len()),
    };
    let promoted = match promoted {
        0 => String::new(),
        1 => " · 1 fact promoted".to_owned(),
        n => format!(" · {n} facts promoted"),
    };
    Some(view! { <span class="done"><Icon16 icon=Icon::Check />{format!("{done}{promoted}")}</span> }.into_any())
}

fn done(change: &Tuned) -> String {
    let label = Spec::find(&change.key).map_or("", |spec| spec.label);
    match change.to.as_str() {
        "on" | "off" => format!("{label} turned {}", change.to),
        _ => format!("{label} set to {}", words(&change.key, &change.to)),
    }
}

/// The switch of this section that was turned last, while it can be turned back.
fn undoable(board: Board, section: Section) -> Option<Tuned> {
    let switches = matches!(section, Section::SelfTraining | Section::Recall);
    if !switches || !board.desk.may_edit.get() || board.failed.with(Option::is_some) {
        return None;
    }
    let Notice::Tuned { changes, .. } = board.desk.done.get()?.notice else { return None };
    let change = changes.into_iter().find(|change| within(&change.key, section))?;
    (board.row(&change.key).version == change.version).then_some(change)
}

#[component]
fn Undo(board: Board, tuned: Tuned) -> impl IntoView {
    let label = Spec::find(&tuned.key).map_or("", |spec| spec.label);
    view! {
        <ActionForm action=board.posts attr:class="undo">
            <Fields key=tuned.key value=tuned.from version=tuned.version />
            <button type="submit" class="link" data-testid="undo-setting" aria-label=format!("Undo: {label}")>"Undo"</button>
        </ActionForm>
    }
}

/// One change as hidden fields.
#[component]
fn Fields(#[prop(into)] key: String, #[prop(into)] value: Signal<String>, #[prop(into)] version: Signal<i64>) -> impl IntoView {
    view! {
        <input type="hidden" name="changes[0][key]" value=key />
        <input type="hidden" name="changes[0][value]" value=move || value.get() />
        <input type="hidden" name="changes[0][version]" value=move || version.get() />
    }
}

#[component]
fn Skeleton() -> impl IntoView {
    view! {
        <Top title=TITLE.to_owned() />
        <div class="settings skeleton" aria-busy="true" aria-label="Loading">
            {(0..3)
                .map(|_| view! {
                    <div class="settings-card">
                        <div class="settings-head"><span class="bone text"></span></div>
                        <div class="setting"><span class="bone text"></span></div>
                        <div class="setting"><span class="bone text"></span></div>
                    </div>
                })
                .collect_view()}
        </div>
    }
}
