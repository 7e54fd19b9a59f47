//! Shows a skeleton while the next page loads, if that takes noticeably long.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use leptos::web_sys::{Element, Event, HtmlElement, HtmlTemplateElement, SubmitEvent};

use crate::document::dom::closest;
use crate::document::dom::plain;

/// The id of the skeleton's template in the frame.
const SKELETON: &str = "skeleton";
/// Shorter waits show nothing.
const SHOWN_AFTER: Duration = Duration::from_millis(200);

/// Removes the skeleton from a page that the browser restores from its cache.
pub fn begin() {
    drop(window_event_listener(ev::Custom::<Event>::new("pageshow"), |_| show(false)));
}

pub fn clicked(ev: &ev::MouseEvent, at: &Element) {
    let Some(link) = closest(at, "a[href^='/']:not([download]):not([target])") else { return };
    if plain(ev) && !ev.default_prevented() && closest(&link, "main, nav").is_some() {
        soon();
    }
}

/// Handles a form that requests a list.
pub fn submitted(ev: &SubmitEvent) {
    let form = ev.target().and_then(|target| target.dyn_into::<Element>().ok());
    let asks = form.is_some_and(|form| form.get_attribute("method").as_deref() == Some("get"));
    if asks && !ev.default_prevented() {
        soon();
    }
}

fn soon() {
    // The browser may ask whether to discard unsaved input; until then nothing is loading.
    if document().query_selector(".editor").ok().flatten().is_some() {
        return;
    }
    set_timeout(|| show(true), SHOWN_AFTER);
}

fn show(waiting: bool) {
    let main = document().get_element_by_id("main").and_then(|main| main.dyn_into::<HtmlElement>().ok());
    let Some(main) = main else { return };
    if let Ok(Some(bones)) = main.query_selector(":scope > .skeleton") {
        bones.remove();
    }
    if !waiting {
        let _ = main.remove_attribute("aria-busy");
        return;
    }
    let template = document().get_element_by_id(SKELETON).and_then(|found| found.dyn_into::<HtmlTemplateElement>().ok());
    let Some(bones) = template.and_then(|template| template.content().clone_node_with_deep(true).ok()) else { return };
    let _ = main.set_attribute("aria-busy", "true");
    // Above the strip with the last action.
    let _ = main.insert_before(&bones, main.last_element_child().as_deref());
}
