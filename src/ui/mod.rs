//! The console: one file per screen; `parts` holds components that several screens share.
//!
//! Pages are documents: the server renders them, and each decision is a form that works without script. Where people work without
//! leaving a page, an island hydrates its part of the document: the frame's messages, the review queue, the editor. Everything
//! else that a script adds is in `document`. The server's and the browser's first HTML must be the same, so no view reads a clock
//! or generates an id.

#![allow(clippy::needless_pass_by_value, reason = "components take their properties by value")]
#![allow(clippy::must_use_candidate, reason = "a view that is not used is a warning of its own")]
#![allow(clippy::pedantic, reason = "view macros and components have shapes of their own")]

mod account;
mod audit;
mod candidate;
mod document;
mod erasures;
mod facts;
mod find;
mod gate_panel;
mod help;
mod inspect;
mod keys;
mod live;
mod login;
mod missing;
mod operators;
mod own;
mod parts;
mod review;
mod settings;
mod shell;
mod start;
mod stats;
mod stored;
mod user;
mod users;
mod webhooks;
mod work;

pub use document::IN_PART;

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::{SsrMode, path};

use crate::calls::session::{Habits, Theme};

/// The theme and the preferences for rendering the document, from the request's cookies.
#[derive(Debug, Clone, Copy)]
pub struct Colours(pub Theme, pub Habits);

/// The HTML document around the app. Rendered only by the server.
#[must_use]
pub fn page() -> impl IntoView {
    let theme = use_context::<Colours>().and_then(|colours| colours.0.name());
    let density = use_context::<Colours>().filter(|colours| colours.1.compact).map(|_| "compact");
    let options = use_context::<LeptosOptions>().unwrap_or_else(|| LeptosOptions::builder().output_name("keepsake").build());
    view! {
        <!DOCTYPE html>
        <html lang="en" data-theme=theme data-density=density>
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
                <link rel="preload" href="/fonts/inter-latin.woff2" r#as="font" type="font/woff2" crossorigin="anonymous" />
                <link rel="stylesheet" href="/pkg/keepsake.css" />
                <HydrationScripts options islands=true />
                <leptos_meta::MetaTags />
            </head>
            <body>
                <parts::icon::SharedIcons />
                <App />
            </body>
        </html>
    }
}

/// The last island of a page: from here on the browser handles clicks. Tests and styles wait for this mark. Scripts that change
/// the page by themselves start here too, because an island being hydrated must find what the server rendered.
#[island]
fn Awake() -> impl IntoView {
    let (console, live) = (use_context::<shell::ConsoleState>(), use_context::<live::Live>());
    Effect::new(move || {
        document::begin(console);
        if let Some(live) = live {
            live.start();
        }
        if let Some(console) = console {
            console.tell_what_was_done();
        }
        if let Some(root) = leptos::prelude::document().document_element() {
            let _ = root.set_attribute("data-hydrated", "true");
        }
    });
}

/// The app: routes, and the frame around every page except sign-in.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=|page: String| if page.is_empty() { "Keepsake".to_owned() } else { format!("{page} · Keepsake") } />
        <Router>
            <Routes fallback=missing::Missing>
                <Route path=path!("/login") view=login::Login ssr=SsrMode::Async />
                <ParentRoute path=path!("/") view=shell::Shell ssr=SsrMode::Async>
                    <Route path=path!("") view=start::Home ssr=SsrMode::Async />
                    <Route path=path!("start") view=start::Start ssr=SsrMode::Async />
                    <Route path=path!("stats") view=stats::Stats ssr=SsrMode::Async />
                    <Route path=path!("review") view=review::Review ssr=SsrMode::Async />
                    <Route path=path!("review/:id") view=candidate::CandidatePage ssr=SsrMode::Async />
                    <Route path=path!("manage/settings") view=settings::Settings ssr=SsrMode::Async />
                    <Route path=path!("manage/settings/apply") view=settings::ApplyPage ssr=SsrMode::Async />
                    <Route path=path!("manage/settings/history") view=settings::HistoryPage ssr=SsrMode::Async />
                    <Route path=path!("manage/recall") view=inspect::Inspect ssr=SsrMode::Async />
                    <Route path=path!("manage/gate") view=gate_panel::GatePanel ssr=SsrMode::Async />
                    <Route path=path!("manage/users") view=users::Users ssr=SsrMode::Async />
                    <Route path=path!("manage/users/:id") view=user::UserOverview ssr=SsrMode::Async />
                    <Route path=path!("manage/users/:id/memories") view=user::UserMemories ssr=SsrMode::Async />
                    <Route path=path!("manage/users/:id/memories/:memory") view=user::UserMemory ssr=SsrMode::Async />
                    <Route path=path!("manage/users/:id/chat") view=user::UserTold ssr=SsrMode::Async />
                    <Route path=path!("manage/users/:id/contributions") view=user::UserContributions ssr=SsrMode::Async />
                    <Route path=path!("manage/users/:id/access") view=user::UserAccess ssr=SsrMode::Async />
                    <Route path=path!("manage/users/:id/erasures") view=user::UserErasures ssr=SsrMode::Async />
                    <Route path=path!("manage/users/:id/erase") view=erasures::ErasePlan ssr=SsrMode::Async />
                    <Route path=path!("manage/erasures") view=erasures::Erasures ssr=SsrMode::Async />
                    <Route path=path!("manage/erasures/:id") view=erasures::ErasureReceipt ssr=SsrMode::Async />
                    <Route path=path!("manage/operators") view=operators::Operators ssr=SsrMode::Async />
                    <Route path=path!("manage/keys") view=keys::Keys ssr=SsrMode::Async />
                    <Route path=path!("manage/keys/:id") view=keys::page::OneKey ssr=SsrMode::Async />
                    <Route path=path!("manage/webhooks") view=webhooks::Webhooks ssr=SsrMode::Async />
                    <Route path=path!("find") view=find::Find ssr=SsrMode::Async />
                    <Route path=path!("account") view=own::AccountPage ssr=SsrMode::Async />
                    <Route path=path!("audit") view=audit::Audit ssr=SsrMode::Async />
                    <Route path=path!("manage") view=|| view! { <Redirect path="/manage/facts" /> } ssr=SsrMode::Async />
                    <Route path=path!("manage/facts") view=facts::Facts ssr=SsrMode::Async />
                    <Route path=path!("manage/facts/delete") view=facts::delete::DeleteMany ssr=SsrMode::Async />
                    <Route path=path!("manage/facts/:id") view=facts::fact::FactDetail ssr=SsrMode::Async />
                    <Route path=path!("manage/facts/:id/delete") view=facts::delete::DeleteOne ssr=SsrMode::Async />
                    <Route path=path!("manage/facts/:id/duel/:other") view=facts::duel::DuelPage ssr=SsrMode::Async />
                    <Route path=path!("help/stored") view=stored::Stored ssr=SsrMode::Async />
                    <Route path=path!("help/keys") view=help::Keys ssr=SsrMode::Async />
                    <Route path=path!("*any") view=missing::Missing ssr=SsrMode::Async />
                </ParentRoute>
            </Routes>
        </Router>
    }
}
