//! Checkboxes of a form that filters a list.

use leptos::prelude::*;

/// Returns a checkbox for each of `all`, ticked if it is among the `chosen`.
pub fn boxes<T, const N: usize>(
    name: &'static str,
    all: [T; N],
    chosen: &[T],
    value: fn(T) -> &'static str,
    label: fn(T) -> &'static str,
) -> [impl IntoView + use<T, N>; N]
where
    T: Copy + PartialEq,
{
    all.map(|one| {
        let on = chosen.contains(&one);
        view! { <label class="check"><input type="checkbox" name=name value=value(one) checked=on />{label(one)}</label> }
    })
}

/// Applies the choices ticked in a popover.
#[component]
pub fn Apply() -> impl IntoView {
    view! { <button type="submit" class="button apply">"Apply"</button> }
}
