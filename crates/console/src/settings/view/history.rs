//! The history of settings, and restoring earlier values.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::parts::icon::{Icon, Icon24};
use crate::parts::load::{load, loaded, missing};
use crate::parts::top::Top;
use crate::screens;
use crate::settings::call::list_setting_changes;
use crate::settings::shapes::{ChangeSetEntry, History};
use crate::settings::view::values::{label, words};

const TITLE: &str = screens::SETTINGS_HISTORY.title;

#[component]
pub fn HistoryPage() -> impl IntoView {
    let query = use_query_map();
    let before = query.read_untracked().get("before").and_then(|seq| seq.parse::<i64>().ok());
    let page = load(move || before, list_setting_changes);
    view! {
        <Title text=TITLE />
        <Top title=TITLE above=screens::SETTINGS.link() />
        {loaded(page, move |history| view! { <Sets history first=before.is_none() /> }, missing("The history"))}
    }
}

#[component]
fn Sets(history: History, first: bool) -> impl IntoView {
    let History { sets, next, may_manage } = history;
    if sets.is_empty() {
        return view! {
            <section class="panel" data-testid="empty">
                <Icon24 icon=Icon::History />
                <h2>"Nothing was changed yet"</h2>
                <p>"Every setting has the value it started with."</p>
            </section>
        }
        .into_any();
    }
    view! {
        <ol class="settings changed-history" data-testid="history">
            {sets.into_iter().map(|set| view! { <Entry set may_manage /> }).collect_view()}
        </ol>
        <nav class="pager" aria-label="Pages">
            {(!first).then(|| view! { <a href="/manage/settings/history" class="button">"Newest"</a> })}
            {next.map(|next| view! { <a href=format!("/manage/settings/history?before={next}") class="button">"Older"</a> })}
        </nav>
    }
    .into_any()
}

#[component]
fn Entry(set: ChangeSetEntry, may_manage: bool) -> impl IntoView {
    let ChangeSetEntry { by, when, at, lines, restorable } = set;
    let back: Vec<String> = lines.iter().map(|line| format!("{}={}", line.key, line.from)).collect();
    let values: Vec<String> = lines.iter().map(|line| format!("{} {}", label(&line.key), words(&line.key, &line.from))).collect();
    let href = format!("/manage/settings/apply?{}", back.join("&"));
    let name = format!("Restore these values: {}", values.join(", "));
    view! {
        <li class="settings-card" data-testid="change-set">
            <header class="settings-head">
                <p><strong>{by}</strong>" "<time datetime=at>{when}</time></p>
                {(may_manage && restorable).then(|| view! {
                    <a href=href class="button" data-testid="restore" aria-label=name>"Restore these values"</a>
                })}
            </header>
            <dl class="change-lines">
                {lines
                    .into_iter()
                    .map(|line| view! {
                        <div>
                            <dt>{label(&line.key)}</dt>
                            <dd>
                                <span class="sr">"from "</span>
                                <span class="before">{words(&line.key, &line.from)}</span>
                                <span aria-hidden="true">" → "</span>
                                <span class="sr">" to "</span>
                                <strong>{words(&line.key, &line.to)}</strong>
                            </dd>
                        </div>
                    })
                    .collect_view()}
            </dl>
        </li>
    }
}
