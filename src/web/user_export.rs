//! Files about one person: everything held about a user, in the answer to a post; and the receipt of an erasure.

use axum::body::Body;
use axum::extract::{Form, Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Json};
use serde::Deserialize;

use access::operators::Viewer;
use console::notice::Refused;
use console::users::shapes::record_path;
use domain::erasure::people::UserId;
use domain::problem::Problem;
use service::erasure::export::ExportForm;
use service::{Error, Keepsake};

#[derive(Deserialize)]
pub struct UserExportParams {
    #[serde(default)]
    format: String,
}

/// Everything held about a user whose record is open. Logged, and never cached.
pub async fn export(
    State(keepsake): State<Keepsake>,
    Extension(viewer): Extension<Viewer>,
    Path(id): Path<String>,
    Form(UserExportParams { format }): Form<UserExportParams>,
) -> Response {
    let (form, name) = if format == "html" { (ExportForm::Document, "user.html") } else { (ExportForm::Json, "user.json") };
    let held = async {
        let user = UserId::new(id.as_str()).map_err(|_| Problem::not_found("user"))?;
        keepsake.exports.export_user_in_console(&viewer, &user, form).await
    };
    match held.await {
        Ok(held) => file(([(header::CONTENT_TYPE, form.media_type())], Body::from_stream(held.pieces())), name),
        // The record page asks for a reason.
        Err(Error::Refused(Problem::NotOpened)) => Redirect::to(&record_path(&id)).into_response(),
        Err(error) => refused(error, &keepsake),
    }
}

/// The sealed receipt, in the form that can be verified: `/manage/erasures/er_….json`.
pub async fn receipt(keepsake: &Keepsake, viewer: &Viewer, id: &str) -> Response {
    match keepsake.erasure.receipt_in_console(viewer, id).await {
        Ok(receipt) => file(Json(receipt), &format!("{id}.json")),
        Err(error) => refused(error, keepsake),
    }
}

fn file(body: impl IntoResponse, name: &str) -> Response {
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

fn refused(error: Error, keepsake: &Keepsake) -> Response {
    let problem = error.outward(keepsake.clock.as_ref());
    let status = StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, Json(Refused(problem))).into_response()
}
