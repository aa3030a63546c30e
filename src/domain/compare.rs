//! Compares two exchanges: lists the lines of each, and pairs the lines of two lists.
//!
//! Must not know how the comparison is drawn.

use std::ops::Range;

use similar::{Algorithm, capture_diff_slices};

use super::sentence::{about, body_ended, describe, span, status_line};
use super::{Details, Exchange, Header, wire};
use crate::text::body::{Body, BodyLine};
use crate::text::clean;

/// The most differing lines of one side that are searched for equal lines. The time grows with the square
/// of this number; 1,000 lines took at most 50 ms, which a key press can wait.
const MAX_DIFF_LINES: usize = 1_000;

/// One row of a two-column comparison; at least one side has a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinePair {
    /// The index of the left line, from 0.
    pub left: Option<usize>,
    /// The index of the right line, from 0.
    pub right: Option<usize>,
    /// Whether both lines exist and are equal.
    pub same: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Contains every line of both sides once, each side in its own order.
    pub rows: Vec<LinePair>,
    /// Whether the differing part was too long for a search, so that its lines are paired by index.
    pub by_position: bool,
}

/// Pairs equal lines of two lists, as many as possible without reordering. Changed lines between them are
/// paired by index; the surplus of the longer side has no partner.
///
/// Where more than 1,000 lines lie between the common start and the common end, these are all paired by
/// index.
pub fn pair_lines(left: &[String], right: &[String]) -> Comparison {
    let start = count_equal(left.iter().zip(right));
    let (left_rest, right_rest) = (left.iter().skip(start), right.iter().skip(start));
    let end = count_equal(left_rest.rev().zip(right_rest.rev()));
    let middle = (start..left.len() - end, start..right.len() - end);
    let by_position = middle.0.len().max(middle.1.len()) > MAX_DIFF_LINES;
    let blocks = if by_position {
        let ends = (middle.0.end..left.len(), middle.1.end..right.len());
        vec![(0..start, 0..start), middle, ends]
    } else {
        let found = capture_diff_slices(Algorithm::Myers, left, right);
        found.iter().map(|block| (block.old_range(), block.new_range())).collect()
    };
    let pairs = blocks.into_iter().flat_map(|(lefts, rights)| pair_by_index(lefts, rights));
    let rows = pairs.map(|(left_at, right_at)| {
        let lines = left_at.and_then(|at| left.get(at)).zip(right_at.and_then(|at| right.get(at)));
        LinePair { left: left_at, right: right_at, same: lines.is_some_and(|(left, right)| left == right) }
    });
    Comparison { rows: rows.collect(), by_position }
}

/// Counts the equal pairs before the first unequal one.
fn count_equal<'line>(pairs: impl Iterator<Item = (&'line String, &'line String)>) -> usize {
    pairs.take_while(|(left, right)| left == right).count()
}

fn pair_by_index(
    mut lefts: Range<usize>,
    mut rights: Range<usize>,
) -> impl Iterator<Item = (Option<usize>, Option<usize>)> {
    (0..lefts.len().max(rights.len())).map(move |_| (lefts.next(), rights.next()))
}

/// A titled part of an exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// `What`, `Request` or `Response`.
    pub heading: &'static str,
    /// Lines of any length, safe to print on a terminal.
    pub lines: Vec<String>,
}

/// Lists the lines of an exchange for a comparison: always the same three sections in the same order.
/// `called` names the plant of a delete. The start time is left out, since it always differs.
///
/// Headers are shown as stored, the token masked. JSON bodies are formatted, so that white space between
/// tokens makes no difference.
pub fn sections(exchange: &Exchange, called: Option<&Details>) -> Vec<Section> {
    let name = called.map(|called| called.name.as_str());
    let request = match &exchange.request {
        None => vec!["No request is stored.".to_owned()],
        Some(request) => {
            let body = request.body.as_deref().unwrap_or_default();
            message_lines(&wire::request_line(request), &request.headers, body.as_bytes())
        }
    };
    let response = match exchange.response() {
        None => vec!["No response came.".to_owned(), describe(exchange, name)],
        Some(response) => {
            let first = wire::status_line_text(response);
            let mut lines = message_lines(&first, &response.headers, &response.body);
            lines.extend(body_ended(&response.body_end));
            lines
        }
    };
    vec![
        Section { heading: "What", lines: summary(exchange, name) },
        Section { heading: "Request", lines: request },
        Section { heading: "Response", lines: response },
    ]
}

fn summary(exchange: &Exchange, name: Option<&str>) -> Vec<String> {
    let status = exchange.response().map(|response| status_line(response.status, &response.reason));
    vec![
        about(&exchange.operation.kind, name),
        format!("outcome: {}", exchange.outcome().word()),
        format!("status: {}", status.as_deref().unwrap_or("none came")),
        if exchange.elapsed.is_zero() {
            "duration: not measured".to_owned()
        } else {
            format!("duration: {}", span(exchange.elapsed))
        },
    ]
}

