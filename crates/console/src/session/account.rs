//! The foot of the navigation: the state of live updates, the theme, the operator and the operator's preferences.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::live::{Channel, LiveSignals};
use crate::notice::Refused;
use crate::parts::field::sentence;
use crate::parts::focus::{close_dialog, open_dialog};
use crate::parts::icon::{Icon, Icon16};
use crate::parts::when::Show;
use crate::screens;
use crate::session::call::{prefer, set_theme, sign_in, still_here};
use crate::session::shapes::{Frame, Theme};
use crate::state::ConsoleState;
use domain::problem::Problem;

/// The id of the dialog for signing in again.
const AGAIN: &str = "sign-in-again";

#[component]
pub fn Foot(frame: Frame) -> impl IntoView {
    let initials: String = frame.operator.split_whitespace().filter_map(|word| word.chars().next()).take(2).collect();
    view! {
        <div class="live-row"><LiveState /><ThemeButton theme=frame.theme /></div>
        <div class="foot">
            <span class="avatar" aria-hidden="true">{initials}</span>
            <p class="who"><strong><a href=screens::ACCOUNT.path data-testid="nav-account">{frame.operator}</a></strong><small><Role /></small></p>
            <details class="menu account-menu" data-testid="account-menu">
                <summary class="quiet" aria-label="Account menu" title="Account menu"><Icon16 icon=Icon::More /></summary>
                <div class="popover">
                    <Habit name="density".to_owned() label="Density".to_owned() on=frame.habits.compact values=pair("comfortable", "compact") words=pair("Comfortable rows", "Compact rows") />
                    <Habit name="keys".to_owned() label="Single-key shortcuts".to_owned() on=frame.habits.single_keys values=pair("off", "on") words=pair("Single-key shortcuts off", "Single-key shortcuts on") />
                    <a href=screens::ACCOUNT.path>{screens::ACCOUNT.title}</a>
                    <a href=screens::SHORTCUTS.path>{screens::SHORTCUTS.title}</a>
                    <form method="post" action="/calls/sign_out"><button type="submit" data-testid="sign-out">"Sign out"</button></form>
                </div>
            </details>
        </div>
    }
}

fn pair(first: &str, second: &str) -> (String, String) {
    (first.to_owned(), second.to_owned())
}

/// The operator's current rights.
#[island]
fn Role() -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    move || console.rights.get().role()
}

/// A preference with two values; choosing the other is one click, or one form post without script.
#[island]
fn Habit(name: String, label: String, on: bool, values: (String, String), words: (String, String)) -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    let on = RwSignal::new(on);
    let (values, words) = (StoredValue::new(values), StoredValue::new(words));
    let other = move || values.with_value(|values| if on.get() { values.0.clone() } else { values.1.clone() });
    let shown = move || words.with_value(|words| if on.get() { words.1.clone() } else { words.0.clone() });
    let habit = name.clone();
    let switch = move |ev: leptos::ev::SubmitEvent| {
        ev.prevent_default();
        let (name, value) = (habit.clone(), untrack(other));
        spawn_local(async move {
            if prefer(name.clone(), value.clone()).await.is_ok() {
                on.update(|on| *on = !*on);
                if name == "keys" {
                    console.single_keys.set(on.get_untracked());
                } else if let Some(root) = document().document_element() {
                    let _ = root.set_attribute("data-density", &value);
                }
            }
        });
    };
    view! {
        <form method="post" action="/calls/prefer" on:submit=switch>
            <input type="hidden" name="habit" value=name />
            <input type="hidden" name="value" value=other />
            <button type="submit" aria-label=move || format!("{label}: change to {}", other())>{shown}</button>
        </form>
    }
}

/// Whether the page receives live updates.
#[island]
fn LiveState() -> impl IntoView {
    let channel = expect_context::<LiveSignals>().channel;
    let words = move || match channel.get() {
        Channel::Off => "Live updates off",
        Channel::On => "Live · updated just now",
        Channel::Trying | Channel::Lost => "Reconnecting…",
    };
    view! { <p class="live-state" class:on=move || channel.get() == Channel::On data-testid="live-state"><i aria-hidden="true"></i>{words}</p> }
}

