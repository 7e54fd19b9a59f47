//! Reading and moving the focus.

use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::HtmlElement;

/// The id of a page's heading, which takes the focus if no other element should.
pub const HEADING: &str = "heading";

/// Moves the focus to an element.
pub fn focus(id: &str) {
    let element = document().get_element_by_id(id).and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(element) = element {
        let _ = element.focus();
    }
}

/// Like [`focus`], after changes are rendered.
pub fn focus_soon(id: String) {
    request_animation_frame(move || focus(&id));
}

/// Returns the id of the element that has the focus.
pub fn focused() -> Option<String> {
    document().active_element().map(|element| element.id())
}

/// Whether the operator is typing.
pub fn typing() -> bool {
    document().active_element().is_some_and(|element| {
        let text = element.tag_name().eq_ignore_ascii_case("textarea") || element.tag_name().eq_ignore_ascii_case("select");
        let input = element.tag_name().eq_ignore_ascii_case("input")
            && !matches!(element.get_attribute("type").as_deref(), Some("checkbox" | "radio" | "submit" | "button"));
        text || input
    })
}

/// Clicks the first element that matches a selector, such as the link of a shortcut key.
pub fn follow(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        element.click();
    }
}

/// Whether a dialog is open.
pub fn in_dialog() -> bool {
    document().query_selector("dialog[open]").ok().flatten().is_some()
}

/// Opens a dialog by its id.
pub fn open_dialog(id: &str) {
    let dialog =
        document().get_element_by_id(id).and_then(|element| element.dyn_into::<leptos::web_sys::HtmlDialogElement>().ok());
    if let Some(dialog) = dialog.filter(|dialog| !dialog.open()) {
        let _ = dialog.show_modal();
    }
}

/// Closes a dialog by its id.
pub fn close_dialog(id: &str) {
    let dialog =
        document().get_element_by_id(id).and_then(|element| element.dyn_into::<leptos::web_sys::HtmlDialogElement>().ok());
    if let Some(dialog) = dialog {
        dialog.close();
    }
}

/// Copies a text to the clipboard, if the browser allows it.
pub fn copy_text(text: &str) {
    drop(window().navigator().clipboard().write_text(text));
}
