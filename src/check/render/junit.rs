//! A report as `JUnit` XML, for build servers: a test suite with a case for each rule.
//!
//! A rule that fails is a failure. An inconclusive rule is an error if a response is missing, and skipped if this
//! store's behaviour does not show it; in a strict report both are failures. The message says why in short, and the text
//! has the evidence. The time of a case is that of the requests that decide it. Diagnosis and undocumented behaviour are
//! properties of the suite; leftovers are in its `system-err`. Rows that a run did not check are absent.

use std::io;
use std::time::Duration;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::check::{Reason, Report, RowResult, Verdict};
use crate::text::clean;

type Xml = Writer<Vec<u8>>;

/// Renders a report as an XML document.
pub(super) fn render(report: &Report, is_strict: bool) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    // Writing to memory does not fail, and all input is UTF-8.
    let _ = document(&mut xml, report, is_strict);
    let mut text = String::from_utf8(xml.into_inner()).unwrap_or_default();
    text.push('\n');
    text
}

/// Returns the element in a rule's case.
fn element_of(rule: &RowResult, is_strict: bool) -> &'static str {
    match rule.verdict {
        Some(Verdict::Pass) => "system-out",
        Some(Verdict::Fail) => "failure",
        _ if is_strict => "failure",
        _ if rule.reason == Some(Reason::NotVisible) => "skipped",
        _ => "error",
    }
}

fn document(xml: &mut Xml, report: &Report, is_strict: bool) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let count = |name| report.rules.iter().filter(|rule| element_of(rule, is_strict) == name).count().to_string();
    let counts = [
        ("tests", report.rules.len().to_string()),
        ("failures", count("failure")),
        ("errors", count("error")),
        ("skipped", count("skipped")),
        ("time", seconds(report.rules.iter().map(|rule| rule.elapsed).sum())),
    ];
    let counts = counts.each_ref().map(|(name, count)| (*name, count.as_str()));
    let suites = xml.create_element("testsuites").with_attribute(("name", "plants check")).with_attributes(counts);
    suites.write_inner_content(|xml| {
        let suite = xml.create_element("testsuite").with_attribute(("name", "plants check")).with_attributes(counts);
        let started = report.started.in_utc();
        let suite = suite.with_attributes(started.as_deref().map(|started| ("timestamp", started)));
        suite.write_inner_content(|xml| write_suite(xml, report, is_strict)).map(drop)
    })?;
    Ok(())
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

fn write_suite(xml: &mut Xml, report: &Report, is_strict: bool) -> io::Result<()> {
    xml.create_element("properties").write_inner_content(|xml| write_properties(xml, report))?;
    for rule in &report.rules {
        write_case(xml, rule, is_strict)?;
    }
    let early = report.cut_short.iter().map(|why| format!("The check ended early: {why}."));
    let left =
        report.leftovers.iter().map(|left| format!("Leftover: {}: {}. {}", left.called(), left.clean_up, left.why));
    let lines: Vec<_> = early.chain(left).collect();
    if lines.is_empty() { Ok(()) } else { write_text(xml, "system-err", &[], &lines) }
}

fn write_properties(xml: &mut Xml, report: &Report) -> io::Result<()> {
    let mut write = |name: &str, value: &str| {
        let (name, value) = (xml_text(name), xml_text(value));
        let attributes = [("name", name.as_str()), ("value", value.as_str())];
        xml.create_element("property").with_attributes(attributes).write_empty().map(drop)
    };
    write("program", &report.program)?;
    write("store", &report.store)?;
    write("diagnosis", &report.diagnosis.to_string())?;
    write("checked", &report.wanted.describe())?;
    write("requests", &report.requests.to_string())?;
    if let Some(latency) = report.latency {
        write("latency", &latency.to_string())?;
    }
    for observed in &report.undocumented {
        write(&format!("undocumented.{}", observed.name), &observed.value)?;
    }
    Ok(())
}

