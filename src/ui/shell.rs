//! The frame of every signed-in page: where you are, which installation, who you are.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::components::{A, Outlet};
use leptos_router::hooks::use_location;

use super::account::{ConnectionBar, Foot, SignInAgain};
use super::help::KeyTable;
use super::live::Live;
use super::parts::editor::Draft;
use super::parts::field::Typed;
use super::parts::focus::{HEADING, close_dialog, follow, open_dialog, typing};
use super::parts::icon::{Icon, Icon16};
use super::parts::last::{Done, LastAction};
use super::parts::load::load;
use super::parts::note::Note;
use super::parts::problem::ProblemPanel;
use crate::calls::session::{Environment, Frame, Ready, open_frame};
use crate::calls::{Flash, Refused};
use crate::domain::problem::Problem;

/// What pages inside the frame share with it.
#[derive(Clone, Copy)]
pub struct Desk {
    /// Pending facts, for the number in the navigation.
    pub pending: RwSignal<i64>,
    /// Falls when the operator's access changes meanwhile.
    pub may_edit: RwSignal<bool>,
    /// The last decision that stands.
    pub done: RwSignal<Option<Done>>,
    /// What a form post without script could not do, and the fact's text.
    pub leftover: RwSignal<Option<(Problem, Option<String>)>>,
    /// A large bulk without script that waits for its confirmation.
    pub asked: RwSignal<Option<Flash>>,
    /// What this operator decided today.
    pub today: RwSignal<i64>,
    /// Something can be taken back.
    pub undoable: RwSignal<bool>,
    /// Rises when something was taken back.
    pub taken_back: RwSignal<u64>,
    /// The session ended while the page was open.
    pub signed_out: RwSignal<bool>,
    /// What is typed in an editor and not saved.
    pub draft: RwSignal<Option<Draft>>,
    /// Single letters are commands.
    pub single_keys: RwSignal<bool>,
    /// What screen readers are told, one thing at a time.
    pub announcement: RwSignal<String>,
}

impl Desk {
    fn new(frame: &Frame) -> Self {
        let asked = frame.flash.clone().filter(|flash| matches!(flash.outcome, Err(Problem::ConfirmBulk { .. })));
        let (done, leftover) = match frame.flash.clone().map(|flash| flash.outcome) {
            Some(Err(Problem::ConfirmBulk { .. })) => (None, None),
            Some(Ok(notice)) => (Some(Done { notice, text: frame.flash_text.clone() }), None),
            Some(Err(problem)) => (None, Some((problem, frame.flash_text.clone()))),
            None => (None, None),
        };
        Self {
            pending: RwSignal::new(frame.pending),
            may_edit: RwSignal::new(frame.may_edit),
            done: RwSignal::new(done),
            leftover: RwSignal::new(leftover),
            asked: RwSignal::new(asked),
            today: RwSignal::new(frame.decided_today),
            undoable: RwSignal::new(frame.undoable),
            taken_back: RwSignal::new(0),
            signed_out: RwSignal::new(false),
            draft: RwSignal::new(None),
            single_keys: RwSignal::new(frame.habits.single_keys),
            announcement: RwSignal::new(String::new()),
        }
    }

    /// Tells screen readers, without moving anything.
    pub fn announce(self, words: &str) {
        self.announcement.set(words.to_owned());
    }
}

/// How long `G` waits for its second key.
const SEQUENCE_MS: Duration = Duration::from_millis(1_500);

/// Keys that work on every page.
fn anywhere(desk: Desk) {
    let pending = StoredValue::new(false);
    Effect::new(move || {
        let listening = window_event_listener(ev::keydown, move |ev| {
            if ev.ctrl_key() || ev.meta_key() || ev.alt_key() || typing() || !desk.single_keys.get_untracked() {
                return;
            }
            let key = ev.key();
            if pending.get_value() {
                pending.set_value(false);
                let place = match key.as_str() {
                    "s" => "nav-stats",
                    "r" => "nav-review",
                    "f" => "nav-facts",
                    "u" => "nav-users",
                    "e" => "nav-erasures",
                    "t" => "nav-settings",
                    "a" => "nav-audit",
                    _ => return,
                };
                // The list's own keys must not hear the second letter.
                ev.prevent_default();
                follow(&format!("[data-testid={place}]"));
            } else if key == "g" {
                pending.set_value(true);
                set_timeout(
                    move || {
                        pending.try_set_value(false);
                    },
                    SEQUENCE_MS,
                );
            } else if key == "?" {
                open_dialog("keys");
            }
        });
        on_cleanup(move || listening.remove());
    });
}

/// The server has the frame ready; the browser asks for it only after a sign-in that changed no document.
#[component]
pub fn Shell() -> impl IntoView {
    let ready = SharedValue::new(use_context::<Ready>).into_inner();
    match ready {
        Some(Ready(frame)) => around(frame).into_any(),
        None => {
            let page = load(|| (), |()| open_frame());
            view! { <Suspense>{move || Suspend::new(async move { around(page.await) })}</Suspense> }.into_any()
        }
    }
}

fn around(frame: Result<Frame, Refused>) -> AnyView {
    match frame {
        Ok(frame) => view! { <Framed frame /> }.into_any(),
        Err(Refused(Problem::Unauthenticated)) => view! { <SignedOut /> }.into_any(),
        Err(Refused(problem)) => {
            view! { <main id="main" class="bare"><ProblemPanel problem missing="The page" /></main> }.into_any()
        }
    }
}

