//! Reads files of plants, good and bad ones.

use std::io::{self, Read};
use std::ops::ControlFlow;

use super::super::row::{ImportRow, RowFault, RowNumber};
use super::error::NO_UTF_8;
use super::*;
use crate::domain::{Plant, PlantId};

mod broken;
mod random;

type Parsed = Result<ImportRow, RowFault>;

/// Reads all rows of a file.
fn all(input: impl Read, format: Option<FileFormat>) -> (Vec<Parsed>, Result<Contents, ReadError>) {
    let mut rows = Vec::new();
    let contents = read(input, format, None, &mut |row| {
        rows.push(row);
        ControlFlow::Continue(())
    });
    (rows, contents)
}

#[expect(clippy::unnecessary_wraps, reason = "compared with parsed rows")]
fn good(line: u64, name: &str, id: i64, tag: &str) -> Parsed {
    Ok(ImportRow {
        number: RowNumber::of_line(line),
        plant: Plant { name: name.into(), id: PlantId(id), tag: tag.into() },
    })
}

/// Renders each row as `line: name/id/tag`, or as its fault.
fn rendered(text: impl AsRef<[u8]>) -> Vec<String> {
    let (rows, contents) = all(text.as_ref(), None);
    contents.unwrap();
    let render = |row: &Parsed| match row {
        Ok(ImportRow { number: RowNumber { line, .. }, plant: Plant { name, id, tag } }) => {
            format!("{line}: {name}/{id}/{tag}")
        }
        Err(fault) => fault.to_string(),
    };
    rows.iter().map(render).collect()
}

fn notes(text: &str) -> Vec<String> {
    all(text.as_bytes(), None).1.unwrap().notes
}

#[test]
fn the_first_bytes_decide_the_format() {
    let csv = "name,id,tag\nFern,1,shade\n";
    let json = "[{\"name\":\"Fern\",\"id\":1,\"tag\":\"shade\"}]";
    let ndjson = "{\"name\":\"Fern\",\"id\":1,\"tag\":\"shade\"}";
    for (text, format) in [(csv, FileFormat::Csv), (json, FileFormat::Json), (ndjson, FileFormat::Ndjson)] {
        for before in ["", "\u{feff}", "\n\r\n", "\u{feff}\n \n"] {
            for named in [None, Some(format)] {
                let (rows, contents) = all(format!("{before}{text}").as_bytes(), named);
                assert_eq!(contents.unwrap(), Contents { format, notes: vec![] }, "{before:?}{text}");
                let line = 1 + before.matches('\n').count() as u64 + u64::from(format == FileFormat::Csv);
                assert_eq!(rows, [good(line, "Fern", 1, "shade")], "{before:?}{text}");
            }
        }
    }
    for (text, named, format) in
        [(ndjson, FileFormat::Json, FileFormat::Ndjson), (json, FileFormat::Ndjson, FileFormat::Json)]
    {
        assert_eq!(all(text.as_bytes(), Some(named)).1.unwrap().format, format);
    }
}

#[test]
fn columns_are_found_in_any_order_and_spelling() {
    for header in ["name,id,tag", " NAME , Id ,tag\t", "\"name\",\"id\",\"tag\""] {
        assert_eq!(rendered(format!("{header}\nFern,1,shade")), ["2: Fern/1/shade"], "{header}");
    }
    assert_eq!(rendered("tag,state,ID,,Name\r\nshade,stored,1,x,Fern\r\n"), ["2: Fern/1/shade"]);
    assert_eq!(
        notes("tag,state,ID,,Name\nshade,stored,1,x,Fern\nshade,stored,2,x,Fern\n"),
        ["The columns \"state\", \"4 (without a name)\" are not sent: a plant has name, id and tag."]
    );
}

#[test]
fn columns_that_are_separated_otherwise_are_read_and_said() {
    for (sign, word) in [(";", "semicolon"), ("\t", "tab"), ("|", "bar")] {
        let text =
            "name,\"id\",tag\nFern,1,shade\n\"5,5;\t|\",2,x\n".replace(',', sign).replace(&format!("5{sign}5"), "5,5");
        assert_eq!(rendered(&text), ["2: Fern/1/shade", "3: 5,5;\t|/2/x"], "{word}");
        assert_eq!(notes(&text), [format!("The columns are separated by {word}s.")]);
        let short = rendered(format!("{text}Fern{sign}3"));
        assert!(short[2].contains(&format!("write a {word} also where a value is empty")), "{}", short[2]);
    }
    assert_eq!(notes("sep=;\nid;name;tag\n"), ["The columns are separated by semicolons."]);
    assert_eq!(notes("sep=,\nid,name,tag\n"), [""; 0]);
    // A semicolon in a name is not taken for a separator.
    assert_eq!(rendered("name,id,tag\na;b;c,1,x\n"), ["2: a;b;c/1/x"]);
}

