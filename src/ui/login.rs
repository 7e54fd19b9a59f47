//! Sign in.

use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::parts::icon::{Icon, Icon16};
use super::parts::load::load;
use super::parts::note::unreached;
use super::parts::title::LiveTitle;
use super::shell::Brand;
use crate::calls::session::{SignIn, Welcome, open_welcome};
use crate::domain::problem::Problem;

/// The id of the words that say what is wrong.
const WRONG: &str = "problem";

#[component]
pub fn Login() -> impl IntoView {
    let page = load(|| (), |()| open_welcome());
    view! {
        <Suspense>
            {move || Suspend::new(async move { page.await.ok().map(|welcome| view! { <Card welcome /> }) })}
        </Suspense>
    }
}

#[component]
fn Card(welcome: Welcome) -> impl IntoView {
    let sign_in = ServerAction::<SignIn>::new();
    let query = use_query_map();
    let next = query.read_untracked().get("next").unwrap_or_default();
    let ended = query.read_untracked().get("ended").is_some();
    let flash = welcome.flash;
    let email = flash.as_ref().and_then(|flash| flash.field("email")).unwrap_or_default().to_owned();
    let flashed = flash.and_then(|flash| flash.outcome.err());
    let problem = Signal::derive(move || match sign_in.value().get() {
        Some(Err(refused)) => Some(refused.0),
        Some(Ok(_)) => None,
        None => flashed.clone(),
    });
    let password = NodeRef::<leptos::html::Input>::new();
    let summary = NodeRef::<leptos::html::Div>::new();
    Effect::new(move || {
        if problem.get().is_some()
            && let (Some(summary), Some(password)) = (summary.get(), password.get())
        {
            password.set_value("");
            let _ = summary.focus();
        }
    });
    let wrong = Memo::new(move |_| matches!(problem.get(), Some(Problem::WrongPassword)));
    let invalid = move || wrong.get().then_some("true");
    let described = move || wrong.get().then_some(WRONG);
    let fresh = problem.with_untracked(Option::is_none);
    view! {
        <LiveTitle text=Signal::derive(move || if problem.read().is_some() { "Error: Sign in" } else { "Sign in" }.to_owned()) />
        <main id="main" class="login" tabindex="-1">
            <Brand environment=welcome.environment />
            <div class="card">
                <Show when=move || problem.read().is_some()>
                    <div class="error-summary" role="alert" tabindex="-1" autofocus=true data-testid="error-summary" node_ref=summary>
                        <h2>"There is a problem"</h2>
                        <p id=WRONG>
                            {move || problem.get().map(|problem| match problem {
                                Problem::WrongPassword => view! { <a href="#email" rel="external">{problem.to_string()}</a> }.into_any(),
                                other => view! { {unreached(&other).map_or_else(|| other.to_string(), str::to_owned)} }.into_any(),
                            })}
                        </p>
                    </div>
                </Show>
                <h1>"Sign in"</h1>
                <p class="lead">"For operators and support staff."</p>
                {(ended && fresh).then(|| view! {
                    <p class="note info" data-testid="signed-out">
                        <Icon16 icon=Icon::Info />
                        <span>"You were signed out. Sign in to go on where you left off."</span>
                    </p>
                })}
                <ActionForm action=sign_in attr:data-testid="login-form" attr:novalidate=true attr:aria-label="Sign in">
                    <input type="hidden" name="next" value=next />
                    <div class="field">
                        <label for="email">"Email"</label>
                        <input
                            id="email"
                            name="email"
                            type="email"
                            autocomplete="username"
                            autocapitalize="none"
                            spellcheck="false"
                            value=email
                            autofocus=fresh
                            aria-required="true"
                            aria-invalid=invalid
                            aria-describedby=described
                        />
                    </div>
                    <Password password invalid described />
                    <button type="submit" class="button primary wide" data-testid="login-submit" aria-busy=move || sign_in.pending().get().then_some("true")>
                        "Sign in"
                    </button>
                </ActionForm>
            </div>
            <p class="hint">"What you view and change here is recorded in the audit log."</p>
        </main>
    }
}

/// The password, hidden unless asked for.
#[component]
fn Password(
    password: NodeRef<leptos::html::Input>,
    invalid: impl Fn() -> Option<&'static str> + Copy + Send + Sync + 'static,
    described: impl Fn() -> Option<&'static str> + Copy + Send + Sync + 'static,
) -> impl IntoView {
    let shown = RwSignal::new(false);
    view! {
        <div class="field">
            <label for="password">"Password"</label>
            <button
                type="button"
                class="show scripted"
                aria-controls="password"
                aria-label=move || if shown.get() { "Hide password" } else { "Show password" }
                on:click=move |_| shown.update(|shown| *shown = !*shown)
            >
                <span class="link">{move || if shown.get() { "Hide" } else { "Show" }}</span>
            </button>
            <input
                id="password"
                name="password"
                type=move || if shown.get() { "text" } else { "password" }
                autocomplete="current-password"
                autocapitalize="none"
                spellcheck="false"
                aria-required="true"
                aria-invalid=invalid
                aria-describedby=described
                node_ref=password
            />
        </div>
    }
}