/// The session ended while the console was open. Links inside it do not ask the server, which would lead to the sign-in page.
#[component]
fn SignedOut() -> impl IntoView {
    let here = use_location();
    let href = move || format!("/login?next={}&ended=1", here.pathname.get());
    view! {
        <main id="main" class="bare">
            <section class="panel">
                <h1>"You were signed out"</h1>
                <p>"Sign in to go on where you left off."</p>
                <a class="button" rel="external" href=href>"Sign in"</a>
            </section>
        </main>
    }
}

#[component]
fn Framed(frame: Frame) -> impl IntoView {
    let desk = Desk::new(&frame);
    provide_context(desk);
    provide_context(Typed(frame.flash.clone()));
    let live = Live::new();
    provide_context(live);
    Effect::new(move || live.start());
    anywhere(desk);
    let foot = frame.clone();
    view! {
        <div class="app" data-testid="app">
            <a class="skip" href="#main" rel="external">"Skip to content"</a>
            <header class="sidebar">
                <Brand environment=frame.environment />
                <nav aria-label="Main">
                    <Place href="/stats" id="nav-stats" icon=Icon::Chart label="Stats" />
                    <A href="/review" attr:data-testid="nav-review" attr:aria-label=move || format!("Review queue, {} pending", desk.pending.get())>
                        <Icon16 icon=Icon::Inbox />
                        <span>"Review"<span class="roomy">" queue"</span></span>
                        <span class="count">{move || desk.pending.get()}</span>
                    </A>
                    <p class="group">"Manage"</p>
                    <A href="/manage" attr:class="narrow" attr:data-testid="nav-manage"><Icon16 icon=Icon::Sliders /><span>"Manage"</span></A>
                    <Place href="/manage/facts" id="nav-facts" icon=Icon::Lines label="Facts" wide=true />
                    <Place href="/manage/users" id="nav-users" icon=Icon::People label="Users" wide=true />
                    <Place href="/manage/erasures" id="nav-erasures" icon=Icon::Receipt label="Erasures" wide=true />
                    <Place href="/manage/settings" id="nav-settings" icon=Icon::Sliders label="Settings" wide=true />
                    <Place href="/manage/operators" id="nav-operators" icon=Icon::Shield label="Operators" wide=true />
                    <p class="group">"Record"</p>
                    <A href="/audit" attr:data-testid="nav-audit"><Icon16 icon=Icon::History /><span>"Audit"<span class="roomy">" log"</span></span></A>
                </nav>
                <Foot frame=foot />
            </header>
            <main id="main" class="sheet" tabindex="-1">
                <Show when=move || !desk.may_edit.get()>
                    <p class="bar" data-testid="readonly-bar">
                        <Icon16 icon=Icon::Eye />
                        <span>"You have view access. To change anything, ask for the "<strong>"users:edit"</strong>" capability."</span>
                    </p>
                </Show>
                {frame.warning.map(|warning| view! { <p class="bar warn" data-testid="warning-bar"><Icon16 icon=Icon::Warning /><span>{warning}</span></p> })}
                {frame.residue.map(|words| view! { <p class="bar danger" role="alert" data-testid="residue-bar"><Icon16 icon=Icon::Warning /><span>{words}</span></p> })}
                <ConnectionBar />
                <ManageTabs />
                <Outlet />
                <LastAction desk />
            </main>
            <p class="sr" role="status" data-testid="announcer">{move || desk.announcement.get()}</p>
            <SignInAgain />
            <dialog id="keys" class="dialog wide-dialog" aria-labelledby="keys-title">
                <h2 id="keys-title">"Keyboard shortcuts"</h2>
                <KeyTable />
                <div class="dialog-actions"><button type="button" class="button" on:click=move |_| close_dialog("keys")>"Close"</button></div>
            </dialog>
        </div>
    }
}

/// On a phone the pages of Manage carry a second row of links.
#[component]
fn ManageTabs() -> impl IntoView {
    let here = use_location();
    view! {
        <Show when=move || here.pathname.read().starts_with("/manage")>
            <nav class="manage-tabs narrow" aria-label="Manage">
                <A href="/manage/facts">"Facts"</A>
                <A href="/manage/users">"Users"</A>
                <A href="/manage/erasures">"Erasures"</A>
                <A href="/manage/settings">"Settings"</A>
                <A href="/manage/operators">"Operators"</A>
            </nav>
        </Show>
    }
}

/// A link of the main navigation.
#[component]
fn Place(
    href: &'static str,
    id: &'static str,
    icon: Icon,
    label: &'static str,
    /// Has no room on a phone.
    #[prop(optional)]
    wide: bool,
) -> impl IntoView {
    view! { <A href=href attr:class=if wide { "wide" } else { "" } attr:data-testid=id><Icon16 icon /><span>{label}</span></A> }
}

/// The mark, the name, and which installation this is.
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

/// The head of a page. The heading takes the focus when there is nothing better to give it to.
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
            {crumbs.then(|| view! { <p class="crumbs"><A href="/review">"Review queue"</A><span aria-hidden="true">"›"</span></p> })}
            <h1 id=HEADING tabindex="-1">{title}</h1>
            {lead.map(|lead| view! { <p class="lead">{lead}</p> })}
            {children.map(|children| view! { <div class="head-actions">{children()}</div> })}
        </header>
    }
}

/// What a form post without script could not do, until the next decision.
#[component]
pub fn Leftover() -> impl IntoView {
    let desk = expect_context::<Desk>();
    move || desk.leftover.get().map(|(problem, text)| view! { <div class="leftover"><Note problem text /></div> })
}
