//! Menus that are `details`: Esc closes the open one and goes back to its button; a click elsewhere closes it.

use leptos::ev;
use leptos::web_sys::Element;

use super::{all, closest, stop, within};

const OPEN: &str = "details.menu[open]";

/// `true`: the key closed a menu, and does nothing else.
pub fn pressed(ev: &ev::KeyboardEvent) -> bool {
    if ev.key() != "Escape" || ev.default_prevented() {
        return false;
    }
    let Some(menu) = all(OPEN).pop() else { return false };
    let _ = menu.remove_attribute("open");
    if let Some(button) = within(&menu, "summary").first() {
        let _ = button.focus();
    }
    stop(ev);
    ev.stop_immediate_propagation();
    true
}

pub fn clicked(at: &Element) {
    let within_menu = closest(at, OPEN);
    for menu in all(OPEN) {
        if !within_menu.as_ref().is_some_and(|open| menu.is_same_node(Some(open))) {
            let _ = menu.remove_attribute("open");
        }
    }
}
