//! The OpenAPI document, generated from the handlers.

use utoipa::openapi::Response;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use super::{commands, erasures, exchanges, facts, history, links, memories, notes, preferences, profile, recall};

#[derive(OpenApi)]
#[openapi(
    info(title = "Keepsake", description = "Long-term memory for assistants. Errors are application/problem+json (RFC 9457) with a stable `code`."),
    paths(
        exchanges::accept, exchanges::state, recall::recall, memories::remember, memories::list, memories::delete, memories::forget,
        commands::command, notes::add, notes::list, notes::delete, notes::report, notes::prompt, preferences::add,
        preferences::list, preferences::delete, preferences::tools, preferences::call_tool, profile::list, profile::one, profile::set,
        profile::delete, history::append, history::list, history::reset, links::link, links::unlink, facts::propose, facts::list, erasures::preview, erasures::erase, erasures::receipt, erasures::export
    ),
    modifiers(&Key, &Failures)
)]
struct Contract;

struct Key;

impl Modify for Key {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let scheme = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        openapi.components.get_or_insert_default().add_security_scheme("key", scheme);
    }
}

/// What every call may answer, whatever it does.
struct Failures;

impl Modify for Failures {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        const READING: [(&str, &str); 2] =
            [("500", "An internal failure, with an incident number"), ("503", "Busy: send it again after `Retry-After` seconds")];
        const WRITING: (&str, &str) = ("507", "The disk is full: nothing was saved");
        for path in openapi.paths.paths.values_mut() {
            let writes =
                [&mut path.post, &mut path.put, &mut path.delete].into_iter().flatten().map(|call| (call, Some(WRITING)));
            for (call, more) in path.get.iter_mut().map(|call| (call, None)).chain(writes) {
                for (status, words) in READING.into_iter().chain(more) {
                    call.responses.responses.entry(status.to_owned()).or_insert_with(|| Response::new(words).into());
                }
            }
        }
    }
}

/// The document as JSON.
#[must_use]
pub fn document() -> String {
    Contract::openapi().to_pretty_json().unwrap_or_default()
}
