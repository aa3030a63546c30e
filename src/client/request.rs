//! Builds the two requests of the interface as they are sent (`interface.md` §4).
//!
//! Pure: the add form shows the same request that `send` sends. Must not know the token, only its mask.

use std::sync::Arc;

use url::Url;

use crate::domain::exchange::JSON;
use crate::domain::wire::{MASKED, request_body};
use crate::domain::{Credentials, Header, MediaType, Method, OperationKind, Probe, Request, StoreUrl};

use super::secret_header::FieldName;

const USER_AGENT: &str = concat!("plants/", env!("CARGO_PKG_VERSION"));

/// A wrong token for probes; not a secret.
const WRONG_TOKEN: &str = "Bearer not-the-token-of-this-store";

/// Builds a request, with the headers in the order and spelling in which they are sent.
pub fn request(store: &StoreUrl, kind: &OperationKind) -> Request {
    probing(store, kind, &Probe::default())
}

/// Builds a request that has these headers for a gateway in addition, masked.
pub fn request_with(store: &StoreUrl, names: &[FieldName], kind: &OperationKind) -> Request {
    with_masked(request(store, kind), names.iter().map(FieldName::as_str))
}

/// Adds the headers of a gateway to a request as it is shown.
pub(super) fn with_masked<'a>(request: Request, names: impl Iterator<Item = &'a str>) -> Request {
    let mut masked = names.map(|name| header(name, MASKED)).peekable();
    if masked.peek().is_none() {
        return request;
    }
    Request { headers: request.headers.iter().cloned().chain(masked).collect(), ..request }
}

/// Builds a request with the deviations of `probe`.
pub(super) fn probing(store: &StoreUrl, kind: &OperationKind, probe: &Probe) -> Request {
    match kind {
        OperationKind::Add(plant) => {
            let body = probe.body.clone().unwrap_or_else(|| request_body(plant));
            let media_type = match &probe.media_type {
                MediaType::Json => Some(JSON),
                MediaType::None => None,
                MediaType::Other(other) => Some(other.as_str()),
            };
            let headers = headers(store, probe, media_type, Some(body.len()));
            assembled(Method::Post, &store.plants(), headers, Some(body))
        }
        OperationKind::Delete(id) => {
            let url = match &probe.path_id {
                Some(path_id) => store.plant_at(path_id),
                None => store.plant(*id),
            };
            assembled(Method::Delete, &url, headers(store, probe, None, None), None)
        }
    }
}

/// Returns the authorization scheme for the token; `None` if the token is not sent.
pub(super) fn scheme(credentials: Credentials) -> Option<&'static str> {
    match credentials {
        Credentials::Token => Some("Bearer"),
        Credentials::OtherScheme => Some("Basic"),
        Credentials::WrongToken | Credentials::None => None,
    }
}

fn headers(store: &StoreUrl, probe: &Probe, media_type: Option<&str>, length: Option<usize>) -> Arc<[Header]> {
    let credentials = match probe.credentials {
        Credentials::WrongToken => Some(WRONG_TOKEN.to_owned()),
        other @ (Credentials::Token | Credentials::OtherScheme | Credentials::None) => {
            scheme(other).map(|scheme| format!("{scheme} {MASKED}"))
        }
    };
    let all = [
        Some(header("host", store.host_header())),
        credentials.map(|credentials| header("authorization", credentials)),
        media_type.map(|media_type| header("content-type", media_type)),
        Some(header("accept", "*/*")),
        // The client decodes no body.
        Some(header("accept-encoding", "identity")),
        Some(header("user-agent", USER_AGENT)),
        length.map(|length| header("content-length", length.to_string())),
    ];
    all.into_iter().flatten().collect()
}

fn assembled(method: Method, url: &Url, headers: Arc<[Header]>, body: Option<String>) -> Request {
    Request { method, url: url.as_str().into(), target: url.path().into(), headers, body }
}

pub(super) fn header(name: &str, value: impl Into<String>) -> Header {
    Header { name: name.to_owned(), value: value.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::wire::request_text;
    use crate::domain::{Plant, PlantId};

    fn store(base: &str) -> StoreUrl {
        base.parse().unwrap()
    }

    #[test]
    fn an_add_has_the_form_of_the_document() {
        let plant = Plant { name: "\"Mon\nstera\" 🌱".into(), id: PlantId(i64::MIN), tag: String::new() };
        let text = request_text(&request(&store("http://h:8080/api/"), &OperationKind::add(plant)));
        let body = r#"{"name":"\"Mon\nstera\" 🌱","id":-9223372036854775808,"tag":""}"#;
        let expected = format!(
            "POST /api/plants HTTP/1.1\nhost: h:8080\nauthorization: Bearer ********\n\
             content-type: application/json\naccept: */*\naccept-encoding: identity\nuser-agent: {USER_AGENT}\ncontent-length: {}\n\n{body}",
            body.len()
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn a_probe_changes_only_what_it_specifies() {
        let usual = request(&store("https://h"), &OperationKind::Delete(PlantId(7)));
        let sent =
            |probe: Probe| request_text(&probing(&store("https://h"), &OperationKind::Delete(PlantId(7)), &probe));
        let with = |credentials| sent(Probe { credentials, ..Probe::default() });
        let text = request_text(&usual);
        assert_eq!(with(Credentials::Token), text);
        assert_eq!(with(Credentials::None), text.replace("authorization: Bearer ********\n", ""));
        assert_eq!(with(Credentials::WrongToken), text.replace("Bearer ********", WRONG_TOKEN));
        assert_eq!(with(Credentials::OtherScheme), text.replace("Bearer", "Basic"));
        let path_id = Some("7.5?x".to_owned());
        assert_eq!(sent(Probe { path_id, ..Probe::default() }), text.replace("/7", "/7.5%3Fx"));

        let plant = Plant { name: "Fern".into(), id: PlantId(7), tag: "shade".into() };
        let body = Some("{".to_owned());
        let probe = Probe { body, media_type: MediaType::Other("text/plain".into()), ..Probe::default() };
        let text = request_text(&probing(&store("https://h"), &OperationKind::add(plant.clone()), &probe));
        assert!(text.contains("\ncontent-type: text/plain\n") && text.ends_with("content-length: 1\n\n{"), "{text}");
        let probe = Probe { media_type: MediaType::None, ..Probe::default() };
        let text = request_text(&probing(&store("https://h"), &OperationKind::add(plant), &probe));
        assert!(!text.contains("content-type"), "{text}");
    }

    #[test]
    fn a_delete_has_no_body_and_no_body_headers() {
        let text = request_text(&request(&store("https://h"), &OperationKind::Delete(PlantId(7))));
        let expected = format!(
            "DELETE /plants/7 HTTP/1.1\nhost: h\nauthorization: Bearer ********\naccept: */*\naccept-encoding: identity\nuser-agent: {USER_AGENT}\n\n"
        );
        assert_eq!(text, expected);
    }
}
