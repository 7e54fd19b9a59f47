//! A button that puts an id on the clipboard; there with script only.

use leptos::prelude::*;

use super::icon::{Icon, Icon16};

#[component]
pub fn CopyId(#[prop(into)] id: String) -> impl IntoView {
    view! { <button type="button" class="quiet scripted" aria-label="Copy id" title="Copy id" data-copies=id><Icon16 icon=Icon::Copy /></button> }
}
