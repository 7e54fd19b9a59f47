//! The client for HTTP requests to others: model providers, receivers of webhooks, Telegram, another Keepsake. Here is what all of them
//! have in common; each sets its own limits.

use reqwest::{Client, ClientBuilder, redirect};

/// A client that follows no redirect, so that what is sent goes only where it was to go.
pub fn client() -> ClientBuilder {
    // Fails if a provider of TLS is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().redirect(redirect::Policy::none())
}
