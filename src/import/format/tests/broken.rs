//! Files without readable plants, and the positions of their errors.

use std::io::{self, Read as _};

use super::super::csv::NEVER_CLOSED;
use super::*;

fn broken(input: impl Read, format: Option<FileFormat>) -> String {
    match all(input, format).1.unwrap_err() {
        broken @ (ReadError::Empty | ReadError::Broken { .. }) => broken.to_string(),
        ReadError::Io(why) => panic!("{why}"),
    }
}

#[test]
fn an_empty_file_is_an_error_unless_it_is_ndjson() {
    for text in ["", "\u{feff}", "\n \r\n\t", "\0\0"] {
        for format in [None, Some(FileFormat::Csv), Some(FileFormat::Json)] {
            let why = broken(text.as_bytes(), format);
            assert!(why.starts_with("there is nothing in it"), "{why}");
        }
        let (rows, contents) = all(text.as_bytes(), Some(FileFormat::Ndjson));
        assert_eq!((rows.len(), contents.unwrap().format), (0, FileFormat::Ndjson));
    }
}

#[test]
fn a_block_of_nul_bytes_is_no_blank_row() {
    let fern = "{\"name\":\"Fern\",\"id\":1,\"tag\":\"shade\"}";
    for (text, rows) in [("name,id,tag\n\0\0\nFern,1,shade\n".to_owned(), 2), (format!("{fern}\n\0\0\n{fern}\n"), 3)] {
        let rendered = rendered(&text);
        assert!(rendered.len() == rows && rendered.iter().any(|row| row.starts_with("line 2")), "{rendered:?}");
    }
    assert_eq!(
        broken(format!("[{fern},\n{fern}\0,{fern}]").as_bytes(), None),
        "line 2, column 37: a comma is missing here"
    );
}

#[test]
fn a_broken_table_is_reported_with_the_next_step() {
    for (text, expected) in [
        (
            "Fern,1,shade\n",
            "line 1, column 1: the first row is no header: it must name the columns name, id and tag, in any order",
        ),
        ("\nname,tag\n", "line 2, column 1: the header has no column id: write name,id,tag into the first line"),
        ("name\n", "line 1, column 1: the header has no column id and none tag: write name,id,tag into the first line"),
        ("name,id,tag, Name \n", "line 1, column 4: there are two columns Name"),
        ("name,id,tag\n\na,1,x\n\"b,\n2,x\na,3,x\n", &format!("line 4, column 1: {NEVER_CLOSED}")),
        ("name,id,tag\na,1,\"x\"\"", &format!("line 2, column 3: {NEVER_CLOSED}")),
        (
            "\"name\"x,id,tag\n",
            "line 1, column 1: something follows a closing quote: write quotes within a value twice, and the value in quotes",
        ),
    ] {
        assert_eq!(broken(text.as_bytes(), None), expected, "{text:?}");
    }
    assert_eq!(
        broken("{\"name\":1}".as_bytes(), Some(FileFormat::Csv)),
        "line 1, column 1: this looks like JSON and was to be read as CSV"
    );
    let wide = format!("name,id,tag{}\n", ",x".repeat(5000));
    assert_eq!(broken(wide.as_bytes(), None), "line 1, column 1001: the header has more than 1000 columns");
}

#[test]
fn lines_of_json_that_are_cut_off_are_an_error() {
    let first = "{\"name\":\"Fern\",\"id\":1,\"tag\":\"t\"}\n";
    for cut in ["{", "{\"name\":\"Mo", "{\"name\":\"Moss\",\"id\":2"] {
        let why = broken(format!("{first}{cut}").as_bytes(), None);
        assert!(why.starts_with("line 2, column 1: the file is cut off within the row that begins here"), "{why}");
        // What follows it is there.
        let (rows, contents) = all(format!("{first}{cut}\n{first}").as_bytes(), None);
        assert_eq!((rows.len(), contents.unwrap().format), (3, FileFormat::Ndjson));
    }
}

#[test]
fn utf_16_and_utf_32_are_reported() {
    let text = "name,id,tag\nFern,1,x\n";
    let (little, big): (Vec<u8>, Vec<u8>) = (
        text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    );
    let marked = [[&[0xff, 0xfe], little.as_slice()].concat(), [&[0xfe, 0xff], big.as_slice()].concat()];
    for bytes in [&little, &big, &marked[0], &marked[1]] {
        assert_eq!(broken(bytes.as_slice(), None), "line 1, column 1: this is UTF-16: save it as UTF-8");
    }
    for bytes in [u32::to_le_bytes, u32::to_be_bytes] {
        for mark in ["", "\u{feff}"] {
            let wide: Vec<_> = mark.chars().chain(text.chars()).map(u32::from).flat_map(bytes).collect();
            assert_eq!(broken(wide.as_slice(), None), "line 1, column 1: this is UTF-32: save it as UTF-8");
        }
    }
}