#[test]
fn values_that_can_be_sent_are_read_unchanged() {
    let text = "name,id,tag\n,-9223372036854775808,\n  Fern ,9223372036854775807,\"a\r\nb\r\"\n\"\"\"5 cm\"\", tall\",0,\u{202e}x\0\n5\" pot,1,漢\n";
    let (rows, contents) = all(text.as_bytes(), None);
    contents.unwrap();
    assert_eq!(
        rows,
        [
            good(2, "", i64::MIN, ""),
            good(3, "  Fern ", i64::MAX, "a\r\nb\r"),
            good(5, "\"5 cm\", tall", 0, "\u{202e}x\0"),
            good(6, "5\" pot", 1, "漢"),
        ]
    );
}

#[test]
fn line_numbers_are_those_of_an_editor_for_every_line_end() {
    for (end, between) in [("\n", ""), ("\r\n", ""), ("\r", ""), ("\n", "\n\n"), ("\r\n", " \r\n\r\n"), ("\r", "\r\r")]
    {
        let text = ["name,id,tag", "a,1,x", between, "b,2,x", "c,bad,x", "\"d\",4,x", "e,5,x"].join(end);
        let before = if between.is_empty() { 1 } else { 1 + between.matches(end).count() };
        let at = |line: usize| line + before;
        let rows = rendered(&text);
        let lines: Vec<_> = rows.iter().map(|row| row.split([':', ',']).next().unwrap().to_owned()).collect();
        let expected =
            ["2".to_owned(), format!("{}", at(3)), format!("line {}", at(4)), at(5).to_string(), at(6).to_string()];
        assert_eq!(lines, expected, "{text:?}");
    }
}

#[test]
fn a_fault_in_a_table_has_line_and_column() {
    let row =
        |row: &str| rendered([b"name,id,tag\n\"two\nlines\",1,\n".as_slice(), row.as_bytes()].concat())[1].clone();
    assert_eq!(row("Fern,,x"), "line 4, column 2 (id): the id is empty: write a whole number that no other plant has");
    assert!(
        row("Fern,1.0,x").starts_with("line 4, column 2 (id): the id is not a whole number"),
        "{}",
        row("Fern,1.0,x")
    );
    assert!(row("Fern,1E+05\u{1b},x").ends_with("(here: 1E+05␛)"));
    assert!(row("Fern, 1,x").contains("there is space around the id"));
    assert!(row("Fern,9223372036854775808,x").contains("does not fit in 64 bits"));
    assert!(
        row("Fern,1").ends_with("write a comma also where a value is empty, and close every double quote in its row")
    );
    assert!(row("Fern,1,a,b,c").ends_with("write a comma only in double quotes where it belongs to a value"));
    assert!(row("Fern,1").starts_with("line 4, column 3: 2 values here, and 3 in the header"));
    assert!(row("Fern").starts_with("line 4, column 2: 1 value here, and 3 in the header"));
    assert!(row("Fern,1,a,b,c").starts_with("line 4, column 4: 5 values here, and 3 in the header"));
    assert!(row(&",x".repeat(5000)).starts_with("line 4, column 4: 5001 values here"));
    for (quoted, column) in
        [("\"Fern\"x,1,y", 1), ("Fern,1,\"x\" ", 3), ("\"Fern,1,x\n\"Moss\",2,y", 1), ("\"F\"\"\"e\"\"r\",\"\"n,y", 1)]
    {
        let expected = format!("line 4, column {column}: something follows a closing quote");
        assert!(row(quoted).starts_with(&expected), "{quoted}: {}", row(quoted));
    }
    let latin = rendered(b"name,id,tag\nok,1,x\nF\xe9e,2,x\nok,3,\xff\nok,4,x\n");
    let expected = |line, column, field| format!("line {line}, column {column} ({field}): {NO_UTF_8}");
    assert_eq!(latin, ["2: ok/1/x".to_owned(), expected(3, 1, "name"), expected(4, 3, "tag"), "5: ok/4/x".to_owned()]);
}