fn write_case(xml: &mut Xml, rule: &RowResult, is_strict: bool) -> io::Result<()> {
    let class = match rule.section() {
        Some(section) => format!("plants.check.section-{}", section.replace('.', "-")),
        None => "plants.check.another-release".to_owned(),
    };
    // What the requests show stands before them, and behind the check that it is kept from.
    let shown = rule.evidence.split(": ").take(1 + usize::from(rule.is_kept)).collect::<Vec<_>>().join(": ");
    let (name, message) = (xml_text(&rule.name), xml_text(&shown));
    let time = seconds(rule.elapsed);
    let case = [("classname", class.as_str()), ("name", name.as_str()), ("time", time.as_str())];
    let case = xml.create_element("testcase").with_attributes(case);
    let lines = [rule.subject().to_owned(), rule.evidence.clone()];
    let attributes = [("message", message.as_str()), ("type", rule.words())];
    let element = element_of(rule, is_strict);
    let attributes = match element {
        "system-out" => &[][..],
        "skipped" => &attributes[..1],
        _ => &attributes,
    };
    let written = case.write_inner_content(|xml| write_text(xml, element, attributes, &lines));
    written.map(drop)
}

fn write_text(xml: &mut Xml, element: &str, attributes: &[(&str, &str)], lines: &[String]) -> io::Result<()> {
    let lines: Vec<_> = lines.iter().map(|line| xml_text(line)).collect();
    let element = xml.create_element(element).with_attributes(attributes.iter().copied());
    element.write_text_content(BytesText::new(&lines.join("\n"))).map(drop)
}

