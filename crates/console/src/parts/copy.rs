//! A button that copies an id to the clipboard; shown only with script.

use leptos::prelude::*;

use crate::parts::icon::{Icon, Icon16};

#[component]
pub fn CopyId(#[prop(into)] id: String) -> impl IntoView {
    view! { <button type="button" class="quiet scripted" aria-label="Copy id" title="Copy id" data-copies=id><Icon16 icon=Icon::Copy /></button> }
}