#[test]
fn a_fault_in_json_has_line_and_column() {
    for (object, expected) in [
        (r#"{"id":1,"tag":""}"#, "column 7 (name): there is no name"),
        (
            r#"{"name":"漢","id":"1","tag":""}"#,
            "column 24 (id): the id is a text: write it as a number, without quotes",
        ),
        (
            r#"{"name":"a","id":1.0,"tag":""}"#,
            "column 24 (id): the id is not a whole number: use digits, with - in front if it is negative (here: 1.0)",
        ),
        (
            r#"{"name":"a","id":1e2,"tag":""}"#,
            "column 24 (id): the id is not a whole number: use digits, with - in front if it is negative (here: 1e2)",
        ),
        (r#"{"name":"a","id":null,"tag":""}"#, "column 24 (id): the id is null, and must be a whole number"),
        (
            r#"{"name":"a","id":9223372036854775808,"tag":""}"#,
            "column 24 (id): the id does not fit in 64 bits: it must be between -9223372036854775808 and 9223372036854775807 (here: 9223372036854775808)",
        ),
        (
            r#"{"name":7,"id":1,"tag":""}"#,
            "column 15 (name): the name is a number: write it as a text, in double quotes",
        ),
        (
            r#"{"name":"a","id":1,"tag":[]}"#,
            "column 32 (tag): the tag is an array: write it as a text, in double quotes",
        ),
        (
            r#"{"name":"a","id":1,"tag":"\ud800"}"#,
            "column 32 (tag): the tag has an escape that stands for no character: half of a surrogate pair",
        ),
        (r#"{"name":"a","id":1,"tag":"","i\u0064":1}"#, "column 45 (id): there is a second id"),
        ("7", "column 7: this is a number, and a plant is an object with name, id and tag"),
        ("null", "column 7: this is null, and a plant is an object with name, id and tag"),
        ("[{}]", "column 7: this is an array, and a plant is an object with name, id and tag"),
        ("\"漢]\"", "column 7: this is a text, and a plant is an object with name, id and tag"),
    ] {
        let expected = format!("line 2, {expected}");
        assert_eq!(rendered(format!("[\n \"[,\",{object},true]"))[1], expected, "{object}");
        assert_eq!(rendered(format!("{{}}\n      {object}  \n"))[1], expected, "{object}");
    }
    assert_eq!(rendered(b"{}\n{\"name\":\"\xff\"}\n")[1], format!("line 2, column 10: {NO_UTF_8}"));
    assert_eq!(rendered(b"[{},\n{\"name\":\"\xff\"}]")[1], format!("line 2, column 10: {NO_UTF_8}"));
}

#[test]
fn an_array_may_be_laid_out_in_any_way() {
    let text = "\n[ {\r\n\"tag\" : \"[{\\\"]\" ,\n\t\"state\": [{\"}\": {}}],\n\"id\":-1,\"n\\u0061me\":\"\\u0000\\ud83c\\udf31\"}\n,{\"name\":\"\",\"id\":0,\"tag\":\"\",\"state\":1}\n]\n ";
    let (rows, contents) = all(text.as_bytes(), None);
    assert_eq!(contents.unwrap().notes, ["The key \"state\" is not sent: a plant has name, id and tag."]);
    assert_eq!(rows, [good(2, "\0🌱", -1, "[{\"]"), good(6, "", 0, "")]);
    for empty in ["[]", "[\n]\n"] {
        assert_eq!(rendered(empty), [""; 0]);
    }
}

#[test]
fn a_line_that_is_no_json_is_a_bad_row_of_ndjson() {
    let one = r#"{"name":"a","id":1,"tag":"b"}"#;
    let text = format!("{one}\r\n\n \t\r\n{{\"name\":\"a\"\n{one} {one}\nFern,1,x\n{one}");
    assert_eq!(
        rendered(&text),
        [
            "1: a/1/b",
            "line 4, column 11: the line ends before its object does: each object stands in a line of its own",
            "line 5, column 31: this is not JSON",
            "line 6, column 1: this is not JSON",
            "7: a/1/b",
        ]
    );
}

#[test]
fn reading_ends_when_the_receiver_breaks() {
    let csv = "name,id,tag\na,1,\nb,2,\n\"";
    let json = r#"[{"name":"a","id":1,"tag":""},{"name":"b","id":2,"tag":""},"#;
    let ndjson = "{}\n{}\n{";
    for text in [csv, json, ndjson] {
        let mut taken = 0;
        let contents = read(text.as_bytes(), None, None, &mut |_| {
            taken += 1;
            ControlFlow::Break(())
        });
        assert!(contents.is_ok() && taken == 1, "{text}");
    }
}

#[test]
fn the_error_of_the_reader_is_reported() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is gone"))
        }
    }
    for text in ["", "name,id,tag\nx,1", "[{\"a\"", "{\"a\""] {
        let (_, contents) = all(text.as_bytes().chain(Failing), None);
        assert_eq!(contents.unwrap_err().to_string(), "it cannot be read: the disk is gone");
    }
}

#[test]
fn elements_of_one_line_are_told_apart_by_their_number() {
    let (rows, _) = all(
        br#"[{"name":"A","id":1,"tag":""},{"name":"B","id":2,"tag":""},
{"name":"C","id":3,"tag":""}]"#
            .as_slice(),
        None,
    );
    let numbers: Vec<_> = rows.iter().map(|row| row.as_ref().unwrap().number.to_string()).collect();
    assert_eq!(numbers, ["line 1", "line 1, element 2", "line 2"]);
}
