//! Switches: at once with script, a button that says what it does without.

use leptos::form::ActionForm;
use leptos::prelude::*;

use super::Fields;
use super::board::{Board, words};
use crate::calls::settings::Wanted;
use crate::domain::settings::{SPECS, Section, Spec};
use crate::ui::parts::icon::{Icon, Icon16};

/// The switch that is asked about before it is turned on.
pub const ANONYMOUS: &str = "recall.anonymous";

#[component]
pub fn Switches(board: Board, section: Section) -> impl IntoView {
    SPECS.iter().filter(|spec| spec.section == section).map(|spec| view! { <Switch board spec /> }).collect_view()
}

#[component]
fn Switch(board: Board, spec: &'static Spec) -> impl IntoView {
    let key = spec.key;
    let id = id(key);
    let (label_id, help_id) = (format!("{id}-label"), format!("{id}-help"));
    let (named, described) = (label_id.clone(), help_id.clone());
    let busy = Memo::new(move |_| board.busy.with(|busy| busy.iter().any(|other| other == key)));
    let saved = Memo::new(move |_| board.row(key).value == "on");
    // While it is on its way it shows what is wanted.
    let on = Memo::new(move |_| saved.get() != busy.get());
    let state = move || words(key, if on.get() { "on" } else { "off" });
    view! {
        <div class="setting">
            <div class="setting-text">
                <p class="setting-label" id=label_id>{icon(key).map(|icon| view! { <Icon16 icon /> })}<span>{spec.label}</span></p>
                <p class="setting-help" id=help_id>{spec.help}</p>
            </div>
            <div class="setting-control">
                <span class="setting-state" aria-hidden=move || board.desk.may_edit.get().then_some("true")>{state}</span>
                <Show when=move || board.desk.may_edit.get()>
                    <input
                        type="checkbox"
                        role="switch"
                        class="switch scripted-only"
                        id=id
                        data-testid=id
                        aria-labelledby=named.clone()
                        aria-describedby=described.clone()
                        aria-busy=move || busy.get().then_some("true")
                        checked=on.get_untracked()
                        prop:checked=move || on.get()
                        on:click=move |event| {
                            if key == ANONYMOUS && !saved.get_untracked() {
                                event.prevent_default();
                                board.ask(vec![Wanted { key: key.to_owned(), text: "on".to_owned(), seen: None }]);
                            } else if busy.get_untracked() {
                                event.prevent_default();
                            }
                        }
                        on:change=move |_| board.flip(key)
                    />
                    <Fallback board spec saved />
                </Show>
            </div>
        </div>
    }
}

/// The same without script: one button in a form. What must be asked first leads to a page.
#[component]
fn Fallback(board: Board, spec: &'static Spec, saved: Memo<bool>) -> impl IntoView {
    let key = spec.key;
    let words = move || if saved.get() { "Turn off" } else { "Turn on" };
    let name = move || format!("{}: {}", words(), spec.label);
    view! {
        <Show
            when=move || key == ANONYMOUS && !saved.get()
            fallback=move || view! {
                <ActionForm action=board.posts attr:class="scriptless">
                    <Fields
                        key=key
                        value=Signal::derive(move || if saved.get() { "off" } else { "on" }.to_owned())
                        version=Signal::derive(move || board.row(key).version)
                    />
                    <button type="submit" class="button" aria-label=name>{words}</button>
                </ActionForm>
            }
        >
            <form method="get" action="/manage/settings/apply" class="scriptless">
                <input type="hidden" name=key value="on" />
                <button type="submit" class="button" aria-label=name>{words}</button>
            </form>
        </Show>
    }
}

fn id(key: &str) -> &'static str {
    match key {
        "learn.personal" => "set-train-personal",
        "learn.global" => "set-train-global",
        "recall.web" => "set-recall-web",
        "recall.telegram" => "set-recall-telegram",
        "recall.mcp" => "set-recall-mcp",
        ANONYMOUS => "set-recall-anon",
        _ => "set-recall-other",
    }
}

fn icon(key: &str) -> Option<Icon> {
    Some(match key {
        "recall.web" => Icon::Globe,
        "recall.telegram" => Icon::Send,
        "recall.mcp" => Icon::Plug,
        "recall.other" => Icon::Arrow,
        ANONYMOUS => Icon::Person,
        _ => return None,
    })
}
