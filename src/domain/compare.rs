//! Compares two exchanges: lists the lines of each, and pairs the lines of two lists.
//!
//! Must not know how the comparison is drawn.

use similar::{Algorithm, capture_diff_slices};

use super::sentence::{about, body_ended, describe, span, status_line};
use super::wire::{self, HttpMessage};
use super::{Details, Exchange, Timestamp};
use crate::text::body::{Body, BodyLine};
use crate::text::{Marks, clean};

/// The most differing lines of one side that are searched for equal lines. The time grows with the square
/// of this number; 1,000 lines took at most 50 ms.
const MAX_DIFF_LINES: usize = 1_000;

/// The comparison of two exchanges. Made outside the interface, for it can take long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    pub began: [Timestamp; 2],
    pub parts: Vec<Part>,
}

/// One part of both exchanges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// `What`, `Request` or `Response`.
    pub heading: &'static str,
    /// Contains every line of both sides once, each side in its own order.
    pub pairs: Vec<Pair>,
    /// Whether the differing part was too long for a search, so that its lines are paired by index.
    pub by_position: bool,
}

/// One row of a two-column comparison; at least one side has a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub left: Option<BodyLine>,
    pub right: Option<BodyLine>,
    /// Whether both lines exist and are equal.
    pub same: bool,
}

impl Compared {
    /// Compares two exchanges, each with the plant of a delete.
    pub fn of(both: [(&Exchange, Option<&Details>); 2], marks: Marks) -> Self {
        let [left, right] = both.map(|(exchange, called)| sections(exchange, called, marks));
        let part = |(left, right): (&Section, &Section)| Part::of(left.heading, &left.lines, &right.lines);
        Self { began: both.map(|(exchange, _)| exchange.started), parts: left.iter().zip(&right).map(part).collect() }
    }
}

impl Part {
    /// Pairs equal lines of two lists, as many as possible without reordering. Changed lines between them are
    /// paired by index; the surplus of the longer side has no partner.
    ///
    /// Where more than 1,000 lines lie between the common start and the common end, these are all paired by
    /// index.
    fn of(heading: &'static str, left: &[String], right: &[String]) -> Self {
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
        let pairs = blocks.into_iter().flat_map(|(lefts, rights)| {
            let mut lefts = left.get(lefts).unwrap_or_default().iter();
            let mut rights = right.get(rights).unwrap_or_default().iter();
            (0..lefts.len().max(rights.len())).map(move |_| Pair::of(lefts.next(), rights.next()))
        });
        Self { heading, pairs: pairs.collect(), by_position }
    }
}

impl Pair {
    fn of(left: Option<&String>, right: Option<&String>) -> Self {
        let same = left.is_some() && left == right;
        let [left, right] = [left, right].map(|line| line.cloned().map(BodyLine::plain));
        Self { left, right, same }
    }
}

