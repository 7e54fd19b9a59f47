//! Forms that are sent by something other than their button.

use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlFormElement};

/// Submits a form as its button would.
pub fn send(form: Option<Element>) {
    if let Some(form) = form.and_then(|form| form.dyn_into::<HtmlFormElement>().ok()) {
        let _ = form.request_submit();
    }
}
