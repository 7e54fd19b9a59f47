//! The frame of every signed-in page: the navigation, the installation, and the operator.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::components::Outlet;
use leptos_router::hooks::use_location;

use crate::awake::Awake;
use crate::document;
use crate::live::LiveSignals;
use crate::notice::{Refused, grouped};
use crate::parts::field::{Blamed, Typed};
use crate::parts::focus::{HEADING, focus, follow, in_dialog, typing};
use crate::parts::icon::{Icon, Icon16};
use crate::parts::last::LastAction;
use crate::parts::note::Note;
use crate::parts::problem::ProblemPanel;
use crate::parts::when::Show;
use crate::screens::{self, Navigation};
use crate::session::account::{ConnectionBar, Foot, SignInAgain};
use crate::session::shapes::{Environment, Frame, ReadyFrame};
use crate::state::ConsoleState;
use domain::access::rights::{Right, Rights};
use domain::facts::rejection::Reason;
use domain::problem::Problem;

/// How often something in progress is polled.
const ASK_EVERY: Duration = Duration::from_secs(2);
/// Rows of the skeleton.
const SKELETON_ROWS: usize = 6;
/// How long `G` waits for its second key.
const SEQUENCE_MS: Duration = Duration::from_millis(1_500);

/// Keyboard shortcuts that work on every page.
fn anywhere(console: ConsoleState) {
    let pending = StoredValue::new(false);
    Effect::new(move || {
        let listening = window_event_listener(ev::keydown, move |ev| {
            if ev.ctrl_key() || ev.meta_key() || ev.alt_key() || typing() || in_dialog() || !console.single_keys.get_untracked() {
                return;
            }
            let key = ev.key();
            let reason = key.parse::<usize>().ok().and_then(|n| Reason::CANNED.get(n.wrapping_sub(1)).copied());
            if reason.is_some() && console.asks_why.get_untracked() && !ev.default_prevented() {
                ev.prevent_default();
                console.said_why.set(reason);
                return;
            }
            if pending.get_value() {
                pending.set_value(false);
                let place = match key.as_str() {
                    "s" => screens::STATS.path,
                    "r" => screens::REVIEW.path,
                    "f" => screens::FACTS.path,
                    "u" => screens::USERS.path,
                    "e" => screens::ERASURES.path,
                    "t" => screens::SETTINGS.path,
                    "k" => screens::KEYS.path,
                    "a" => screens::AUDIT.path,
                    _ => return,
                };
                // Keeps the second letter from the shortcuts of the list.
                ev.prevent_default();
                let _ = window().location().assign(place);
            } else if key == "g" {
                pending.set_value(true);
                set_timeout(
                    move || {
                        pending.try_set_value(false);
                    },
                    SEQUENCE_MS,
                );
            } else if key == "?" {
                document::question::show(screens::SHORTCUTS.path.to_owned());
            } else if key == "/" {
                ev.prevent_default();
                focus("search");
            } else if key == "e" {
                // The queue edits in place; the page of one fact links to its editor.
                follow(".detail a[data-testid=edit]");
            } else if key == "z" {
                follow("[data-key=z]");
            } else if key == "w" && console.has_rejected() {
                console.asks_why.set(true);
            } else if key == "[" {
                follow("[data-testid=pager-prev]");
            } else if key == "]" {
                follow("[data-testid=pager-next]");
            }
        });
        on_cleanup(move || listening.remove());
    });
}

/// The frame around a page. The server prepared it before; without one the visitor is signed out.
#[component]
pub fn Shell() -> impl IntoView {
    match use_context::<ReadyFrame>() {
        Some(ReadyFrame(Ok(frame))) => view! { <Framed frame /> }.into_any(),
        Some(ReadyFrame(Err(Refused(Problem::Unauthenticated)))) | None => view! { <SignedOut /> }.into_any(),
        Some(ReadyFrame(Err(Refused(problem)))) => {
            view! { <main id="main" class="bare"><ProblemPanel problem missing="The page" /></main> }.into_any()
        }
    }
}

#[component]
fn SignedOut() -> impl IntoView {
    let here = use_location();
    let href = move || format!("/login?next={}&ended=1", here.pathname.get());
    view! {
        <main id="main" class="bare">
            <section class="panel">
                <h1>"You were signed out"</h1>
                <p>"Sign in to go on where you left off."</p>
                <a class="button" href=href>"Sign in"</a>
            </section>
        </main>
    }
}

