//! Reading the document: its elements, its address, its forms, and the state that it shares with the frame.

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event, EventTarget, HtmlElement, HtmlFormElement};
use std::cell::Cell;

use crate::state::ConsoleState;

thread_local! {
    /// State that the page shares with its frame, once the frame is hydrated.
    pub static CONSOLE: Cell<Option<ConsoleState>> = const { Cell::new(None) };
}

pub fn element(target: Option<EventTarget>) -> Option<Element> {
    target.and_then(|target| target.dyn_into().ok())
}

pub fn closest(at: &Element, selector: &str) -> Option<Element> {
    at.closest(selector).ok().flatten()
}

/// Every element of the page that matches a selector.
pub fn all(selector: &str) -> Vec<HtmlElement> {
    document().query_selector_all(selector).map(listed).unwrap_or_default()
}

/// Every descendant of an element that matches a selector.
pub fn within(root: &Element, selector: &str) -> Vec<HtmlElement> {
    root.query_selector_all(selector).map(listed).unwrap_or_default()
}

pub fn listed(found: leptos::web_sys::NodeList) -> Vec<HtmlElement> {
    (0..found.length()).filter_map(|at| found.get(at)?.dyn_into().ok()).collect()
}

/// The address of this page.
pub fn here() -> String {
    let place = window().location();
    place.pathname().unwrap_or_default() + &place.search().unwrap_or_default()
}

/// Whether this is a plain click: with the main button, and without a key that opens it elsewhere.
pub fn plain(ev: &ev::MouseEvent) -> bool {
    ev.button() == 0 && !ev.ctrl_key() && !ev.meta_key() && !ev.shift_key() && !ev.alt_key()
}

/// The fields of a form as a query string.
pub fn query_of(form: &HtmlFormElement) -> String {
    let data = leptos::web_sys::FormData::new_with_form(form).ok();
    let query = data.and_then(|data| leptos::web_sys::UrlSearchParams::new_with_str_sequence_sequence(&data).ok());
    query.map(|query| String::from(query.to_string())).unwrap_or_default()
}

pub fn stop(ev: &Event) {
    ev.prevent_default();
}