/// Warns that the page may be out of date.
#[island]
pub fn ConnectionBar() -> impl IntoView {
    let live = expect_context::<LiveSignals>();
    view! {
        <Show when=move || live.channel.get() == Channel::Lost>
            <p class="bar warn" data-testid="connection-bar">
                <Icon16 icon=Icon::Warning />
                <span>"Live updates stopped. What you see may be old. Each decision is still checked against the newest version. "</span>
                <button type="button" class="button" on:click=move |_| live.join(true)>"Reconnect"</button>
            </p>
        </Show>
    }
}

/// Lets operators sign in again if the session ended while they were working; their input is kept.
#[island]
pub fn SignInAgain() -> impl IntoView {
    let (console, live) = (expect_context::<ConsoleState>(), expect_context::<LiveSignals>());
    let (email, password, wrong) = (RwSignal::new(String::new()), RwSignal::new(String::new()), RwSignal::new(None::<String>));
    Effect::new(move |before: Option<u64>| {
        let now = live.refused.get();
        if before.is_some_and(|before| before != now) {
            spawn_local(async move {
                if matches!(still_here().await, Err(Refused(Problem::Unauthenticated))) {
                    console.signed_out.set(true);
                }
            });
        }
        now
    });
    Effect::new(move || {
        if console.signed_out.get() {
            open_dialog(AGAIN);
        }
    });
    let enter = move |ev: leptos::ev::SubmitEvent| {
        ev.prevent_default();
        let next = window().location().pathname().unwrap_or_default();
        spawn_local(async move {
            let came_in = sign_in(email.get_untracked(), password.get_untracked(), next).await;
            wrong.set(came_in.as_ref().err().map(|Refused(problem)| sentence(problem)));
            if came_in.is_ok() {
                password.set(String::new());
                console.signed_out.set(false);
                close_dialog(AGAIN);
                // The server ends the stream of an ended session.
                live.join(true);
            }
        });
    };
    view! {
        <dialog id=AGAIN class="dialog" aria-labelledby="again-title" data-testid="sign-in-again">
            <h2 id="again-title">"Sign in again"</h2>
            <p>"Your session ended. What you typed is kept."</p>
            <Show when=move || console.signed_out.get()><form on:submit=enter novalidate>
                {move || wrong.get().map(|words| view! { <p class="wrong" role="alert">{words}</p> })}
                <label>"Email"<input type="email" autocomplete="username" prop:value=email on:input=move |ev| email.set(event_target_value(&ev)) /></label>
                <label>"Password"<input type="password" autocomplete="current-password" prop:value=password on:input=move |ev| password.set(event_target_value(&ev)) /></label>
                <div class="dialog-actions"><button type="submit" class="button primary" >"Sign in"</button></div>
            </form></Show>
        </dialog>
    }
}

/// Cycles through the system theme, light and dark: at once with script, by reloading without.
#[island]
fn ThemeButton(theme: Theme) -> impl IntoView {
    let theme = RwSignal::new(theme);
    let next = move || theme.get().next().name().unwrap_or("system");
    let turn = move |ev: leptos::ev::SubmitEvent| {
        ev.prevent_default();
        spawn_local(async move {
            if set_theme(untrack(next).to_owned()).await.is_ok() {
                theme.update(|theme| *theme = theme.next());
                show_in(theme.get_untracked());
            }
        });
    };
    let icon = move || match theme.get() {
        Theme::System => Icon::Monitor,
        Theme::Light => Icon::Sun,
        Theme::Dark => Icon::Moon,
    };
    let label = move || format!("Theme: {}. Change to {}", theme.get().label(), theme.get().next().label());
    view! {
        <form method="post" action="/calls/theme" class="theme" on:submit=turn>
            <input type="hidden" name="theme" value=next />
            <button type="submit" class="quiet" data-testid="theme" aria-label=label title=label>{move || view! { <Icon16 icon=icon() /> }}</button>
        </form>
    }
}

fn show_in(theme: Theme) {
    let Some(root) = document().document_element() else { return };
    let _ = match theme.name() {
        Some(name) => root.set_attribute("data-theme", name),
        None => root.remove_attribute("data-theme"),
    };
}