#[component]
fn Framed(frame: Frame) -> impl IntoView {
    let here = use_location().pathname.get_untracked();
    let at = move |href: &str| {
        let below = here.strip_prefix(href).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        below.then_some("page")
    };
    let needs = screens::needed_at(&use_location().pathname.get_untracked());
    let about_facts = needs == Some(Right::Review);
    let asks_for_good = asks_for_good(&use_location().pathname.get_untracked(), &use_location().search.get_untracked());
    let (manages, tabs_at) = (at(screens::MANAGE.path), at.clone());
    let tabs = screens::SCREENS.iter().filter(|screen| screen.navigation == Navigation::Manage);
    let Frame { environment, warning, residue, .. } = frame.clone();
    let foot = frame.clone();
    provide_context(Typed(frame.flash.clone()));
    provide_context(Blamed(frame.verdict.clone()));
    view! {
        <InsideFrame frame>
            <div class="app" data-testid="app">
                <a class="skip" href="#main">"Skip to content"</a>
                <header class="sidebar">
                    <Brand environment />
                    <a class="finder" href=screens::FIND.path data-dialog="true" data-testid="find" aria-label="Find" aria-keyshortcuts="Control+K Meta+K"><Icon16 icon=Icon::Search /><span>"Find"</span><kbd>"⌘K"</kbd></a>
                    <nav aria-label="Main">
                        <Place href=screens::STATS.path id="nav-stats" icon=Icon::Chart label=screens::STATS.title current=at(screens::STATS.path) />
                        <QueueLink current=at(screens::REVIEW.path).is_some() />
                        <Place href=screens::FACTS.path id="nav-manage" icon=Icon::Sliders label=screens::MANAGE.title current=manages />
                        <p class="group">"Record"</p>
                        <a href=screens::AUDIT.path data-testid="nav-audit" aria-current=at(screens::AUDIT.path)><Icon16 icon=Icon::History /><span>"Audit"<span class="roomy">" log"</span></span></a>
                    </nav>
                    <Foot frame=foot />
                </header>
                <main id="main" class="sheet" tabindex="-1">
                    <ReadOnlyBar needs />
                    {warning.map(|warning| view! { <p class="bar warn" data-testid="warning-bar"><Icon16 icon=Icon::Warning /><span>{warning}</span></p> })}
                    {residue.map(|words| view! { <p class="bar danger" role="alert" data-testid="residue-bar"><Icon16 icon=Icon::Warning /><span>{words}</span></p> })}
                    <ConnectionBar />
                    {manages.map(|_| view! {
                        <nav class="manage-tabs" aria-label="Manage">
                            {tabs.map(|tab| view! { <a aria-current=tabs_at(tab.path) href=tab.path>{tab.title}</a> }).collect_view()}
                        </nav>
                    })}
                    <Outlet />
                    <LastAction about_facts asks_for_good />
                </main>
                <Announcer />
                <SignInAgain />
                <template id="skeleton"><Skeleton /></template>
            </div>
            <Awake />
        </InsideFrame>
    }
}

/// The placeholder for a page that is loading.
#[component]
fn Skeleton() -> impl IntoView {
    view! {
        <ul class="list skeleton" aria-label="Loading" data-testid="skeleton">
            {(0..SKELETON_ROWS)
                .map(|_| view! { <li class="row"><div class="row-main"><span class="bone text"></span><span class="bone meta"></span></div><span class="bone actions"></span></li> })
                .collect_view()}
        </ul>
    }
}

/// Provides one shared state and one live channel to everything inside.
#[island]
fn InsideFrame(frame: Frame, children: Children) -> impl IntoView {
    let console = ConsoleState::new(&frame);
    provide_context(console);
    let live = LiveSignals::new();
    provide_context(live);
    anywhere(console);
    reread_when_told(console, live);
    children()
}

