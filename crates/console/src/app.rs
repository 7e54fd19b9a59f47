//! The routes, and the HTML document around every page.
//!
//! Pages are documents: the server renders them, and each decision is a form that works without script. Where people work without
//! leaving a page, an island hydrates its part of the document: the frame's messages, the review queue, the editor. Everything
//! else that a script adds is in `document`. The server's and the browser's first HTML must be the same, so no view reads a clock
//! or generates an id.

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::components::{ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::{ParamSegment, PartialPathMatch, PathSegment, PossibleRouteMatch, SsrMode, StaticSegment, path};

pub use crate::document::fetch::IN_PART;

use crate::screens::Screen;
use crate::session::shapes::{Habits, ReadyFrame, Theme};
use crate::session::{login, own};
use crate::users::{record, view as users};
use crate::{
    audit, erasures, facts, find, gate_panel, help, inspect, keys, missing, operators, review, screens, settings, shell, start,
    stats, webhooks,
};

/// The theme and the preferences for rendering the document, from the request's cookies.
#[derive(Debug, Clone, Copy)]
pub struct Colours(pub Theme, pub Habits);

/// The HTML document around the app. Rendered only by the server.
#[must_use]
pub fn page() -> impl IntoView {
    let theme = use_context::<Colours>().and_then(|colours| colours.0.name());
    let density = use_context::<Colours>().filter(|colours| colours.1.compact).map(|_| "compact");
    let options = use_context::<LeptosOptions>().unwrap_or_else(|| LeptosOptions::builder().output_name("keepsake").build());
    // Islands alone are hydrated: the data of the page around them is not needed again.
    if let Some(shared) = Owner::current_shared_context() {
        shared.set_is_hydrating(false);
    }
    // The sign-in page has no islands, so it loads no program.
    let has_islands = matches!(use_context::<ReadyFrame>(), Some(ReadyFrame(Ok(_))));
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
                // Nothing is painted before the whole page is read: half a table has other columns.
                <link rel="expect" href="#end" blocking="render" />
                <AutoReload options=options.clone() />
                {has_islands.then(|| view! { <HydrationScripts options islands=true /> })}
                <leptos_meta::MetaTags />
            </head>
            <body>
                <App />
                <div id="end" hidden></div>
            </body>
        </html>
    }
}

/// A screen matches its own path, part by part, as the framework's `path!` would.
impl PossibleRouteMatch for Screen {
    fn optional(&self) -> bool {
        false
    }

    fn test<'a>(&self, path: &'a str) -> Option<PartialPathMatch<'a>> {
        let (mut rest, mut params) = (path, Vec::new());
        for part in self.parts() {
            let found = match part.strip_prefix(':') {
                Some(name) => ParamSegment(name).test(rest),
                None => StaticSegment(part).test(rest),
            }?;
            rest = found.remaining();
            params.extend(found.params());
        }
        Some(PartialPathMatch::new(rest, params, &path[..path.len() - rest.len()]))
    }

    fn generate_path(&self, path: &mut Vec<PathSegment>) {
        path.extend(self.parts().map(|part| match part.strip_prefix(':') {
            Some(name) => PathSegment::Param(name.into()),
            None => PathSegment::Static(part.into()),
        }));
    }
}

