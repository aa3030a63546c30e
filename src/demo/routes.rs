//! What the demo store responds: its two operations, its no's, and who may ask.
//! Must not know the weather or the connection.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, post};
use axum::{Json, Router};
use hyper::body::Bytes;
use serde_json::json;

use super::shelf::{Plant, Shelf, path_id};

/// The two operations (`interface.md` §4) over an empty shelf.
///
/// Bodies are read, and bounded, before they get here.
pub(super) fn routes() -> Router {
    Router::new()
        .route("/plants", post(create))
        .route("/plants/{id}", delete(remove))
        .fallback(async || no(StatusCode::NOT_FOUND, "there is nothing at this path"))
        .method_not_allowed_fallback(async || no(StatusCode::METHOD_NOT_ALLOWED, "this path does not take that method"))
        .layer(axum::extract::DefaultBodyLimit::disable())
        .with_state(Arc::new(Shelf::default()))
}

/// A response that says no: `{"error": why}`.
pub(super) fn no(status: StatusCode, why: impl Into<String>) -> Response {
    (status, Json(json!({ "error": why.into() }))).into_response()
}

/// The response to whoever does not present the token.
pub(super) fn who_are_you() -> Response {
    let mut response = no(StatusCode::UNAUTHORIZED, "a valid bearer token is required");
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// Whether the request's one `Authorization` header is `Bearer` (in any case) and `token`.
pub(super) fn presents(headers: &HeaderMap, token: &str) -> bool {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else { return false };
    value
        .to_str()
        .ok()
        .and_then(|value| value.split_once(' '))
        .is_some_and(|(scheme, rest)| scheme.eq_ignore_ascii_case("bearer") && rest.trim_start_matches(' ') == token)
}

fn is_json(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).is_some_and(|value| {
        let media_type = value.split(';').next().unwrap_or("");
        media_type.trim().eq_ignore_ascii_case("application/json")
    })
}

async fn create(State(shelf): State<Arc<Shelf>>, headers: HeaderMap, body: Bytes) -> Response {
    if !is_json(&headers) {
        return no(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must be application/json");
    }
    match Plant::read(&body) {
        Err(fault) => no(StatusCode::BAD_REQUEST, fault.to_string()),
        Ok(plant) if shelf.put(plant.id) => (StatusCode::CREATED, Json(plant)).into_response(),
        Ok(plant) => no(StatusCode::CONFLICT, format!("there is a plant with the id {} already", plant.id)),
    }
}

async fn remove(State(shelf): State<Arc<Shelf>>, id: Result<Path<String>, PathRejection>) -> Response {
    match id.ok().and_then(|Path(text)| path_id(&text)) {
        None => no(StatusCode::BAD_REQUEST, "the id in the path must be an integer of 64 bits"),
        Some(id) if shelf.take(id) => StatusCode::NO_CONTENT.into_response(),
        Some(id) => no(StatusCode::NOT_FOUND, format!("there is no plant with the id {id}")),
    }
}
