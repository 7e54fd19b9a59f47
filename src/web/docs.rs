//! The API reference page, generated from the OpenAPI document: no script, and nothing from another host.

use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::extract::Request;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use serde_json::Value;

use crate::api::openapi;
use domain::html::escaped;

/// The page has no script and no form.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

static BODY: LazyLock<String> = LazyLock::new(|| body(openapi::value()));

pub async fn page(request: Request) -> Response {
    let theme = super::look(&request).theme.name().map(|theme| format!(" data-theme=\"{theme}\"")).unwrap_or_default();
    let page = format!(
        "<!DOCTYPE html><html lang=\"en\"{theme}><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>API · Keepsake</title><link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
         <link rel=\"stylesheet\" href=\"/pkg/keepsake.css\"></head><body class=\"docs\">{}</body></html>",
        *BODY
    );
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(page)).into_response()
}

struct ApiOperation<'d> {
    path: &'d str,
    method: &'d str,
    value: &'d Value,
}

impl ApiOperation<'_> {
    fn id(&self) -> &str {
        text(&self.value["operationId"])
    }
}

fn body(document: &Value) -> String {
    let calls = calls(document);
    let (mut links, mut sections) = (String::new(), String::new());
    for tag in document["tags"].as_array().into_iter().flatten() {
        let name = text(&tag["name"]);
        let own = calls.iter().filter(|call| call.value["tags"][0] == tag["name"]);
        let (mut items, mut articles) = (String::new(), String::new());
        for call in own {
            let _ = write!(items, "<li><a href=\"#{}\">{} <code>{}</code></a></li>", call.id(), method(call), escaped(call.path));
            articles.push_str(&article(document, call));
        }
        let _ = write!(links, "<h2><a href=\"#tag-{name}\">{}</a></h2><ul>{items}</ul>", capital(name));
        let _ = write!(
            sections,
            "<section id=\"tag-{name}\" aria-labelledby=\"head-{name}\"><h2 id=\"head-{name}\">{}</h2><p>{}</p>{articles}</section>",
            capital(name),
            marked(text(&tag["description"])),
        );
    }
    let about = text(&document["info"]["description"]).split("\n\n").map(|text| format!("<p>{}</p>", marked(text)));
    let key = marked(text(&document["components"]["securitySchemes"]["key"]["description"]));
    format!(
        "<a class=\"skip\" href=\"#calls\">Skip to the calls</a><header class=\"docs-head\"><h1>Keepsake API</h1>\
         <p>Version {}. <a href=\"/openapi.json\">OpenAPI document</a>. <a href=\"/\">Console</a>.</p></header>\
         <nav aria-label=\"Calls\">{links}</nav><main id=\"calls\" tabindex=\"-1\"><section class=\"docs-about\" aria-labelledby=\"about\">\
         <h2 id=\"about\">What holds for every call</h2>{}<p>{key}</p></section>{sections}</main>",
        escaped(text(&document["info"]["version"])),
        about.collect::<String>(),
    )
}

fn calls(document: &Value) -> Vec<ApiOperation<'_>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let calls = paths.flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().map(move |(method, value)| ApiOperation {
            path: path.as_str(),
            method: method.as_str(),
            value,
        })
    });
    calls.collect()
}

