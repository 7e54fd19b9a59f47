//! A button that puts an id on the clipboard; there with script only.

use leptos::prelude::*;

use super::focus::copy_text;
use super::icon::{Icon, Icon16};

#[component]
pub fn CopyId(#[prop(into)] id: Signal<Option<String>>) -> impl IntoView {
    let copy = move |_| {
        if let Some(id) = id.get_untracked() {
            copy_text(&id);
        }
    };
    view! { <button type="button" class="quiet scripted" aria-label="Copy id" title="Copy id" on:click=copy><Icon16 icon=Icon::Copy /></button> }
}
