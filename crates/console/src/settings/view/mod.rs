//! Settings: one card per section, rendered from the table of specs. Switches are saved at once; numbers are reviewed with their
//! effect and then applied.

mod alike;
mod apply;
mod history;
mod numbers;
mod switches;
mod values;

use leptos::prelude::*;
use leptos_meta::Title;

pub use apply::ApplyPage;
pub use history::HistoryPage;

use crate::notice::{Notice, grouped};
use crate::parts::field::Typed;
use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::{load, loaded};
use crate::parts::problem::ProblemPanel;
use crate::parts::top::Top;
use crate::screens;
use crate::settings::call::list_settings;
use crate::settings::shapes::{SettingEntry, Tuned};
use crate::settings::view::numbers::{AutoPromote, ChatLimits, GateLimits, Keeping, ModelUse, RecallSize, Thresholds};
use crate::settings::view::switches::Switches;
use crate::settings::view::values::{CurrentValues, Fields, called, label, within, words};
use crate::shell::LeftoverHere;
use crate::state::ConsoleState;
use domain::problem::Problem;
use domain::settings::Section;

const TITLE: &str = screens::SETTINGS.title;

#[component]
pub fn Settings() -> impl IntoView {
    let page = load(|| (), |()| list_settings());
    view! {
        <Title text=TITLE />
        {loaded(page, |page| view! { <Cards saved=CurrentValues::new(page) /> }, |problem| view! {
                        <Top title=TITLE />
                        <ProblemPanel problem missing="Settings" />
                    })}
    }
}

#[component]
fn Cards(saved: CurrentValues) -> impl IntoView {
    view! {
        <Top title=TITLE lead="Changes apply to every surface at once">
            <a href=screens::SETTINGS_HISTORY.path class="button plain" data-testid="change-history"><Icon16 icon=Icon::History />{screens::SETTINGS_HISTORY.title}</a>
        </Top>
        <LeftoverHere />
        <div class="settings">
            <Card saved section=Section::SelfTraining title="Self-training" lead="What the background pass may write after a reply">
                <Switches saved section=Section::SelfTraining />
            </Card>
            <Card saved section=Section::ModelUse title="Model use" lead="Applies when a language model reads messages">
                <ModelUse saved />
            </Card>
            <Card saved section=Section::Recall title="Team knowledge in recall" lead="Where approved facts may be added to a prompt">
                <Switches saved section=Section::Recall />
            </Card>
            <Card saved section=Section::AutoPromote title="Auto-promote" lead="When a pending fact becomes recallable without an operator">
                <AutoPromote saved />
            </Card>
            <Card saved section=Section::Gate title="Gate" lead="What a team fact must not contain, beside persons and secrets">
                <GateLimits saved />
            </Card>
            <Card saved section=Section::Thresholds title="Thresholds" lead="Similarity and confidence run from 0 to 1">
                <Thresholds saved />
            </Card>
            <Card saved section=Section::RecallSize title="Recall size" lead="How much one answer may hold">
                <RecallSize saved />
            </Card>
            <Card saved section=Section::Keeping title="How long memories are kept" lead="Days after a personal memory was last said or changed; never: it is not deleted">
                <Keeping saved />
            </Card>
            <Card saved section=Section::Chat title="Chat" lead="What users save themselves, and what they said">
                <ChatLimits saved />
            </Card>
        </div>
    }
}

/// One section of settings, with the last change in its head. Reloaded when one of them changes.
#[component]
fn Card(saved: CurrentValues, section: Section, title: &'static str, lead: &'static str, children: Children) -> impl IntoView {
    let id = section.anchor();
    let heading = format!("{id}-title");
    let named = heading.clone();
    let rows = saved.rows_in(section);
    let version = rows.iter().map(|row| row.version).sum::<i64>();
    view! {
        <section class="settings-card" id=id aria-labelledby=named data-live="settings" data-version=version>
            <header class="settings-head">
                <div>
                    <h2 id=heading>{title}</h2>
                    <p>{lead}</p>
                </div>
                <p class="settings-said" role="status" data-testid=format!("said-{id}")>{said(saved, section)}</p>
                {undoable(saved, section).map(|tuned| view! { <Undo tuned /> })}
            </header>
            {rows.into_iter().filter_map(|row| news(&row, section)).collect_view()}
            {children()}
        </section>
    }
}

/// A change of a setting by another operator: hidden, and shown if it arrives while the page is open.
fn news(row: &SettingEntry, section: Section) -> Option<AnyView> {
    let last = row.last.as_ref().filter(|last| !last.own)?;
    let words = format!("{} set {} to {} just now", last.by, called(&row.key, section), words(&row.key, &row.value));
    Some(
        view! {
            <div hidden data-news-of=row.key.clone() data-version=row.version><span class="news"><Icon16 icon=Icon::Info />{words}</span></div>
        }
        .into_any(),
    )
}

/// The last change in this section.
fn said(saved: CurrentValues, section: Section) -> Option<AnyView> {
    let posted = "changes[0][key]";
    if let (Some(problem), key) = Typed::left(posted)
        && within(&key, section)
    {
        let still = words(&key, &saved.row(&key).value).to_lowercase();
        let why = match problem {
            Problem::SettingChanged { by, .. } => format!("{by} changed it first. "),
            _ => String::new(),
        };
        let text = format!("{} could not be changed. {why}It is still {still}.", label(&key));
        return Some(view! { <span class="danger"><Icon16 icon=Icon::Warning />{text}</span> }.into_any());
    }
    let Notice::Tuned { changes, promoted } = just_done()? else { return None };
    let mine: Vec<Tuned> = changes.into_iter().filter(|change| within(&change.key, section)).collect();
    let done = match mine.as_slice() {
        [] => return None,
        [one] => done(one),
        several => format!("{} values applied", several.len()),
    };
    let promoted = match promoted {
        0 => String::new(),
        1 => " · 1 fact promoted".to_owned(),
        n => format!(" · {} facts promoted", grouped(n)),
    };
    Some(view! { <span class="done"><Icon16 icon=Icon::Check />{format!("{done}{promoted}")}</span> }.into_any())
}

/// The result of the form that led here.
fn just_done() -> Option<Notice> {
    expect_context::<ConsoleState>().done.get_untracked()
}

fn done(change: &Tuned) -> String {
    match change.to.as_str() {
        "on" | "off" => format!("{} turned {}", label(&change.key), change.to),
        _ => format!("{} set to {}", label(&change.key), words(&change.key, &change.to)),
    }
}

/// The switch of this section that was changed last, if that can be undone.
fn undoable(saved: CurrentValues, section: Section) -> Option<Tuned> {
    if !saved.may_manage || !matches!(section, Section::SelfTraining | Section::Recall) {
        return None;
    }
    let Notice::Tuned { changes, .. } = just_done()? else { return None };
    let change = changes.into_iter().find(|change| within(&change.key, section))?;
    (saved.row(&change.key).version == change.version).then_some(change)
}

#[component]
fn Undo(tuned: Tuned) -> impl IntoView {
    let name = format!("Undo: {}", label(&tuned.key));
    view! {
        <form method="post" action="/calls/settings/apply" class="undo" data-in-place="true">
            <Fields key=tuned.key value=tuned.from version=tuned.version />
            <button type="submit" class="link" data-testid="undo-setting" aria-label=name>"Undo"</button>
        </form>
    }
}
