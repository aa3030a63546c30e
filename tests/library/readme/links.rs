//! Every relative link and picture of the documents leads to a file, and to a heading in it where it names one.

use std::path::Path;

use super::{Document, assert_none, documents, in_repository};

/// What stands before the target of a link or a picture, and the character that ends the target.
const LINKS: [(&str, char); 4] = [("](", ')'), ("src=\"", '"'), ("srcset=\"", '"'), ("href=\"", '"')];

/// Returns the targets of all links in a text.
fn targets(text: &str) -> Vec<&str> {
    let of_kind =
        |(start, end): (&'static str, char)| text.split(start).skip(1).filter_map(move |rest| rest.split_once(end));
    LINKS.into_iter().flat_map(of_kind).map(|(target, _)| target).collect()
}

/// Returns the anchors of a document's headings as GitHub makes them, the second of a name with `-1` behind it.
fn anchors(document: &Document) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    for line in document.prose_and_blocks().0.lines().filter(|line| line.starts_with('#')) {
        let heading = line.trim_start_matches('#').trim().to_lowercase();
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let before = anchors.iter().filter(|known| known.trim_end_matches(|c| "-0123456789".contains(c)) == anchor);
        let before = before.count();
        anchors.push(if before == 0 { anchor } else { format!("{anchor}-{before}") });
    }
    anchors
}

/// Says what is wrong with a link of a document, if anything is.
fn fault(document: &Document, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let folder = document.path.parent().unwrap_or(Path::new(""));
    let path = if file.is_empty() { document.path.clone() } else { folder.join(file) };
    let found = in_repository(&path);
    if !found.exists() {
        return Some(format!("{}: {target} does not exist", document.path.display()));
    }
    let anchor = anchor?;
    let is_there = anchors(&Document::read(found)).iter().any(|known| known == anchor);
    (!is_there).then(|| format!("{}: {target} has no such heading", document.path.display()))
}

#[test]
fn every_relative_link_leads_to_a_file_and_a_heading() {
    let mut wrong = Vec::new();
    for document in documents() {
        let (prose, _) = document.prose_and_blocks();
        wrong.extend(targets(&prose).into_iter().filter_map(|target| fault(&document, target)));
    }
    assert_none(&wrong);
}

#[test]
fn a_broken_link_is_found() {
    let text =
        "# One\n\n## A, b\n\n[a](#a-b) [b](#c) [c](README.md) [d](none.md) <img src=\"none.svg\"> [e](https://h/x)\n";
    let document = Document { path: "docs/none.md".into(), text: text.to_owned() };
    assert_eq!(anchors(&document), ["one", "a-b"]);
    assert_eq!(targets(text), ["#a-b", "#c", "README.md", "none.md", "https://h/x", "none.svg"]);
    let faults = |targets: &[&str]| targets.iter().filter_map(|target| fault(&document, target)).count();
    assert_eq!(faults(&["https://h/x", "../README.md", "keys.md"]), 0);
    assert_eq!(faults(&["README.md", "none.svg", "../README.md#none"]), 3);
}

#[test]
fn the_readme_links_every_document() {
    let readme = Document::read("README.md");
    let (prose, _) = readme.prose_and_blocks();
    let linked = targets(&prose);
    let is_linked =
        |document: &Document| linked.iter().any(|target| Path::new(target.split('#').next().unwrap()) == document.path);
    let missing = documents().into_iter().filter(|document| document.path != readme.path && !is_linked(document));
    assert_none(
        &missing.map(|document| format!("README.md does not link {}", document.path.display())).collect::<Vec<_>>(),
    );
}
