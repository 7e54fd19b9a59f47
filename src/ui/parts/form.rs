//! Forms that send themselves when a choice changes.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{HtmlElement, HtmlFormElement};

/// Sends the form that a control stands in.
pub fn submit(ev: leptos::ev::Event) {
    let control = ev.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
    send(control.and_then(|control| control.closest("form").ok().flatten()));
}

/// Sends a form by its id.
pub fn submit_by_id(id: &str) {
    send(document().get_element_by_id(id));
}

fn send(form: Option<leptos::web_sys::Element>) {
    if let Some(form) = form.and_then(|form| form.dyn_into::<HtmlFormElement>().ok()) {
        let _ = form.request_submit();
    }
}
