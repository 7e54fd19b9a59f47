//! The list of facts as a file: the same columns as the list, without contributors, streamed while it is read.

use std::convert::Infallible;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::stream::{self, StreamExt};
use serde::Serialize;

use access::operators::Viewer;
use console::notice::Refused;
use console::server::list_query::ListQuery;
use domain::facts::confidence::confidence;
use domain::insight::days::day_iso;
use domain::moment::Moment;
use service::{Error, Fact, Keepsake};

/// Facts read per batch.
const CHUNK: usize = 500;
/// A spreadsheet would take a cell that begins with one of these for a formula.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A fact in the file.
#[derive(Debug, Serialize)]
struct FactExportLine {
    id: String,
    text: String,
    status: &'static str,
    kind: &'static str,
    origin: &'static str,
    importance: u8,
    confidence: String,
    recalls: i64,
    created: String,
    confirmed: String,
}

/// Columns of the file, in the order of [`FactExportLine`].
const COLUMNS: [&str; 10] =
    ["id", "text", "status", "kind", "origin", "importance", "confidence", "recalls", "created", "confirmed"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FactExportFormat {
    Csv,
    Json,
}

pub async fn csv(keepsake: State<Keepsake>, viewer: Extension<Viewer>, query: RawQuery) -> Response {
    send(keepsake.0, viewer.0, query, FactExportFormat::Csv).await
}

pub async fn json(keepsake: State<Keepsake>, viewer: Extension<Viewer>, query: RawQuery) -> Response {
    send(keepsake.0, viewer.0, query, FactExportFormat::Json).await
}

async fn send(keepsake: Keepsake, viewer: Viewer, RawQuery(query): RawQuery, format: FactExportFormat) -> Response {
    let filter = ListQuery::read(&query.unwrap_or_default()).filter(&keepsake);
    let (name, kind) = match format {
        FactExportFormat::Csv => ("csv", "text/csv; charset=utf-8"),
        FactExportFormat::Json => ("json", "application/json"),
    };
    let ids = match keepsake.facts.export(&viewer, &filter, name).await {
        Ok(ids) => ids,
        Err(error) => return refused(error, &keepsake),
    };
    let now = keepsake.clock.now();
    let chunks: Vec<Vec<String>> = ids.chunks(CHUNK).map(<[String]>::to_vec).collect();
    let rows = stream::iter(chunks.into_iter().enumerate()).then(move |(n, ids)| {
        let (keepsake, viewer) = (keepsake.clone(), viewer.clone());
        async move {
            match keepsake.facts.facts_in_order(&viewer, &ids).await {
                Ok(facts) => Ok(written(facts, now, format, n == 0)),
                // The response has already begun; aborting it is the only way to show that it is incomplete.
                Err(error) => Err(std::io::Error::other(error.outward(keepsake.clock.as_ref()).to_string())),
            }
        }
    });
    let (open, close) = match format {
        FactExportFormat::Csv => (head(), Bytes::new()),
        FactExportFormat::Json => (Bytes::from_static(b"["), Bytes::from_static(b"]\n")),
    };
    let ends =
        |bytes: Bytes| stream::once(async move { Ok::<_, Infallible>(bytes) }).map(|bytes| bytes.map_err(|never| match never {}));
    let body = Body::from_stream(ends(open).chain(rows).chain(ends(close)));
    let file = HeaderValue::from_str(&format!("attachment; filename=\"facts.{name}\""));
    let mut response = ([(header::CONTENT_TYPE, kind)], body).into_response();
    if let Ok(file) = file {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, file);
    }
    response
}

/// Quotes a cell that a spreadsheet would take for a formula.
pub(super) fn no_formula(mut cell: String) -> String {
    if cell.starts_with(FORMULA_STARTS) {
        cell.insert(0, '\'');
    }
    cell
}

pub(super) fn refused(error: Error, keepsake: &Keepsake) -> Response {
    let problem = error.outward(keepsake.clock.as_ref());
    let status = StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, axum::Json(Refused(problem))).into_response()
}

fn head() -> Bytes {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let _ = writer.write_record(COLUMNS);
    Bytes::from(writer.into_inner().unwrap_or_default())
}

fn written(facts: Vec<Fact>, now: Moment, format: FactExportFormat, first: bool) -> Bytes {
    let lines = facts.into_iter().map(|fact| line(fact, now));
    match format {
        FactExportFormat::Csv => {
            let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
            for line in lines {
                let line = FactExportLine { text: no_formula(line.text), ..line };
                let _ = writer.serialize(line);
            }
            Bytes::from(writer.into_inner().unwrap_or_default())
        }
        FactExportFormat::Json => {
            let objects: Vec<String> = lines.filter_map(|line| serde_json::to_string(&line).ok()).collect();
            let lead = if first || objects.is_empty() { "\n" } else { ",\n" };
            Bytes::from(format!("{lead}{}", objects.join(",\n")))
        }
    }
}

fn line(fact: Fact, now: Moment) -> FactExportLine {
    FactExportLine {
        confidence: format!("{:.2}", confidence(&fact.evidence(), now)),
        created: day_iso(fact.created_at),
        confirmed: day_iso(fact.confirmed_at),
        id: fact.id,
        text: fact.content,
        status: fact.status.as_str(),
        kind: fact.kind.as_str(),
        origin: fact.origin.as_str(),
        importance: fact.importance.get(),
        recalls: fact.recall_count,
    }
}