/// Replaces the characters that XML 1.0 cannot have even escaped (§2.2): controls and two more code points.
fn xml_text(text: &str) -> String {
    clean(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use quick_xml::{Reader, XmlVersion};

    use super::*;
    use crate::check::Wanted;
    use crate::check::tests::{crooked, honest, hostile, saying};
    use crate::domain::Timestamp;

    #[test]
    fn a_report_has_the_form_of_junit() {
        let only = ["create-media-type", "create-name-and-tag", "unicode", "id-in-response", "delete-single-plant"];
        let mut report = crooked(Wanted { gentle: false, only: only.map(str::to_owned).to_vec() });
        report.cut_short = Some("it was stopped".to_owned());
        insta::assert_snapshot!(render(&report, false), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites name="plants check" tests="3" failures="1" errors="1" skipped="0" time="0.000">
          <testsuite name="plants check" tests="3" failures="1" errors="1" skipped="0" time="0.000" timestamp="2023-11-14T22:13:20.000Z">
            <properties>
              <property name="program" value="plants 0.1.0"/>
              <property name="store" value="http://plants.example"/>
              <property name="diagnosis" value="Differs from the document: 1 of 3 rules fails, 1 inconclusive."/>
              <property name="checked" value="only create-media-type, create-name-and-tag, unicode, id-in-response, delete-single-plant"/>
              <property name="requests" value="20"/>
              <property name="latency" value="0.0 ms at the median, 0.0 ms at most"/>
              <property name="undocumented.unicode" value="accepted: 201; the response has no name; the response has no tag"/>
              <property name="undocumented.id-in-response" value="no"/>
            </properties>
            <testcase classname="plants.check.section-2" name="create-media-type" time="0.000">
              <system-out>The response to a create is application/json
        content-type: application/json; charset=utf-8</system-out>
            </testcase>
            <testcase classname="plants.check.section-4-1" name="create-name-and-tag" time="0.000">
              <failure message="the response has no name, the response has no tag" type="fail">The response to a create has name and tag as they were sent
        the response has no name, the response has no tag: POST /plants {&quot;name&quot;:&quot;Plants Check 1 lhkrzf&quot;,&quot;id&quot;:7818030250000000000,&quot;tag&quot;:&quot;Plants-Check&quot;}: 201 {&quot;status&quot;:&quot;planted&quot;}</failure>
            </testcase>
            <testcase classname="plants.check.section-4-2" name="delete-single-plant" time="0.000">
              <error message="no response decides the rule" type="inconclusive">A delete removes one plant, and not another like it
        no response decides the rule: DELETE /plants/7776087210000000000: 500 &lt;h1&gt;Oops&lt;/h1&gt;</error>
            </testcase>
            <system-err>The check ended early: it was stopped.
        Leftover: Plants Check 1 lhkrzf (7776087210000000000): not deleted, the next check tries again. DELETE /plants/7776087210000000000: 500 &lt;h1&gt;Oops&lt;/h1&gt;</system-err>
          </testsuite>
        </testsuites>
        "#);
    }

    #[test]
    fn a_rule_that_the_store_does_not_show_is_skipped() {
        let mut report = honest(Wanted { gentle: true, only: vec!["delete-single-plant".to_owned()] });
        let why = "the store rejects another plant";
        for (reason, counts, element) in [
            (
                Reason::NotVisible,
                r#"errors="0" skipped="1""#,
                r#"<skipped message="the store rejects another plant">A delete"#,
            ),
            (Reason::NoResponse, r#"errors="1" skipped="0""#, r#"<error message="the store rejects another plant""#),
        ] {
            let (verdict, reason, evidence) = (Some(Verdict::Inconclusive), Some(reason), why.to_owned());
            report.rules[0] = RowResult { verdict, reason, evidence, ..report.rules[0].clone() };
            let text = render(&report, false);
            assert!(text.contains(counts) && text.contains(element), "{text}");
        }
    }

    #[test]
    fn the_message_of_a_kept_rule_has_its_evidence() {
        let mut report = honest(Wanted { gentle: true, only: vec!["delete-single-plant".to_owned()] });
        let (verdict, evidence) = (Some(Verdict::Fail), "it is gone: DELETE /plants/7: 404".to_owned());
        report.rules[0] = RowResult { verdict, evidence, ..report.rules[0].clone() }.kept_from(report.started);
        let text = render(&report, false);
        assert!(text.contains(r#"whose plants could not be deleted: it is gone" type="#), "{text}");
    }

    #[test]
    fn in_a_strict_report_every_inconclusive_rule_is_a_failure() {
        let mut report = honest(Wanted { gentle: true, only: vec!["delete-single-plant".to_owned()] });
        for reason in [Reason::NotVisible, Reason::NoResponse, Reason::NotSent] {
            report.rules[0].verdict = Some(Verdict::Inconclusive);
            report.rules[0].reason = Some(reason);
            let text = render(&report, true);
            assert!(text.contains(r#"failures="1" errors="0" skipped="0""#), "{text}");
            assert!(text.contains("<failure ") && text.contains(r#"type="inconclusive""#), "{text}");
        }
    }

    #[test]
    fn without_leftovers_and_date_their_elements_are_absent() {
        let mut report = honest(Wanted { gentle: true, only: Vec::new() });
        report.rules[0].name = "create-polite".to_owned();
        report.started = Timestamp(i64::MAX);
        let text = render(&report, false);
        assert!(
            !text.contains("system-err") && !text.contains("timestamp") && !text.contains("undocumented."),
            "{text}"
        );
        assert!(
            text.contains(r#"<testcase classname="plants.check.another-release" name="create-polite" time="#),
            "{text}"
        );
    }

    /// Returns the elements of a document and the values of their attributes; `None` if it is not well-formed.
    fn read(text: &str) -> Option<(Vec<String>, Vec<String>)> {
        // XML 1.0 §2.2.
        let holds = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
        let mut reader = Reader::from_str(text);
        let (mut elements, mut values, mut depth) = (Vec::new(), Vec::new(), 0_usize);
        loop {
            let event = reader.read_event().ok()?;
            match &event {
                Event::Start(tag) | Event::Empty(tag) => {
                    depth += usize::from(matches!(event, Event::Start(_)));
                    elements.push(tag.name().as_ref().to_owned());
                    for attribute in tag.attributes() {
                        values.push(attribute.ok()?.normalized_value(XmlVersion::Explicit1_0).ok()?.into_owned());
                    }
                }
                Event::End(_) => depth = depth.checked_sub(1)?,
                Event::Text(_) | Event::GeneralRef(_) => {}
                Event::Decl(_) if elements.is_empty() => {}
                Event::Eof => break,
                Event::Decl(_) | Event::CData(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => return None,
            }
        }
        (depth == 0 && text.chars().all(holds)).then_some((elements, values))
    }

    proptest! {
        #[test]
        fn foreign_text_stays_text_in_well_formed_xml(foreign in hostile()) {
            let text = render(&saying(&foreign), false);
            let (elements, values) = read(&text).expect("it is well-formed");
            prop_assert_eq!(elements, read(&render(&saying("x"), false)).unwrap().0);
            let copies = values.iter().filter(|value| **value == xml_text(&foreign)).count();
            prop_assert!(copies >= 36, "{}", text);
        }
    }
}