/// Lists the first line, the headers, and after a blank line the body if there is one.
fn message_lines(first: &str, headers: &[Header], body: &[u8]) -> Vec<String> {
    let mut lines = vec![clean(first)];
    lines.extend(headers.iter().map(|header| clean(&wire::header_line(header))));
    if !body.is_empty() {
        lines.push(String::new());
        lines.extend(Body::laid_out(body).lines.iter().map(BodyLine::text));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::domain::{
        BodyEnd, Ending, FailureKind, Method, Operation, OperationId, OperationKind, Plant, PlantId, Request, Response,
        Timestamp,
    };

    fn lines(text: &str) -> Vec<String> {
        text.split_terminator('|').map(str::to_owned).collect()
    }

    /// The rows as `left=right` where they are the same, and `left:right` where they are not.
    fn shown(left: &str, right: &str) -> Vec<String> {
        let (left, right) = (lines(left), lines(right));
        let compared = pair_lines(&left, &right);
        assert!(!compared.by_position);
        let line = |of: &[String], at: Option<usize>| at.map_or("", |at| of[at].as_str()).to_owned();
        let mark = |row: &LinePair| if row.same { "=" } else { ":" };
        compared.rows.iter().map(|row| line(&left, row.left) + mark(row) + &line(&right, row.right)).collect()
    }

    #[test]
    fn equal_lines_share_a_row_and_changed_lines_are_paired() {
        assert_eq!(shown("", ""), [""; 0]);
        assert_eq!(shown("a|b", "a|b"), ["a=a", "b=b"]);
        assert_eq!(shown("a|b|c", "a|B|c"), ["a=a", "b:B", "c=c"]);
        assert_eq!(shown("a|b|b2|c", "a|B|c"), ["a=a", "b:B", "b2:", "c=c"]);
        assert_eq!(shown("a|c", "a|b|c"), ["a=a", ":b", "c=c"]);
        assert_eq!(shown("a|b", ""), ["a:", "b:"]);
        assert_eq!(shown("a||b", "x|"), ["a:x", ":", "b:"]);
    }

    #[test]
    fn too_many_differing_lines_are_paired_by_index() {
        let many: Vec<_> = (0..MAX_DIFF_LINES).map(|line| line.to_string()).collect();
        let left = [lines("same|a"), many.clone(), lines("z|same|same")].concat();
        let right = [lines("same"), many.clone(), lines("y|x|same|same")].concat();
        let compared = pair_lines(&left, &right);
        assert!(compared.by_position);
        let positions = (0..left.len()).map(|at| (Some(at), Some(at)));
        assert!(compared.rows.iter().map(|row| (row.left, row.right)).eq(positions));
        let same: Vec<_> = (0..).zip(&compared.rows).filter(|(_, row)| row.same).map(|(at, _)| at).collect();
        assert_eq!(same, [0, MAX_DIFF_LINES + 3, MAX_DIFF_LINES + 4]);
    }

    #[test]
    fn lines_are_paired_by_index_from_the_first_line_over_the_limit() {
        for (count, by_position) in [(MAX_DIFF_LINES, false), (MAX_DIFF_LINES + 1, true)] {
            let some = |side: &str| (0..count).map(|line| format!("{side}{line}")).collect::<Vec<_>>();
            assert_eq!(pair_lines(&some("left"), &some("right")).by_position, by_position, "{count}");
        }
    }

    #[test]
    fn one_inserted_line_is_found_in_a_list_of_any_length() {
        let many: Vec<_> = (0..9 * MAX_DIFF_LINES).map(|line| line.to_string()).collect();
        let mut more = many.clone();
        more.insert(5 * MAX_DIFF_LINES, "more".to_owned());
        let compared = pair_lines(&many, &more);
        assert!(!compared.by_position);
        let different: Vec<_> = compared.rows.into_iter().filter(|row| !row.same).collect();
        assert_eq!(different, [LinePair { left: None, right: Some(5 * MAX_DIFF_LINES), same: false }]);
    }

    fn header(name: &str, value: &str) -> Header {
        Header { name: name.into(), value: value.into() }
    }

    fn responded(body: &[u8], body_end: BodyEnd) -> Exchange {
        let kind = OperationKind::add(Plant { name: "Fern\u{1b}".into(), id: PlantId(7), tag: "t".into() });
        let request = Request {
            method: Method::Post,
            url: "https://h/plants".into(),
            target: "/plants".into(),
            headers: [header("authorization", "Bearer ********"), header("accept", "*/*")].into(),
            body: Some(r#"{"id":7}"#.into()),
        };
        let response = Response {
            status: 201,
            reason: "Created".into(),
            version: "HTTP/1.1".into(),
            headers: [header("date", "now\u{202e}")].into(),
            body: body.to_vec(),
            body_end,
        };
        Exchange {
            operation: Operation::new(OperationId { origin: 1, number: 1 }, kind, Timestamp(0)),
            request: Some(request),
            ending: Ending::Responded(response),
            started: Timestamp(0),
            phases: crate::domain::Phases::default(),
            elapsed: Duration::from_millis(12),
        }
    }

    fn described(exchange: &Exchange, called: Option<&Details>) -> Vec<(&'static str, String)> {
        sections(exchange, called).iter().map(|section| (section.heading, section.lines.join("\n"))).collect()
    }

    #[test]
    fn the_sections_show_request_and_response_as_sent() {
        let exchange = responded(br#"{"a" : [1.0]}"#, BodyEnd::Complete);
        let what = "add Fern␛ (7)\noutcome: accepted\nstatus: 201 Created\nduration: 12 ms";
        let request = "POST /plants HTTP/1.1\nauthorization: Bearer ********\naccept: */*\n\n{\n  \"id\": 7\n}";
        let response = "HTTP/1.1 201 Created\ndate: now‹U+202E›\n\n{\n  \"a\": [\n    1.0\n  ]\n}";
        let expected = [("What", what), ("Request", request), ("Response", response)];
        assert_eq!(described(&exchange, None), expected.map(|(heading, lines)| (heading, lines.to_owned())));
    }

    #[test]
    fn a_body_that_is_not_json_keeps_its_lines_and_notes_how_it_ended() {
        for (body, end, expected) in [
            (&b""[..], BodyEnd::Complete, ""),
            (b"", BodyEnd::Trimmed, "\nThe body of the response is no longer stored."),
            (b"{}", BodyEnd::Capped(2), "\n\n{}\nThe response is longer than 2 bytes; the rest was not stored."),
            (b"<p>\r\n\xff\n", BodyEnd::CutOff("e\n".into()), "\n\n<p>␍\n\\xff\n\nThe response is cut off: e␊."),
        ] {
            let sections = described(&responded(body, end), None);
            assert_eq!(sections[2].1, format!("HTTP/1.1 201 Created\ndate: now‹U+202E›{expected}"));
        }
    }

    #[test]
    fn an_exchange_without_request_and_response_explains_why() {
        let mut operation = responded(b"", BodyEnd::Complete).operation;
        operation.kind = OperationKind::Delete(PlantId(8));
        let exchange = Exchange::failed(operation, FailureKind::TaskDied, String::new(), Timestamp(0));
        let called = Details { name: "Ivy".into(), tag: String::new() };
        let what = "delete Ivy (8)\noutcome: unknown\nstatus: none came\nduration: not measured";
        let why = "No response came.\nIt is unknown whether Ivy (8) was deleted: the task that sent it failed.";
        let expected = [("What", what), ("Request", "No request is stored."), ("Response", why)];
        assert_eq!(described(&exchange, Some(&called)), expected.map(|(heading, lines)| (heading, lines.to_owned())));
    }

    /// The most lines that two lists can share without changing their order, by the plain table.
    fn most_shared(left: &[String], right: &[String]) -> usize {
        let mut above = vec![0; right.len() + 1];
        for line in left {
            let mut row = vec![0];
            for (at, other) in right.iter().enumerate() {
                row.push(if line == other { above[at] + 1 } else { above[at + 1].max(row[at]) });
            }
            above = row;
        }
        above[right.len()]
    }

    fn some_lines() -> impl Strategy<Value = Vec<String>> {
        // Few different lines, so that many are equal, within a list too.
        prop::collection::vec("[a-d]{0,2}", 0..30)
    }

    proptest! {
        #[test]
        fn each_line_is_in_one_row_and_the_most_equal_lines_are_paired(left in some_lines(), right in some_lines()) {
            let compared = pair_lines(&left, &right);
            let places = |of: fn(&LinePair) -> Option<usize>| compared.rows.iter().filter_map(of).collect::<Vec<_>>();
            prop_assert_eq!(places(|row| row.left), (0..left.len()).collect::<Vec<_>>());
            prop_assert_eq!(places(|row| row.right), (0..right.len()).collect::<Vec<_>>());
            for row in &compared.rows {
                let pair = row.left.zip(row.right);
                prop_assert!(row.left.is_some() || row.right.is_some());
                prop_assert_eq!(row.same, pair.is_some_and(|(one, other)| left[one] == right[other]));
            }
            let shared = compared.rows.iter().filter(|row| row.same).count();
            prop_assert_eq!(shared, most_shared(&left, &right));
        }

        #[test]
        fn any_body_and_header_is_shown_in_safe_lines(body in any::<Vec<u8>>(), text in any::<String>()) {
            let mut exchange = responded(&body, BodyEnd::CutOff(text.clone()));
            if let Some(request) = &mut exchange.request {
                request.headers = [header(&text, &text)].into();
                request.body = Some(text);
            }
            for line in sections(&exchange, None).iter().flat_map(|section| &section.lines) {
                prop_assert_eq!(&clean(line), line);
            }
        }

        /// The same exchange twice has no difference.
        #[test]
        fn an_exchange_equals_itself(body in any::<Vec<u8>>()) {
            let of = sections(&responded(&body, BodyEnd::Complete), None);
            for section in &of {
                let compared = pair_lines(&section.lines, &section.lines);
                prop_assert!(compared.rows.len() == section.lines.len() && compared.rows.iter().all(|row| row.same));
            }
        }
    }
}