fn article(document: &Value, call: &ApiOperation) -> String {
    let (id, path) = (call.id(), escaped(call.path));
    let mut parts = format!(
        "<article id=\"{id}\" class=\"box\" aria-labelledby=\"{id}-head\"><header><h3 id=\"{id}-head\">{} <code>{path}</code></h3>\
         <a class=\"docs-link\" href=\"#{id}\" aria-label=\"Link to {} {path}\">#</a></header><div class=\"box-body\"><p>{}</p>",
        method(call),
        call.method.to_uppercase(),
        marked(text(&call.value["summary"])),
    );
    if let Some(more) = call.value["description"].as_str() {
        let _ = write!(parts, "<p>{}</p>", marked(more));
    }
    let _ = write!(parts, "<p class=\"docs-scope\">{}</p>", scope(call.value));
    let parameters = call.value["parameters"].as_array().into_iter().flatten();
    let rows = parameters.map(|parameter| {
        let place = format!("{}, {}", text(&parameter["in"]), kind(&parameter["schema"]));
        row(text(&parameter["name"]), &place, parameter["required"] == true, text(&parameter["description"]))
    });
    parts.push_str(&table("Parameters", &["Name", "Type", "What"], &rows.collect::<String>()));
    let shape = resolved(document, &call.value["requestBody"]["content"]["application/json"]["schema"]);
    parts.push_str(&table("Body", &["Field", "Type", "What"], &fields(document, shape)));
    let _ = write!(
        parts,
        "<h4>Example</h4><pre tabindex=\"0\" role=\"group\" aria-label=\"Example\"><code>{}</code></pre>",
        escaped(&curl(call))
    );
    let answers = call.value["responses"].as_object().into_iter().flatten();
    let rows = answers.map(|(status, answer)| {
        let shape = answer["content"]["application/json"]["schema"]["$ref"].as_str().and_then(|name| name.rsplit('/').next());
        let shown = fields(document, resolved(document, &answer["content"]["application/json"]["schema"]));
        let shown = shape.map(|_| table("", &["Field", "Type", "What"], &shown)).unwrap_or_default();
        format!("<tr><th scope=\"row\"><code>{status}</code></th><td>{}{shown}</td></tr>", marked(text(&answer["description"])))
    });
    parts.push_str(&table("Answers", &["Status", "When"], &rows.collect::<String>()));
    parts.push_str("</div></article>");
    parts
}

fn scope(call: &Value) -> String {
    let mut words = match text(&call["x-scope"]) {
        "none" => "Open: it needs no key.".to_owned(),
        scope => format!("Needs the scope <code>{scope}</code>."),
    };
    for scope in call["x-scope-also"].as_array().into_iter().flatten() {
        let _ = write!(words, " It also needs <code>{}</code>.", text(scope));
    }
    if let Some(surface) = call["x-surface"].as_str() {
        let _ = write!(words, " A key that is made for another surface than <code>{surface}</code> is refused.");
    }
    if let Some(scope) = call["x-scope-of-all"].as_str() {
        let _ = write!(words, " With <code>all</code> it needs <code>{scope}</code>.");
    }
    for (line, scope) in call["x-scope-of-lines"].as_object().into_iter().flatten() {
        let _ = match text(scope) {
            "none" => write!(words, " The line <code>{line}</code> needs none."),
            scope => write!(words, " The line <code>{line}</code> needs <code>{scope}</code>."),
        };
    }
    if call["x-scope-unless-own"] == true {
        words.push_str(" A key that is bound to the user needs none.");
    }
    words
}

fn curl(call: &ApiOperation) -> String {
    let mut path = call.path.to_owned();
    let (mut query, mut headers) = (Vec::new(), Vec::new());
    for parameter in call.value["parameters"].as_array().into_iter().flatten() {
        let example = &parameter["example"];
        let example = example[0].as_str().or_else(|| example.as_str()).map_or_else(|| example.to_string(), str::to_owned);
        match text(&parameter["in"]) {
            "path" => path = path.replace(&format!("{{{}}}", text(&parameter["name"])), &example),
            "query" if ["user_id", "surface"].contains(&text(&parameter["name"])) => {
                query.push(format!("{}={example}", text(&parameter["name"])));
            }
            "header" if parameter["required"] == true => headers.push(format!("-H '{}: {example}'", text(&parameter["name"]))),
            _ => {}
        }
    }
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    let mut lines = vec![match call.method {
        "get" | "post" => format!("curl -s \"$KEEPSAKE{path}\""),
        method => format!("curl -s -X {} \"$KEEPSAKE{path}\"", method.to_uppercase()),
    }];
    if call.value["x-scope"] != "none" {
        lines.push("-H \"Authorization: Bearer $KEY\"".to_owned());
    }
    lines.append(&mut headers);
    let example = &call.value["requestBody"]["content"]["application/json"]["example"];
    if !example.is_null() {
        lines.push("-H 'Content-Type: application/json'".to_owned());
        lines.push(format!("-d '{example}'"));
    }
    lines.join(" \\\n  ")
}

