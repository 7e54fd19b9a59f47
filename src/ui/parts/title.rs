//! A title that changes while its page is open.

use leptos::prelude::*;
use leptos_meta::Title;

/// The title is read when the document is put together: after its view was let go, and on any thread. What it reads must
/// therefore belong to no view.
#[component]
pub fn LiveTitle(#[prop(into)] text: Signal<String>) -> impl IntoView {
    let shown = ArcRwSignal::new(text.get_untracked());
    let told = shown.clone();
    Effect::new(move || told.set(text.get()));
    view! { <Title text=move || shown.get() /> }
}
