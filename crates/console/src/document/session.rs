//! Sends a form only while the operator is signed in. If the session has expired, the operator signs in again in a dialog, and
//! the form keeps its input.

use std::cell::Cell;

use leptos::prelude::Set;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{HtmlElement, HtmlFormElement, SubmitEvent};

use crate::document::dom::CONSOLE;
use crate::document::dom::stop;
use crate::notice::Refused;
use crate::session::call::still_here;
use domain::problem::Problem;

/// Ends the session itself, so it is sent without a check.
const SIGN_OUT: &str = "/calls/sign_out";

thread_local! {
    /// State of the form that is being sent.
    static TURN: Cell<FormPhase> = const { Cell::new(FormPhase::Idle) };
}

#[derive(Clone, Copy, PartialEq)]
enum FormPhase {
    Idle,
    /// The server is being asked; a second press of the button has no further effect.
    Asking,
    /// The operator is signed in: the form is sent.
    Goes,
}

/// Called last, after the other handlers that may send the form.
pub fn submitted(ev: &SubmitEvent) {
    let Some(console) = CONSOLE.get() else { return };
    let form = ev.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
    let Some(form) = form.filter(|form| posts(form) && !ev.default_prevented()) else { return };
    if TURN.get() == FormPhase::Goes {
        return;
    }
    stop(ev);
    if TURN.replace(FormPhase::Asking) == FormPhase::Asking {
        return;
    }
    let button = ev.submitter().and_then(|button| button.dyn_into::<HtmlElement>().ok());
    spawn_local(async move {
        let answer = still_here().await;
        TURN.set(FormPhase::Idle);
        if matches!(answer, Err(Refused(Problem::Unauthenticated))) {
            console.signed_out.set(true);
            return;
        }
        // Any other error is reported by the response to the form.
        TURN.set(FormPhase::Goes);
        let _ = match &button {
            Some(button) => form.request_submit_with_submitter(Some(button)),
            None => form.request_submit(),
        };
        TURN.set(FormPhase::Idle);
    });
}

fn posts(form: &HtmlFormElement) -> bool {
    let post = form.get_attribute("method").is_some_and(|method| method.eq_ignore_ascii_case("post"));
    post && form.get_attribute("action").as_deref() != Some(SIGN_OUT)
}
