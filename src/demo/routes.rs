//! Implements the two operations of the demo store, its error responses and its authorization.
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

/// Returns the routes of the two operations (`interface.md` §4), with an empty shelf.
///
/// The caller reads and limits the bodies.
pub(super) fn routes() -> Router {
    Router::new()
        .route("/plants", post(create))
        .route("/plants/{id}", delete(remove))
        .fallback(async || error(StatusCode::NOT_FOUND, "there is nothing at this path"))
        .method_not_allowed_fallback(async || {
            error(StatusCode::METHOD_NOT_ALLOWED, "this path does not take that method")
        })
        .layer(axum::extract::DefaultBodyLimit::disable())
        .with_state(Arc::new(Shelf::default()))
}

/// Builds an error response: `{"error": why}`.
pub(super) fn error(status: StatusCode, why: impl Into<String>) -> Response {
    (status, Json(json!({ "error": why.into() }))).into_response()
}

/// Builds the response to a request without the token.
pub(super) fn unauthorized() -> Response {
    let mut response = error(StatusCode::UNAUTHORIZED, "a valid bearer token is required");
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// Whether there is one `Authorization` header, with the scheme `Bearer` in any case and `token`.
pub(super) fn is_authorized(headers: &HeaderMap, token: &str) -> bool {
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
        return error(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must be application/json");
    }
    match Plant::read(&body) {
        Err(fault) => error(StatusCode::BAD_REQUEST, fault),
        Ok(plant) if shelf.insert(plant.id) => (StatusCode::CREATED, Json(plant)).into_response(),
        Ok(plant) => error(StatusCode::CONFLICT, format!("there is a plant with the id {} already", plant.id)),
    }
}

async fn remove(State(shelf): State<Arc<Shelf>>, id: Result<Path<String>, PathRejection>) -> Response {
    match id.ok().and_then(|Path(text)| path_id(&text)) {
        None => error(StatusCode::BAD_REQUEST, "the id in the path must be an integer of 64 bits"),
        Some(id) if shelf.remove(id) => StatusCode::NO_CONTENT.into_response(),
        Some(id) => error(StatusCode::NOT_FOUND, format!("there is no plant with the id {id}")),
    }
}
