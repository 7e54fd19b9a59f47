//! Menus and popovers: one is open at a time, and Esc or a click outside closes it. In a form that filters a list, several
//! choices can be ticked before the list is requested again: they are sent when the menu closes, and Esc resets them.

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, HtmlElement, HtmlInputElement};

use crate::document::dom::all;
use crate::document::dom::closest;
use crate::document::dom::within;
use crate::parts::focus::in_dialog;
use crate::parts::form::send;

const OPEN: &str = "details.menu[open]";

pub fn pressed(ev: &ev::KeyboardEvent) {
    if ev.key() == "Escape" && !ev.default_prevented() && !in_dialog() && close_menus(None) {
        ev.prevent_default();
    }
}

pub fn clicked(at: &Element) {
    for menu in all(OPEN) {
        let own_summary = closest(at, "summary").is_some_and(|summary| menu.is_same_node(summary.parent_node().as_ref()));
        if !menu.contains(Some(at)) {
            let _ = menu.remove_attribute("open");
            sent(&menu);
        } else if own_summary {
            // This handler runs before the click closes it.
            sent(&menu);
        }
    }
}

/// Closes every open menu except the one that contains this element, and resets the choices ticked in it. The focus returns to
/// the control that opened it. Returns `false` if none was open.
pub fn close_menus(but: Option<&Element>) -> bool {
    let open: Vec<HtmlElement> = all(OPEN).into_iter().filter(|menu| but.is_none_or(|at| !menu.contains(Some(at)))).collect();
    for menu in &open {
        for field in boxes(menu) {
            field.set_checked(field.default_checked());
        }
        let held = document().active_element().is_some_and(|active| menu.contains(Some(&active)));
        let _ = menu.remove_attribute("open");
        if let Some(summary) = within(menu, "summary").first().filter(|_| held) {
            let _ = summary.focus();
        }
    }
    !open.is_empty()
}

/// Requests the list again if the choices in this menu have changed.
fn sent(menu: &HtmlElement) {
    let changed = boxes(menu).iter().any(|field| field.checked() != field.default_checked());
    if let Some(form) = closest(menu, "form[method=get]").filter(|_| changed) {
        send(Some(form));
    }
}

/// Returns the checkboxes of a menu that filters a list; none for other menus, whose choices are kept.
fn boxes(menu: &Element) -> Vec<HtmlInputElement> {
    if closest(menu, "form[method=get]").is_none() {
        return Vec::new();
    }
    within(menu, "input[type=checkbox]").into_iter().filter_map(|field| field.dyn_into().ok()).collect()
}