/// Counts the equal pairs before the first unequal one.
fn count_equal<'line>(pairs: impl Iterator<Item = (&'line String, &'line String)>) -> usize {
    pairs.take_while(|(left, right)| left == right).count()
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
pub fn sections(exchange: &Exchange, called: Option<&Details>, marks: Marks) -> Vec<Section> {
    let name = called.map(|called| called.name.as_str());
    let request = match &exchange.request {
        None => vec!["No request is stored.".to_owned()],
        Some(request) => message_lines(&request.into(), marks),
    };
    let response = match exchange.response() {
        None => vec!["No response came.".to_owned(), describe(exchange, name)],
        Some(response) => {
            let mut lines = message_lines(&response.into(), marks);
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
fn message_lines(message: &HttpMessage<'_>, marks: Marks) -> Vec<String> {
    let exact = |text: &str| clean(&marks.exact(text));
    let mut lines = vec![exact(&message.first)];
    lines.extend(message.headers.iter().map(|header| exact(&wire::header_line(header))));
    if !message.body.is_empty() {
        lines.push(String::new());
        lines.extend(Body::laid_out(&marks.exact_bytes(message.body)).lines.iter().map(BodyLine::text));
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::domain::{
        BodyEnd, Ending, FailureKind, Header, Method, Operation, OperationId, OperationKind, Plant, PlantId, Request,
        Response,
    };

    fn lines(text: &str) -> Vec<String> {
        text.split_terminator('|').map(str::to_owned).collect()
    }

    fn compared(left: &[String], right: &[String]) -> Part {
        Part::of("", left, right)
    }

    /// The lines of the pairs on the left, and those on the right.
    fn sides(pairs: &[Pair]) -> [Vec<String>; 2] {
        let left = pairs.iter().filter_map(|pair| pair.left.as_ref());
        let right = pairs.iter().filter_map(|pair| pair.right.as_ref());
        [left.map(BodyLine::text).collect(), right.map(BodyLine::text).collect()]
    }

    /// The rows as `left=right` where they are the same, and `left:right` where they are not.
    fn shown(left: &str, right: &str) -> Vec<String> {
        let compared = compared(&lines(left), &lines(right));
        assert!(!compared.by_position);
        let line = |line: &Option<BodyLine>| line.as_ref().map(BodyLine::text).unwrap_or_default();
        let mark = |pair: &Pair| if pair.same { "=" } else { ":" };
        compared.pairs.iter().map(|pair| line(&pair.left) + mark(pair) + &line(&pair.right)).collect()
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
        let compared = compared(&left, &right);
        assert!(compared.by_position);
        assert_eq!(sides(&compared.pairs), [left, right]);
        assert!(compared.pairs.iter().all(|pair| pair.left.is_some() && pair.right.is_some()));
        let same: Vec<_> = (0..).zip(&compared.pairs).filter(|(_, pair)| pair.same).map(|(at, _)| at).collect();
        assert_eq!(same, [0, MAX_DIFF_LINES + 3, MAX_DIFF_LINES + 4]);
    }

    #[test]
    fn lines_are_paired_by_index_from_the_first_line_over_the_limit() {
        for (count, by_position) in [(MAX_DIFF_LINES, false), (MAX_DIFF_LINES + 1, true)] {
            let some = |side: &str| (0..count).map(|line| format!("{side}{line}")).collect::<Vec<_>>();
            assert_eq!(compared(&some("left"), &some("right")).by_position, by_position, "{count}");
        }
    }

    #[test]
    fn one_inserted_line_is_found_in_a_list_of_any_length() {
        let many: Vec<_> = (0..9 * MAX_DIFF_LINES).map(|line| line.to_string()).collect();
        let mut more = many.clone();
        more.insert(5 * MAX_DIFF_LINES, "more".to_owned());
        let compared = compared(&many, &more);
        assert!(!compared.by_position);
        assert_eq!(compared.pairs.iter().position(|pair| !pair.same), Some(5 * MAX_DIFF_LINES));
        let different: Vec<_> = compared.pairs.into_iter().filter(|pair| !pair.same).collect();
        assert_eq!(different, [Pair::of(None, Some(&"more".to_owned()))]);
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
        sections(exchange, called, Marks::Unicode)
            .iter()
            .map(|section| (section.heading, section.lines.join("\n")))
            .collect()
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
            (b"", BodyEnd::Trimmed, "\nThe body of the response is not stored here."),
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
            let Part { pairs, .. } = compared(&left, &right);
            for pair in &pairs {
                prop_assert!(pair.left.is_some() || pair.right.is_some());
                prop_assert_eq!(pair.same, pair.left == pair.right);
            }
            let shared = pairs.iter().filter(|pair| pair.same).count();
            prop_assert_eq!(shared, most_shared(&left, &right));
            prop_assert_eq!(sides(&pairs), [left, right]);
        }

        #[test]
        fn any_body_and_header_is_shown_in_safe_lines(body in any::<Vec<u8>>(), text in any::<String>()) {
            let mut exchange = responded(&body, BodyEnd::CutOff(text.clone()));
            if let Some(request) = &mut exchange.request {
                request.headers = [header(&text, &text)].into();
                request.body = Some(text);
            }
            for line in sections(&exchange, None, Marks::Unicode).iter().flat_map(|section| &section.lines) {
                prop_assert_eq!(&clean(line), line);
            }
        }

        /// The same exchange twice has no difference.
        #[test]
        fn an_exchange_equals_itself(body in any::<Vec<u8>>()) {
            let of = sections(&responded(&body, BodyEnd::Complete), None, Marks::Unicode);
            for section in &of {
                let Part { pairs, .. } = compared(&section.lines, &section.lines);
                prop_assert!(pairs.len() == section.lines.len() && pairs.iter().all(|pair| pair.same));
            }
        }
    }
}
