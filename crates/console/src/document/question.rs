//! Confirmations in a dialog: the page that asks is fetched, and its question is shown over this page. The text exists only once.

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event, HtmlDialogElement, HtmlFormElement, SubmitEvent};

use crate::document::dom::closest;
use crate::document::dom::here;
use crate::document::dom::plain;
use crate::document::dom::query_of;
use crate::document::dom::stop;
use crate::document::dom::within;
use crate::document::fetch::lost;
use crate::document::fetch::page;

/// The id of the dialog.
const DIALOG: &str = "question";

pub fn clicked(ev: &ev::MouseEvent, at: &Element) {
    if closest(at, "[data-cancels]").is_some() && closest(at, "dialog").is_some() {
        stop(ev);
        close();
        return;
    }
    let link = closest(at, "a[data-dialog]").and_then(|link| link.get_attribute("href"));
    if let Some(address) = link.filter(|_| plain(ev)) {
        stop(ev);
        show(address);
    }
}

/// Handles a form that asks for confirmation: its effect is shown before anything is sent.
pub fn submitted(ev: &SubmitEvent) {
    let Some(form) = ev.target().and_then(|target| target.dyn_into::<HtmlFormElement>().ok()) else { return };
    let button = ev.submitter().and_then(|button| button.dyn_into::<Element>().ok());
    let by_button = button.filter(|button| button.has_attribute("data-dialog"));
    let Some(asking) = by_button.or_else(|| form.has_attribute("data-dialog").then(|| form.clone().into())) else { return };
    if ev.default_prevented() {
        return;
    }
    stop(ev);
    let action = asking.get_attribute("formaction").or_else(|| form.get_attribute("action")).unwrap_or_default();
    show(format!("{action}?{}", query_of(&form)));
}

/// Shows the question of a page; a page without one is opened.
pub fn show(address: String) {
    spawn_local(async move {
        match page(&address).await {
            Ok(found) => {
                let question = found.query_selector("[data-question]").ok().flatten();
                if question.and_then(|question| over(&question)).is_none() {
                    let _ = window().location().set_href(&address);
                }
            }
            Err(why) => lost(&why),
        }
    });
}

/// Shows a question over the page.
fn over(question: &Element) -> Option<()> {
    close();
    let dialog: HtmlDialogElement = document().create_element("dialog").ok()?.dyn_into().ok()?;
    dialog.set_id(DIALOG);
    dialog.set_class_name(if question.has_attribute("data-wide") { "dialog wide-dialog" } else { "dialog" });
    let _ = dialog.set_attribute("data-testid", "dialog");
    if let Some(title) = question.get_attribute("aria-labelledby") {
        let _ = dialog.set_attribute("aria-labelledby", &title);
    }
    for taken_over in ["aria-labelledby", "data-testid"] {
        let _ = question.remove_attribute(taken_over);
    }
    // From a list, the operator returns to the list in its current state.
    for way in within(question, "input[name=back_to]") {
        if way.get_attribute("value") == window().location().pathname().ok() {
            let _ = way.set_attribute("value", &here());
        }
    }
    dialog.append_child(question).ok()?;
    // It is inserted again each time, and removed when it is closed.
    let gone = dialog.clone();
    let closed = leptos::wasm_bindgen::prelude::Closure::once_into_js(move |_: Event| gone.remove());
    let _ = dialog.add_event_listener_with_callback("close", closed.unchecked_ref());
    document().body()?.append_child(&dialog).ok()?;
    dialog.show_modal().ok()
}

pub fn close() {
    let open = document().get_element_by_id(DIALOG).and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok());
    if let Some(dialog) = open {
        dialog.close();
        dialog.remove();
    }
}
