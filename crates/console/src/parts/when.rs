//! Shows its children while a condition holds. The framework's `Show` is compiled again for every condition, this component only
//! once, which makes the browser bundle smaller.

use leptos::prelude::*;

#[component]
pub fn Show(
    when: impl Fn() -> bool + Send + Sync + 'static,
    children: ChildrenFn,
    #[prop(optional, into)] fallback: ViewFn,
) -> impl IntoView {
    shown(Box::new(when), children, fallback)
}

fn shown(when: Box<dyn Fn() -> bool + Send + Sync>, children: ChildrenFn, fallback: ViewFn) -> AnyView {
    let holds = Memo::new(move |_| when());
    (move || if holds.get() { children() } else { fallback.run() }).into_any()
}
