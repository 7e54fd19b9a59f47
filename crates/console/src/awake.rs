//! The last island of a page: from here on the browser handles clicks.

use leptos::prelude::*;

use crate::state::ConsoleState;
use crate::{document, live};

/// The last island of a page: from here on the browser handles clicks. Tests and styles wait for this mark. Scripts that change
/// the page by themselves start here too, because an island being hydrated must find what the server rendered.
#[island]
pub(crate) fn Awake() -> impl IntoView {
    let (console, live) = (expect_context::<ConsoleState>(), expect_context::<live::LiveSignals>());
    Effect::new(move || {
        document::begin(console);
        live.start();
        console.tell_what_was_done();
        if let Some(root) = leptos::prelude::document().document_element() {
            let _ = root.set_attribute("data-hydrated", "true");
        }
    });
}
