//! A form is sent only while the operator is signed in. If the session ended, the operator signs in again in a dialog, and the form
//! stays as it was filled in.

use std::cell::Cell;

use leptos::prelude::Set;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{HtmlElement, HtmlFormElement, SubmitEvent};

use crate::console::document::{CONSOLE, stop};
use crate::console::notice::Refused;
use crate::console::session::call::still_here;
use crate::domain::problem::Problem;

/// Ends the session itself.
const SIGN_OUT: &str = "/calls/sign_out";

thread_local! {
    /// Where the form that is being sent stands.
    static TURN: Cell<Turn> = const { Cell::new(Turn::Idle) };
}

#[derive(Clone, Copy, PartialEq)]
enum Turn {
    Idle,
    /// The server is asked; a second press of the button waits with the first.
    Asking,
    /// The operator is signed in: the form goes.
    Goes,
}

/// Called last, after whatever else may send the form.
pub fn submitted(ev: &SubmitEvent) {
    let Some(console) = CONSOLE.get() else { return };
    let form = ev.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok());
    let Some(form) = form.filter(|form| posts(form) && !ev.default_prevented()) else { return };
    if TURN.get() == Turn::Goes {
        return;
    }
    stop(ev);
    if TURN.replace(Turn::Asking) == Turn::Asking {
        return;
    }
    let button = ev.submitter().and_then(|button| button.dyn_into::<HtmlElement>().ok());
    spawn_local(async move {
        let answer = still_here().await;
        TURN.set(Turn::Idle);
        if matches!(answer, Err(Refused(Problem::Unauthenticated))) {
            console.signed_out.set(true);
            return;
        }
        // Whatever else went wrong, the answer to the form says it.
        TURN.set(Turn::Goes);
        let _ = match &button {
            Some(button) => form.request_submit_with_submitter(Some(button)),
            None => form.request_submit(),
        };
        TURN.set(Turn::Idle);
    });
}

fn posts(form: &HtmlFormElement) -> bool {
    let post = form.get_attribute("method").is_some_and(|method| method.eq_ignore_ascii_case("post"));
    post && form.get_attribute("action").as_deref() != Some(SIGN_OUT)
}