/// Reloads the parts of a document that depend on what changed: `data-live`.
fn reread_when_told(console: ConsoleState, live: LiveSignals) {
    let told = move |what: &'static str, times: Signal<u64>| {
        Effect::new(move |before: Option<u64>| {
            let now = times.get();
            if before.is_some_and(|before| before != now) {
                document::reread(what);
            }
            now
        });
    };
    told("facts", live.facts.into());
    told("undone", console.taken_back.into());
    told("settings", live.settings.into());
    told("erasures", live.erasures.into());
    told("keys", live.keys.into());
    // Things in progress are also polled: they may have ended before the channel was open.
    Effect::new(move || {
        let asking = set_interval_with_handle(
            move || {
                if document::runs() {
                    document::reread("erasures");
                }
                if document::waits() {
                    document::reread("keys");
                }
            },
            ASK_EVERY,
        );
        if let Ok(asking) = asking {
            on_cleanup(move || asking.clear());
        }
    });
    Effect::new(move || live.event.with(|event| event.iter().for_each(document::news)));
}

/// Warns that the operator may not change anything, or nothing on this page.
#[island]
fn ReadOnlyBar(
    /// The right needed to change this page.
    needs: Option<Right>,
) -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    let missing = move || match (console.rights.get(), needs) {
        (Rights::View, _) => Some(("You have view access. To change anything, ask for ", "facts:review or users:edit")),
        (rights, Some(right)) if !rights.include(right) => {
            Some(("You have view access here. To make changes, ask for ", right.capability()))
        }
        _ => None,
    };
    view! {
        <Show when=move || missing().is_some()>
            <p class="bar" data-testid="readonly-bar">
                <Icon16 icon=Icon::Eye />
                <span>
                    {move || missing().map(|(words, _)| words)}
                    <strong>{move || missing().map(|(_, capability)| capability)}</strong>
                    "."
                </span>
            </p>
        </Show>
    }
}

/// Whether a page asks about something that cannot be undone: deleting, erasing, merging.
fn asks_for_good(path: &str, search: &str) -> bool {
    path.ends_with("/delete") || path.ends_with("/erase") || search.split('&').any(|pair| pair.starts_with("merge="))
}

/// The live region for screen readers.
#[island]
fn Announcer() -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    view! { <p class="sr" role="status" data-testid="announcer">{move || console.announcement.get()}</p> }
}

/// The link to the queue, with its length.
#[island]
fn QueueLink(current: bool) -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    view! {
        <a href=screens::REVIEW.path data-testid="nav-review" aria-current=current.then_some("page") aria-label=move || format!("Review queue, {} pending", grouped(console.pending.get()))>
            <Icon16 icon=Icon::Inbox />
            <span>"Review"<span class="roomy">" queue"</span></span>
            <span class="count">{move || grouped(console.pending.get())}</span>
        </a>
    }
}

/// A link of the main navigation.
#[component]
fn Place(
    href: &'static str,
    id: &'static str,
    icon: Icon,
    label: &'static str,
    /// Marks the current page.
    current: Option<&'static str>,
) -> impl IntoView {
    view! { <a href=href data-testid=id aria-current=current><Icon16 icon /><span>{label}</span></a> }
}

/// The logo, the name, and which installation this is.
#[component]
pub fn Brand(environment: Environment) -> impl IntoView {
    let tone = if environment == Environment::Production { "chip" } else { "chip warn" };
    view! {
        <p class="brand">
            <Icon16 icon=Icon::Mark />
            <strong>"Keepsake"</strong>
            <span class=tone data-testid="env">{environment.label()}</span>
        </p>
    }
}

/// The head of a page. The heading takes the focus if no other element should.
#[component]
pub fn Head(
    title: &'static str,
    #[prop(optional, into)] lead: Option<Signal<String>>,
    #[prop(optional)] crumbs: bool,
    /// Links and buttons at the right.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    view! {
        <header class="head">
            {crumbs.then(|| view! { <p class="crumbs"><a href=screens::REVIEW.path>{screens::REVIEW.title}</a><span aria-hidden="true">"›"</span></p> })}
            <h1 id=HEADING tabindex="-1">{title}</h1>
            {lead.map(|lead| view! { <p class="lead">{lead}</p> })}
            {children.map(|children| view! { <div class="head-actions">{children()}</div> })}
        </header>
    }
}

/// The problem of the last action, shown until the next one.
#[component]
pub fn Leftover() -> impl IntoView {
    let console = expect_context::<ConsoleState>();
    move || console.leftover.get().map(|(problem, text)| view! { <div class="leftover"><Note problem text /></div> })
}

/// [`Leftover`] in a document without islands.
#[island]
pub fn LeftoverHere() -> impl IntoView {
    view! { <Leftover /> }
}