#[test]
fn a_broken_array_is_reported_with_its_position() {
    let one = r#"{"name":"a","id":1,"tag":"b"}"#;
    for (text, expected) in [
        ("[", "line 1, column 2: the array is cut off: its ] is missing"),
        ("[\n{},\n", "line 3, column 1: the array is cut off: its ] is missing"),
        ("[{}\n", "line 2, column 1: the array is cut off: its ] is missing"),
        (
            "[{},\n \"漢\", {\"name\":\"b",
            "line 2, column 7: the file is cut off within the row that begins here: save the whole file",
        ),
        ("[12", "line 1, column 2: the file is cut off within the row that begins here: save the whole file"),
        ("[{},]", "line 1, column 5: a comma stands before the ]: remove it"),
        ("[,{}]", "line 1, column 2: this is not JSON"),
        ("[}", "line 1, column 2: this is not JSON"),
        ("[{}{}]", "line 1, column 4: a comma is missing here"),
        ("[1\"a\"]", "line 1, column 3: a comma is missing here"),
        ("[{}]\n[]", "line 2, column 1: the plants have ended, and something follows them"),
        ("[\n{\"漢\" 1}]", "line 2, column 6: this is not JSON"),
        ("[{\"a\":1]", "line 1, column 8: this is not JSON"),
        ("[\n{\"a\":[1}\n,2]}]", "line 2, column 8: this is not JSON"),
        ("[{'a':1}]", "line 1, column 3: this is not JSON"),
        ("[{\"a\":1,\n }]", "line 2, column 2: a comma stands before the }: remove it"),
        ("[nul]", "line 1, column 5: this is not JSON"),
        ("[nuL]", "line 1, column 4: this is not JSON"),
        ("[01]", "line 1, column 3: this is not JSON"),
        ("[// no\n]", "line 1, column 2: this is not JSON"),
        ("[{\"a\":\"漢\n\"}]", "line 1, column 9: this is not JSON"),
        // An early missing bracket is reported there, not at the end.
        ("[{\"a\":{\"b\":1,\n{\"a\":2}]", "line 2, column 1: this is not JSON"),
    ] {
        assert_eq!(broken(text.as_bytes(), None), expected, "{text:?}");
        let later = text.replacen('[', &format!("[{one},\n"), 1);
        assert!(!broken(later.as_bytes(), None).starts_with("line 1,"), "{later:?}");
    }
    assert_eq!(
        broken("name,id,tag\n".as_bytes(), Some(FileFormat::Json)),
        "line 1, column 1: JSON with plants begins with [ or {"
    );
}

/// Returns the error for a file that repeats this byte forever, with rows of at most 1 MiB.
fn endless(text: &str, byte: u8) -> String {
    let input = text.as_bytes().chain(io::repeat(byte));
    read_bounded(input, None, None, 1 << 20, &mut |_| ControlFlow::Continue(())).unwrap_err().to_string()
}

#[test]
fn an_endless_row_is_reported_with_its_position() {
    let expected =
        |line, column| format!("line {line}, column {column}: the row that begins here is longer than 1 MiB");
    assert_eq!(endless("", b' '), "line 1, column 1: there is nothing in the first 1 MiB");
    assert_eq!(endless("name,id,tag\na,1,x\n\nb,\"2", b'\n'), expected(4, 2));
    assert_eq!(endless("name,id,tag\n", b','), expected(2, (1 << 20) + 2));
    assert_eq!(endless("[\n {}, {\"name\":\"", b'x'), expected(2, 6));
    assert_eq!(endless("[\n", b'['), expected(2, 1));
    assert_eq!(endless("[{}, {\"a\" 1, ", b'['), "line 1, column 11: this is not JSON");
    assert_eq!(endless("{}\n{\"name\":\"", b'x'), expected(2, 1));
}

#[test]
fn a_row_of_more_than_16_mib_is_an_error() {
    assert_eq!(broken(io::repeat(0), None), "line 1, column 1: the row that begins here is longer than 16 MiB");
}

#[test]
fn a_row_of_the_greatest_size_is_read() {
    let name = "x".repeat((1 << 20) - 50);
    for file in [format!("name,id,tag\n\"{name}\",1,\n"), format!("[\n{{\"name\":\"{name}\",\"id\":1,\"tag\":\"\"}}]")]
    {
        let mut rows = Vec::new();
        let contents = read_bounded(file.as_bytes(), None, None, 1 << 20, &mut |row| {
            rows.push(row);
            ControlFlow::Continue(())
        });
        assert!(contents.is_ok() && rows == [good(2, &name, 1, "")]);
    }
}
