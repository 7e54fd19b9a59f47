//! The OpenAPI document, generated from the handlers.

use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::{erasures, exchanges, facts, memories, recall};

#[derive(OpenApi)]
#[openapi(
    info(title = "Keepsake", description = "Long-term memory for assistants. Errors are application/problem+json (RFC 9457) with a stable `code`."),
    paths(
        exchanges::accept, exchanges::state, recall::recall, memories::remember, memories::list, memories::delete, memories::forget,
        facts::propose, facts::list, erasures::preview, erasures::erase, erasures::receipt, erasures::export
    ),
    modifiers(&Key)
)]
struct Contract;

struct Key;

impl Modify for Key {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        openapi.components.get_or_insert_default().add_security_scheme("key", scheme);
    }
}

/// The document as JSON.
#[must_use]
pub fn document() -> String {
    Contract::openapi().to_pretty_json().unwrap_or_default()
}
