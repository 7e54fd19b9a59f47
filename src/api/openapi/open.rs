//! The endpoints for monitoring, whose handlers are in `web`.

use serde_json::{Value, json};

/// Adds them to the document.
pub fn add(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter();
    for paths in paths {
        for (path, call) in calls() {
            paths.insert(path.to_owned(), json!({ "get": call }));
        }
    }
}

fn calls() -> [(&'static str, Value); 5] {
    let text = |description: &str, media: &str| json!({ "description": description, "content": { media: { "schema": { "type": "string" } } } });
    let plain = |description: &str| text(description, "text/plain");
    let problem = |description: &str| {
        json!({ "description": description,
            "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } } })
    };
    let call = |id: &str, summary: &str, responses: Value| json!({ "tags": ["operation"], "operationId": id, "summary": summary, "security": [], "responses": responses });
    let mut metrics = call(
        "metrics",
        "Metrics for Prometheus. Open from loopback, else it needs a key.",
        json!({
            "200": plain("Metrics in the text format"), "401": problem("No key, or an unknown one"),
            "403": problem("The key lacks the scope `read`"),
            "500": problem("An internal failure"), "503": problem("The database is busy"),
        }),
    );
    metrics["security"] = json!([{ "key": ["read"] }, {}]);
    [
        ("/healthz", call("alive", "Whether the process answers.", json!({ "200": plain("It does") }))),
        (
            "/readyz",
            call(
                "ready",
                "Whether the database answers and can be written.",
                json!({ "200": plain("It does"), "503": plain("It does not; the words say why") }),
            ),
        ),
        ("/metrics", metrics),
        (
            "/openapi.json",
            call(
                "contract",
                "This document.",
                json!({ "200": {
                    "description": "OpenAPI 3.1", "content": { "application/json": { "schema": { "type": "object" } } },
                } }),
            ),
        ),
        ("/docs", call("docs", "This document as a page.", json!({ "200": text("The page", "text/html") }))),
    ]
}
