//! The browser's entry point: hydrates the islands in the HTML that the server sent.

#![cfg(target_arch = "wasm32")]

// The islands, which the pages name, are in this crate.
use console as _;
use wasm_bindgen::prelude::wasm_bindgen;

/// Called once by the page's script.
#[wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}
