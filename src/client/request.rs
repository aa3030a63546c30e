//! The two requests of the interface as they will be on the wire (`interface.md` §4).
//!
//! Pure: the form shows with it what Enter would send, and the sender sends just that. Knows
//! no token, only the mask that is shown in its place.

use serde::Serialize;
use url::Url;

use crate::domain::{Ask, Header, Method, Plant, PlantId, Request, StoreUrl};

use super::token::MASKED;

/// What this program calls itself to a store.
const USER_AGENT: &str = concat!("plants/", env!("CARGO_PKG_VERSION"));

/// The body of Create Plant, in the order of the document (`interface.md` §4.1).
#[derive(Serialize)]
struct NewPlant<'plant> {
    name: &'plant str,
    id: PlantId,
    tag: &'plant str,
}

/// The request for `ask`, its headers in the order and letters in which they are sent.
pub fn request(store: &StoreUrl, ask: &Ask) -> Request {
    match ask {
        Ask::Add(plant) => create(store, plant),
        Ask::Delete(id) => delete(store, *id),
    }
}

fn create(store: &StoreUrl, plant: &Plant) -> Request {
    let body = serde_json::to_string(&NewPlant { name: &plant.name, id: plant.id, tag: &plant.tag })
        .unwrap_or_else(|_| unreachable!("two strings and an integer are always JSON"));
    let headers = vec![
        header("host", store.host_header()),
        header("authorization", MASKED),
        header("content-type", "application/json"),
        header("accept", "*/*"),
        header("user-agent", USER_AGENT),
        header("content-length", body.len().to_string()),
    ];
    assembled(Method::Post, &store.plants(), headers, Some(body))
}

fn delete(store: &StoreUrl, id: PlantId) -> Request {
    let headers = vec![
        header("host", store.host_header()),
        header("authorization", MASKED),
        header("accept", "*/*"),
        header("user-agent", USER_AGENT),
    ];
    assembled(Method::Delete, &store.plant(id), headers, None)
}

fn assembled(method: Method, url: &Url, headers: Vec<Header>, body: Option<String>) -> Request {
    Request { method, url: url.as_str().to_owned(), target: url.path().to_owned(), headers, body }
}

pub(super) fn header(name: &str, value: impl Into<String>) -> Header {
    Header { name: name.to_owned(), value: value.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::wire::request_text;

    fn store(base: &str) -> StoreUrl {
        base.parse().unwrap()
    }

    #[test]
    fn a_create_is_spelled_as_the_document_says() {
        let plant = Plant { name: "\"Mon\nstera\" 🌱".into(), id: PlantId(i64::MIN), tag: String::new() };
        let text = request_text(&request(&store("http://h:8080/api/"), &Ask::Add(plant)));
        let body = r#"{"name":"\"Mon\nstera\" 🌱","id":-9223372036854775808,"tag":""}"#;
        let expected = format!(
            "POST /api/plants HTTP/1.1\nhost: h:8080\nauthorization: Bearer ********\n\
             content-type: application/json\naccept: */*\nuser-agent: {USER_AGENT}\ncontent-length: {}\n\n{body}",
            body.len()
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn a_delete_has_no_body_and_does_not_speak_of_one() {
        let text = request_text(&request(&store("https://h"), &Ask::Delete(PlantId(7))));
        let expected = format!(
            "DELETE /plants/7 HTTP/1.1\nhost: h\nauthorization: Bearer ********\naccept: */*\nuser-agent: {USER_AGENT}\n\n"
        );
        assert_eq!(text, expected);
    }
}
