//! Shows its children while something holds. The framework's `Show` is compiled anew for every condition; this one once, which
//! a browser has less to load of.

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
