//! Sign in. The page does not load the console's program: its only script is a few lines that show the password.

use leptos::nonce::use_nonce;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::parts::icon::{Icon, Icon16};
use crate::parts::load::load;
use crate::screens;
use crate::session::call::open_welcome;
use crate::session::shapes::Welcome;
use crate::shell::Brand;
use domain::problem::Problem;

/// The id of the error message.
const WRONG: &str = "problem";
const SHOW_PASSWORD: &str = include_str!("show_password.js");

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
    let query = use_query_map().get_untracked();
    let next = query.get("next").unwrap_or_default();
    let ended = query.get("ended").is_some();
    let flash = welcome.flash;
    let email = flash.as_ref().and_then(|flash| flash.field("email")).unwrap_or_default().to_owned();
    let problem = flash.and_then(|flash| flash.outcome.err());
    let fresh = problem.is_none();
    let wrong = matches!(problem, Some(Problem::WrongPassword));
    let (invalid, described) = (wrong.then_some("true"), wrong.then_some(WRONG));
    view! {
        <Title text=if fresh { screens::LOGIN.title.to_owned() } else { format!("Error: {}", screens::LOGIN.title) } />
        <main id="main" class="login" tabindex="-1">
            <Brand environment=welcome.environment />
            <div class="card">
                {problem.map(|problem| view! {
                    <div class="error-summary" role="alert" tabindex="-1" autofocus=true data-testid="error-summary">
                        <h2>"There is a problem"</h2>
                        <p id=WRONG>
                            {match problem {
                                Problem::WrongPassword => view! { <a href="#email">{problem.to_string()}</a> }.into_any(),
                                other => other.to_string().into_any(),
                            }}
                        </p>
                    </div>
                })}
                <h1>{screens::LOGIN.title}</h1>
                <p class="lead">"For operators and support staff."</p>
                {(ended && fresh).then(|| view! {
                    <p class="note info" data-testid="signed-out">
                        <Icon16 icon=Icon::Info />
                        <span>"You were signed out. Sign in to go on where you left off."</span>
                    </p>
                })}
                <form method="post" action="/calls/sign_in" novalidate=true aria-label="Sign in" data-testid="login-form">
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
                    <Password invalid described />
                    <button type="submit" class="button primary wide" data-testid="login-submit">"Sign in"</button>
                </form>
            </div>
            <p class="hint">"What you view and change here is recorded in the audit log."</p>
        </main>
        <script nonce=use_nonce()>{SHOW_PASSWORD}</script>
    }
}

/// The password field, hidden unless the user shows it. Without script there is no button.
#[component]
fn Password(invalid: Option<&'static str>, described: Option<&'static str>) -> impl IntoView {
    view! {
        <div class="field">
            <label for="password">"Password"</label>
            <button type="button" class="show" hidden=true aria-controls="password" aria-label="Show password">
                <span class="link">"Show"</span>
            </button>
            <input
                id="password"
                name="password"
                type="password"
                autocomplete="current-password"
                autocapitalize="none"
                spellcheck="false"
                aria-required="true"
                aria-invalid=invalid
                aria-describedby=described
            />
        </div>
    }
}