/// The app: routes, and the frame around every page except sign-in.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=|page: String| if page.is_empty() { "Keepsake".to_owned() } else { format!("{page} · Keepsake") } />
        <Router>
            <Routes fallback=missing::Missing>
                <Route path=screens::LOGIN view=login::Login ssr=SsrMode::Async />
                <ParentRoute path=path!("/") view=shell::Shell ssr=SsrMode::Async>
                    <Route path=screens::HOME view=start::view::Home ssr=SsrMode::Async />
                    <Route path=screens::START view=start::view::Start ssr=SsrMode::Async />
                    <Route path=screens::STATS view=stats::view::Stats ssr=SsrMode::Async />
                    <Route path=screens::REVIEW view=review::view::Review ssr=SsrMode::Async />
                    <Route path=screens::CANDIDATE view=review::view::candidate::CandidatePage ssr=SsrMode::Async />
                    <Route path=screens::SETTINGS view=settings::view::Settings ssr=SsrMode::Async />
                    <Route path=screens::SETTINGS_APPLY view=settings::view::ApplyPage ssr=SsrMode::Async />
                    <Route path=screens::SETTINGS_HISTORY view=settings::view::HistoryPage ssr=SsrMode::Async />
                    <Route path=screens::RECALL view=inspect::view::Inspect ssr=SsrMode::Async />
                    <Route path=screens::GATE view=gate_panel::view::GatePanel ssr=SsrMode::Async />
                    <Route path=screens::USERS view=users::Users ssr=SsrMode::Async />
                    <Route path=screens::USER view=record::UserOverview ssr=SsrMode::Async />
                    <Route path=screens::USER_MEMORIES view=record::UserMemories ssr=SsrMode::Async />
                    <Route path=screens::USER_MEMORY view=record::UserMemory ssr=SsrMode::Async />
                    <Route path=screens::USER_CHAT view=record::UserTold ssr=SsrMode::Async />
                    <Route path=screens::USER_BLOCKS view=record::UserBlocks ssr=SsrMode::Async />
                    <Route path=screens::USER_BLOCK view=record::UserBlock ssr=SsrMode::Async />
                    <Route path=screens::USER_CONTRIBUTIONS view=record::UserContributions ssr=SsrMode::Async />
                    <Route path=screens::USER_ACCESS view=record::UserAccess ssr=SsrMode::Async />
                    <Route path=screens::USER_ERASURES view=record::UserErasures ssr=SsrMode::Async />
                    <Route path=screens::ERASE view=erasures::view::ErasePlan ssr=SsrMode::Async />
                    <Route path=screens::ERASURES view=erasures::view::Erasures ssr=SsrMode::Async />
                    <Route path=screens::ERASURE view=erasures::view::ErasureReceipt ssr=SsrMode::Async />
                    <Route path=screens::OPERATORS view=operators::view::Operators ssr=SsrMode::Async />
                    <Route path=screens::KEYS view=keys::view::Keys ssr=SsrMode::Async />
                    <Route path=screens::KEY view=keys::view::page::OneKey ssr=SsrMode::Async />
                    <Route path=screens::WEBHOOKS view=webhooks::view::Webhooks ssr=SsrMode::Async />
                    <Route path=screens::FIND view=find::view::Find ssr=SsrMode::Async />
                    <Route path=screens::ACCOUNT view=own::AccountPage ssr=SsrMode::Async />
                    <Route path=screens::AUDIT view=audit::view::Audit ssr=SsrMode::Async />
                    <Route path=screens::MANAGE view=|| view! { <Redirect path=screens::FACTS.path /> } ssr=SsrMode::Async />
                    <Route path=screens::FACTS view=facts::view::Facts ssr=SsrMode::Async />
                    <Route path=screens::DELETE_FACTS view=facts::view::delete::DeleteMany ssr=SsrMode::Async />
                    <Route path=screens::FACT view=facts::view::fact::FactDetail ssr=SsrMode::Async />
                    <Route path=screens::DELETE_FACT view=facts::view::delete::DeleteOne ssr=SsrMode::Async />
                    <Route path=screens::DUEL view=facts::view::duel::DuelPage ssr=SsrMode::Async />
                    <Route path=screens::STORED view=help::stored::Stored ssr=SsrMode::Async />
                    <Route path=screens::SHORTCUTS view=help::keys::Keys ssr=SsrMode::Async />
                    <Route path=path!("*any") view=missing::Missing ssr=SsrMode::Async />
                </ParentRoute>
            </Routes>
        </Router>
    }
}