/// The rows of an object's fields.
fn fields(document: &Value, shape: &Value) -> String {
    let required = |name: &str| shape["required"].as_array().is_some_and(|names| names.iter().any(|required| required == name));
    let properties = shape["properties"].as_object().into_iter().flatten();
    let rows = properties
        .map(|(name, schema)| row(name, &kind(schema), required(name), text(&resolved(document, schema)["description"])));
    rows.collect()
}

fn row(name: &str, kind: &str, required: bool, what: &str) -> String {
    let needed = if required { " <span class=\"docs-needed\">required</span>" } else { "" };
    format!(
        "<tr><th scope=\"row\"><code>{}</code>{needed}</th><td>{}</td><td>{}</td></tr>",
        escaped(name),
        marked(kind),
        marked(what)
    )
}

/// Returns a table with a title; empty if there are no rows.
fn table(title: &str, heads: &[&str], rows: &str) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let title = if title.is_empty() { String::new() } else { format!("<h4>{title}</h4>") };
    let heads = heads.join("</th><th scope=\"col\">");
    format!(
        "{title}<div class=\"docs-table\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table><thead><tr><th scope=\"col\">{heads}</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

/// A type with its bounds, in words.
fn kind(schema: &Value) -> String {
    if let Some(name) = reference(schema) {
        return name.to_owned();
    }
    let values: Vec<&str> = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !values.is_empty() {
        return values.iter().map(|value| format!("`{value}`")).collect::<Vec<_>>().join(", ");
    }
    let own = schema["type"].as_str().or_else(|| schema["type"][0].as_str()).unwrap_or("object");
    let bounds = |low: &str, high: &str, unit: &str| match (schema[low].as_i64(), schema[high].as_i64()) {
        (Some(low), Some(high)) => format!(", {low} to {high}{unit}"),
        (None, Some(high)) => format!(", at most {high}{unit}"),
        _ => String::new(),
    };
    match own {
        "array" => format!("list of {}", kind(&schema["items"])),
        "string" if schema["format"] == "date-time" => "time".to_owned(),
        "string" => format!("text{}", bounds("minLength", "maxLength", " characters")),
        own => format!("{own}{}", bounds("minimum", "maximum", "")),
    }
}

/// The name of the shape that a schema refers to, alone or as an alternative to null.
fn reference(schema: &Value) -> Option<&str> {
    let alternatives = ["oneOf", "anyOf", "allOf"].into_iter().flat_map(|of| schema[of].as_array().into_iter().flatten());
    let mut named = std::iter::once(schema).chain(alternatives).filter_map(|schema| schema["$ref"].as_str());
    named.next().and_then(|name| name.rsplit('/').next())
}

/// Resolves a reference to the shape that it names.
fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    match schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        Some(name) => &document["components"]["schemas"][name],
        None => schema,
    }
}

fn method(call: &ApiOperation) -> String {
    format!("<span class=\"docs-method {0}\">{1}</span>", call.method, call.method.to_uppercase())
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Escapes a text, and marks backticked parts as code.
fn marked(text: &str) -> String {
    let pieces = text.split('`').enumerate();
    pieces.map(|(n, piece)| if n % 2 == 1 { format!("<code>{}</code>", escaped(piece)) } else { escaped(piece) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_its_place_and_its_example() {
        let page = body(openapi::value());
        for call in calls(openapi::value()) {
            assert!(page.contains(&format!("<article id=\"{}\"", call.id())), "{} {}", call.method, call.path);
            assert!(page.contains(&format!("href=\"#{}\"", call.id())));
        }
        assert_eq!(page.matches("<h4>Example</h4>").count(), calls(openapi::value()).len());
        assert!(page.contains("curl -s &quot;$KEEPSAKE/v1/memories?user_id=u1&quot;"));
    }

    #[test]
    fn nothing_comes_from_elsewhere_and_nothing_runs() {
        let page = body(openapi::value());
        for foreign in ["<script", "http://", "https://", "style=", "<img", "<iframe"] {
            assert!(!page.contains(foreign), "{foreign}");
        }
    }
}
