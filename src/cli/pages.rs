//! Printing what may be of any length, a page at a time: a JSON array, or lines under a heading.

use std::io::{self, Write};

use super::open::failed;
use super::{Exit, say};

/// Items read at once.
pub(super) const PAGE: usize = 1000;

/// Why printing ended before its end.
pub(super) enum Stopped {
    /// Whoever read has enough of it.
    NoReader,
    /// What was printed is not all.
    Failed(String),
}

impl From<io::Error> for Stopped {
    fn from(why: io::Error) -> Self {
        if why.kind() == io::ErrorKind::BrokenPipe { Self::NoReader } else { Self::Failed(say::unwritten(&why)) }
    }
}

/// Prints every item of every page, until one is empty, each as `text` has it: a JSON value, or
/// a line for people. Returns how many there were.
pub(super) async fn print<Item>(
    json: bool,
    heading: &str,
    mut page: impl AsyncFnMut() -> Result<Vec<Item>, String>,
    text: impl Fn(&Item) -> serde_json::Result<String>,
) -> Result<usize, Stopped> {
    let mut count = 0;
    loop {
        let items = page().await.map_err(Stopped::Failed)?;
        // Not before anything could be read.
        if json && count == 0 {
            write!(io::stdout(), "[")?;
        }
        if items.is_empty() {
            break;
        }
        let mut out = io::BufWriter::new(io::stdout().lock());
        for item in &items {
            let text = text(item).map_err(|why| Stopped::Failed(why.to_string()))?;
            match (json, count) {
                (true, 0) => write!(out, "{text}")?,
                (true, _) => write!(out, ",{text}")?,
                (false, 0) => writeln!(out, "{heading}\n{text}")?,
                (false, _) => writeln!(out, "{text}")?,
            }
            count += 1;
        }
        out.flush()?;
    }
    if json {
        writeln!(io::stdout(), "]")?;
    }
    Ok(count)
}

/// The exit code of a printing; `nothing` is said where there was nothing to print.
pub(super) fn exit(printed: Result<usize, Stopped>, nothing: &str) -> Exit {
    match printed {
        Ok(0) => {
            say::words(nothing);
            Exit::Done
        }
        Ok(_) | Err(Stopped::NoReader) => Exit::Done,
        Err(Stopped::Failed(why)) => failed(Exit::NotSent, &why),
    }
}
