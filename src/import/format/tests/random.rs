//! Property tests: any plants, any bytes, a bad row at any position.

use proptest::prelude::*;

use super::super::source::tests::ByteByByte;
use super::*;
use crate::domain::export::{Cells, Exporter};

/// Generates hard names and tags: quotes, separators, line ends, control characters, the empty text.
fn text() -> impl Strategy<Value = String> {
    let hard = "[\"',;:\\[\\]{}\\\\\n\r\t \0\u{1b}\u{85}\u{2028}\u{202e}\u{feff}a漢\u{301}🌱]{0,12}";
    prop_oneof![hard, any::<String>()]
}

fn plants() -> impl Strategy<Value = Vec<Plant>> {
    let plant = (text(), any::<i64>(), text());
    let plant = plant.prop_map(|(name, id, tag)| Plant { name, id: PlantId(id), tag });
    prop::collection::vec(plant, 0..12)
}

fn exported(format: FileFormat, plants: &[Plant]) -> Vec<u8> {
    let mut exporter = Exporter::begin(Vec::new(), format, Cells::Exact).unwrap();
    for plant in plants {
        exporter.add(&plant.name, plant.id, &plant.tag).unwrap();
    }
    exporter.end().unwrap().0
}

fn only_good(rows: Vec<Parsed>) -> Vec<ImportRow> {
    rows.into_iter().map(Result::unwrap).collect()
}

proptest! {
    #[test]
    fn exported_plants_are_imported_unchanged(plants in plants()) {
        for format in FileFormat::ALL {
            let file = exported(format, &plants);
            // NDJSON without plants is an empty file, and known by its name alone.
            let (rows, contents) = all(file.as_slice(), file.is_empty().then_some(format));
            prop_assert_eq!(contents.unwrap(), Contents { format, notes: vec![] });
            let rows = only_good(rows);
            let read: Vec<_> = rows.iter().map(|row| row.plant.clone()).collect();
            prop_assert_eq!(&read, &plants);
            let (slowly, contents) = all(ByteByByte(&file, false), Some(format));
            prop_assert!(contents.is_ok());
            prop_assert_eq!(only_good(slowly), rows);
        }
    }

    #[test]
    fn any_bytes_give_the_same_result_however_they_arrive(
        head in prop::sample::select(vec!["", "name,id,tag\n", "[", "{", "\u{feff}", "name,id,tag,\"x\"\r"]),
        tail in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            prop::collection::vec(prop::sample::select(b"\"\\,{}[]:1-. \r\nnull\xc3\xa9\xff".as_slice()), 0..60),
        ],
    ) {
        let file = [head.as_bytes(), &tail].concat();
        for format in [None, Some(FileFormat::Csv), Some(FileFormat::Json), Some(FileFormat::Ndjson)] {
            let (rows, contents) = all(file.as_slice(), format);
            let (slowly, otherwise) = all(ByteByByte(&file, false), format);
            prop_assert_eq!(rows, slowly);
            prop_assert_eq!(format!("{contents:?}"), format!("{otherwise:?}"));
        }
    }

    #[test]
    fn a_bad_row_is_reported_with_its_line(plants in plants(), at in any::<prop::sample::Index>(), returns in any::<bool>()) {
        for (format, bad) in [(FileFormat::Csv, "x,bad,y"), (FileFormat::Json, "{}"), (FileFormat::Ndjson, "{}")] {
            // Exports each row alone, because a value of a table may contain line ends.
            let end = if returns && format == FileFormat::Csv { "\r\n" } else { "\n" };
            let row = |plant: &Plant| {
                let file = String::from_utf8(exported(format, std::slice::from_ref(plant))).unwrap();
                let row = match format {
                    FileFormat::Csv => file.strip_prefix("name,id,tag\n").unwrap(),
                    FileFormat::Json => file.strip_prefix("[\n").unwrap().strip_suffix("\n]\n").unwrap(),
                    FileFormat::Ndjson => &file,
                };
                row.strip_suffix('\n').unwrap_or(row).to_owned()
            };
            let mut rows: Vec<_> = plants.iter().map(row).collect();
            let at = at.index(rows.len() + 1);
            rows.insert(at, bad.to_owned());
            let (head, between, tail) = match format {
                FileFormat::Csv => (format!("name,id,tag{end}"), end.to_owned(), ""),
                FileFormat::Json => ("[".to_owned(), ",\n".to_owned(), "]"),
                FileFormat::Ndjson => (String::new(), "\n".to_owned(), ""),
            };
            let before = rows[..at].iter().fold(head.clone(), |text, row| text + row + &between);
            let line = 1 + before.matches('\n').count() as u64;
            let (parsed, contents) = all(format!("{head}{}{tail}", rows.join(&between)).as_bytes(), Some(format));
            prop_assert!(contents.is_ok());
            prop_assert_eq!(parsed.len(), rows.len());
            for (number, row) in parsed.iter().enumerate() {
                match row {
                    Ok(_) => prop_assert_ne!(number, at),
                    Err(fault) => prop_assert_eq!((number, fault.line), (at, line)),
                }
            }
        }
    }
}
