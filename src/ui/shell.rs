//! The frame of every signed-in page: where you are, which installation, who you are.

use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos_router::components::{A, Outlet};
use leptos_router::hooks::use_location;

use super::parts::decide::{Done, HEADING, LastAction};
use super::parts::field::Typed;
use super::parts::icon::{Icon, Icon16};
use super::parts::note::Note;
use super::parts::problem::ProblemPanel;
use crate::calls::Refused;
use crate::calls::session::{Environment, Frame, SetTheme, SignOut, Theme, open_frame};
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
}

impl Desk {
    fn new(frame: &Frame) -> Self {
        let (done, leftover) = match frame.flash.clone().map(|flash| flash.outcome) {
            Some(Ok(notice)) => (Some(Done { notice, text: frame.flash_text.clone() }), None),
            Some(Err(problem)) => (None, Some((problem, frame.flash_text.clone()))),
            None => (None, None),
        };
        Self {
            pending: RwSignal::new(frame.pending),
            may_edit: RwSignal::new(frame.may_edit),
            done: RwSignal::new(done),
            leftover: RwSignal::new(leftover),
        }
    }
}

#[component]
pub fn Shell() -> impl IntoView {
    let page = Resource::new_blocking(|| (), |()| open_frame());
    view! {
        <Suspense>
            {move || Suspend::new(async move {
                match page.await {
                    Ok(frame) => view! { <Framed frame /> }.into_any(),
                    Err(Refused(Problem::Unauthenticated)) => view! { <SignedOut /> }.into_any(),
                    Err(Refused(problem)) => view! { <main id="main" class="bare"><ProblemPanel problem missing="The page" /></main> }.into_any(),
                }
            })}
        </Suspense>
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
    let sign_out = ServerAction::<SignOut>::new();
    let initials: String = frame.operator.split_whitespace().filter_map(|word| word.chars().next()).take(2).collect();
    let role = move || if desk.may_edit.get() { "Editor" } else { "View only" };
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
                    <Place href="/manage/settings" id="nav-settings" icon=Icon::Sliders label="Settings" wide=true />
                    <Place href="/manage/operators" id="nav-operators" icon=Icon::Shield label="Operators" wide=true />
                    <p class="group">"Record"</p>
                    <A href="/audit" attr:data-testid="nav-audit"><Icon16 icon=Icon::History /><span>"Audit"<span class="roomy">" log"</span></span></A>
                </nav>
                <div class="foot">
                    <span class="avatar" aria-hidden="true">{initials}</span>
                    <p class="who"><strong><A href="/account" attr:data-testid="nav-account">{frame.operator}</A></strong><small>{role}</small></p>
                    <ThemeButton theme=frame.theme />
                    <ActionForm action=sign_out>
                        <button type="submit" class="quiet" aria-label="Sign out" title="Sign out"><Icon16 icon=Icon::SignOut /></button>
                    </ActionForm>
                </div>
            </header>
            <main id="main" class="sheet" tabindex="-1">
                <Show when=move || !desk.may_edit.get()>
                    <p class="bar" data-testid="readonly-bar">
                        <Icon16 icon=Icon::Eye />
                        <span>"You have view access. To change anything, ask for the "<strong>"users:edit"</strong>" capability."</span>
                    </p>
                </Show>
                {frame.warning.map(|warning| view! { <p class="bar warn" data-testid="warning-bar"><Icon16 icon=Icon::Warning /><span>{warning}</span></p> })}
                <ManageTabs />
                <Outlet />
                <LastAction done=desk.done />
            </main>
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
) -> impl IntoView {
    view! {
        <header class="head">
            {crumbs.then(|| view! { <p class="crumbs"><A href="/review">"Review queue"</A><span aria-hidden="true">"›"</span></p> })}
            <h1 id=HEADING tabindex="-1">{title}</h1>
            {lead.map(|lead| view! { <p class="lead">{lead}</p> })}
        </header>
    }
}

/// What a form post without script could not do, until the next decision.
#[component]
pub fn Leftover() -> impl IntoView {
    let desk = expect_context::<Desk>();
    move || desk.leftover.get().map(|(problem, text)| view! { <div class="leftover"><Note problem text /></div> })
}

/// Cycles through the system's theme, light and dark: at once with script, by a new page without.
#[component]
fn ThemeButton(theme: Theme) -> impl IntoView {
    let theme = RwSignal::new(theme);
    let set = ServerAction::<SetTheme>::new();
    Effect::new(move || {
        if let Some(Ok(_)) = set.value().get() {
            theme.update(|theme| *theme = theme.next());
            show_in(theme.get_untracked());
        }
    });
    let icon = move || match theme.get() {
        Theme::System => Icon::Monitor,
        Theme::Light => Icon::Sun,
        Theme::Dark => Icon::Moon,
    };
    let label = move || format!("Theme: {}. Change to {}", theme.get().label(), theme.get().next().label());
    view! {
        <ActionForm action=set attr:class="theme">
            <input type="hidden" name="theme" value=move || theme.get().next().name().unwrap_or("system") />
            <button type="submit" class="quiet" data-testid="theme" aria-label=label title=label>{move || view! { <Icon16 icon=icon() /> }}</button>
        </ActionForm>
    }
}

fn show_in(theme: Theme) {
    let Some(root) = document().document_element() else { return };
    let _ = match theme.name() {
        Some(name) => root.set_attribute("data-theme", name),
        None => root.remove_attribute("data-theme"),
    };
}
