//! Approve and reject: two forms that work without script, and what the last of them did.

use leptos::form::ActionForm;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};

use super::icon::{Icon, Icon16};
use super::prose::Prose;
use crate::calls::review::{Approve, Candidate, Reject};
use crate::calls::staff::StaffDeed;
use crate::calls::{Notice, Refused};
use crate::domain::problem::Problem;

/// How a decision ended.
pub type Outcome = Result<Notice, Problem>;

/// The id of the heading of a list, which takes the focus when there is no next row.
pub const HEADING: &str = "heading";

/// Approve and reject, each a form of its own.
#[component]
pub fn Buttons(candidate: Candidate, #[prop(into)] answered: Callback<Outcome>) -> impl IntoView {
    let Candidate { id, version, content, .. } = candidate;
    let same_id = id.clone();
    let (approve, reject) = (ServerAction::<Approve>::new(), ServerAction::<Reject>::new());
    let signed_out = signed_out();
    let tell = move |outcome: Result<Notice, Refused>| match outcome {
        Err(Refused(Problem::Unauthenticated)) => signed_out.run(()),
        outcome => answered.run(outcome.map_err(|refused| refused.0)),
    };
    Effect::new(move || approve.value().get().into_iter().for_each(tell));
    Effect::new(move || reject.value().get().into_iter().for_each(tell));
    let busy = move || (approve.pending().get() || reject.pending().get()).then_some("true");
    let (approve_name, reject_name) = (format!("Approve: {content}"), format!("Reject: {content}"));
    view! {
        <div class="actions">
            <ActionForm action=approve>
                <input type="hidden" name="id" value=same_id />
                <input type="hidden" name="version" value=version />
                <button type="submit" class="button verdict" data-testid="approve" aria-label=approve_name title="Approve" aria-busy=busy>
                    <Icon16 icon=Icon::Check />
                    <span>"Approve"</span>
                </button>
            </ActionForm>
            <ActionForm action=reject>
                <input type="hidden" name="id" value=id />
                <input type="hidden" name="version" value=version />
                <button type="submit" class="button verdict" data-testid="reject" aria-label=reject_name title="Reject" aria-busy=busy>
                    <Icon16 icon=Icon::Cross />
                    <span>"Reject"</span>
                </button>
            </ActionForm>
        </div>
    }
}

/// A decision that stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    pub notice: Notice,
    /// The fact's, where it is known.
    pub text: Option<String>,
}

/// Says what the last decision did, and stays until the next one.
#[component]
pub fn LastAction(done: RwSignal<Option<Done>>) -> impl IntoView {
    view! {
        <div class="last-action" role="status" data-testid="last-action">
            {move || {
                let Done { notice, text } = done.get()?;
                let (icon, words) = said(&notice)?;
                let text = text.filter(|_| fresh(&notice));
                Some(view! { <p><Icon16 icon /><span>{words}{text.map(|text| view! { " “"<Prose text />"”" })}</span></p> })
            }}
        </div>
    }
}

/// Was it this operator's decision, and not the same one taken before?
fn fresh(notice: &Notice) -> bool {
    matches!(notice, Notice::Approved { already_by: None, .. } | Notice::Rejected { already_by: None, .. })
}

fn said(notice: &Notice) -> Option<(Icon, String)> {
    match notice {
        Notice::Approved { already_by: None, .. } => Some((Icon::Approved, "Approved".to_owned())),
        Notice::Rejected { already_by: None, .. } => Some((Icon::Rejected, "Rejected".to_owned())),
        Notice::Approved { already_by: Some(by), .. } => Some((Icon::Approved, format!("Already approved by {by}."))),
        Notice::Rejected { already_by: Some(by), .. } => Some((Icon::Rejected, format!("Already rejected by {by}."))),
        Notice::Staff(StaffDeed::Disabled) => Some((Icon::Rejected, "Operator disabled. Open sessions have ended.".to_owned())),
        Notice::Staff(StaffDeed::RightsChanged) => Some((Icon::Approved, "Rights changed.".to_owned())),
        Notice::Staff(StaffDeed::PasswordChanged) => {
            Some((Icon::Lock, "Password changed. Your other sessions have ended.".to_owned()))
        }
        Notice::SignedOut | Notice::Done => None,
    }
}

/// Gives the focus to an element.
pub fn focus(id: &str) {
    let element = document().get_element_by_id(id).and_then(|element| element.dyn_into::<leptos::web_sys::HtmlElement>().ok());
    if let Some(element) = element {
        let _ = element.focus();
    }
}

/// The id of the element that has the focus.
pub fn focused() -> Option<String> {
    document().active_element().map(|element| element.id())
}

/// Leads to the sign-in page and, from there, back to this one.
fn signed_out() -> Callback<()> {
    let (here, navigate) = (use_location(), StoredValue::new(use_navigate()));
    Callback::new(move |()| {
        let next = here.pathname.get_untracked();
        navigate.with_value(|navigate| navigate(&format!("/login?next={next}&ended=1"), NavigateOptions::default()));
    })
}
