//! Reads the elements of an XML document, and panics unless the document is well-formed.

use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    /// Names of the enclosing elements, the outermost first.
    pub(super) around: Vec<String>,
    /// With their entities resolved.
    pub(super) attributes: BTreeMap<String, String>,
}

/// Returns every element, in the order of the start tags.
pub(super) fn elements(document: &str) -> Vec<Element> {
    assert!(!document.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')), "a control: {document:?}");
    let mut rest = document.strip_prefix("<?xml ").map_or(document, |rest| rest.split_once("?>").unwrap().1);
    let (mut found, mut open) = (Vec::new(), Vec::<String>::new());
    while let Some((text, after)) = rest.split_once('<') {
        assert!(resolved(text).trim().is_empty() || !open.is_empty(), "text outside of the root: {text}");
        if let Some(after) = after.strip_prefix("![CDATA[") {
            assert!(!open.is_empty());
            rest = after.split_once("]]>").unwrap().1;
            continue;
        }
        let (tag, after) = tag(after);
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name.trim_end()));
            continue;
        }
        let is_first = found.is_empty();
        assert!(is_first || !open.is_empty(), "a second root: {tag}");
        let (tag, is_whole) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let element = element(tag, &open);
        if !is_whole {
            open.push(element.name.clone());
        }
        found.push(element);
    }
    assert!(open.is_empty() && rest.trim().is_empty() && !found.is_empty(), "never ended: {open:?}, {rest}");
    found
}

/// Splits a text after the tag at its start.
fn tag(text: &str) -> (&str, &str) {
    let mut is_quoted = false;
    let end = text.find(|c| {
        is_quoted ^= c == '"';
        c == '>' && !is_quoted
    });
    let (tag, after) = text.split_at(end.expect("a tag ends"));
    (tag, after.strip_prefix('>').unwrap())
}

fn element(tag: &str, around: &[String]) -> Element {
    let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_.:".contains(c));
    assert!(is_name(name), "{tag}");
    let mut attributes = BTreeMap::new();
    while let Some((key, after)) = rest.trim_start().split_once("=\"") {
        let (value, after) = after.split_once('"').expect("an attribute ends");
        assert!(is_name(key) && !value.contains('<'), "{tag}");
        assert_eq!(attributes.insert(key.to_owned(), resolved(value)), None, "{tag}");
        rest = after;
    }
    assert!(rest.trim().is_empty(), "{tag}");
    Element { name: name.to_owned(), around: around.to_vec(), attributes }
}

/// Resolves the entities of a text.
fn resolved(text: &str) -> String {
    let mut parts = text.split('&');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';').expect("an entity ends");
        whole.push(match entity {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            number => char::from_u32(number.strip_prefix('#').unwrap().parse().unwrap()).unwrap(),
        });
        whole.push_str(after);
    }
    whole
}

#[test]
fn well_formed_documents_are_read() {
    let read = elements("<?xml version=\"1.0\"?>\n<a b=\"&lt;1>\" c=\"\"><d/>x &amp; y<e><![CDATA[<f>]]></e ></a>\n");
    let names: Vec<_> = read.iter().map(|element| (element.around.join("/"), element.name.as_str())).collect();
    assert_eq!(names, [(String::new(), "a"), ("a".to_owned(), "d"), ("a".to_owned(), "e")]);
    assert_eq!(read[0].attributes, BTreeMap::from([("b".into(), "<1>".into()), ("c".into(), String::new())]));
}

#[test]
fn other_documents_panic() {
    for wrong in [
        "",
        "a",
        "<a>",
        "<a></b>",
        "<a/><b/>",
        "<a b=c/>",
        "<a b=\"<\"/>",
        "<a>&</a>",
        "<a>&no;</a>",
        "<a b=\"\" b=\"\"/>",
    ] {
        assert!(std::panic::catch_unwind(|| elements(wrong)).is_err(), "{wrong}");
    }
}
