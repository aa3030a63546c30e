//! Writes the log of `--log`: one line for each event of this program, masked and harmless.
//!
//! Leaves out the events of libraries, which may contain requests. Must not know what is logged.

use std::fmt;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use tracing::callsite::rebuild_interest_cache;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_subscriber::layer::{Context, Layer};

use crate::client::{SecretHeader, Secrets, Token};
use crate::domain::Timestamp;
use crate::os::files::private;
use crate::os::reject_pipe;
use crate::text::clean_fit;

/// Columns of the longest line.
const COLUMNS: usize = 2000;

struct Log {
    file: Mutex<File>,
    clock: fn() -> Timestamp,
    /// Why the first line that is missing was not written.
    fault: OnceLock<io::Error>,
}

static LOG: OnceLock<Log> = OnceLock::new();

/// The secrets of the environment, and of each store that was opened: no line and no error contains one. A person may have
/// typed it in a wrong place.
static SECRETS: Mutex<Vec<Secrets>> = Mutex::new(Vec::new());

/// Opens a file to append to; a new one is readable by its owner alone.
///
/// # Errors
///
/// The file cannot be opened, has other content than a log, or is a pipe, which would block without a reader.
pub fn open(path: &Path, clock: fn() -> Timestamp) -> io::Result<()> {
    reject_pipe(path)?;
    if !may_be_log(path) {
        return Err(io::Error::other("it has other content than a log of plants"));
    }
    let file = private().append(true).create(true).open(path)?;
    let _ = LOG.set(Log { file: Mutex::new(file), clock, fault: OnceLock::new() });
    // Events are on from here; without a log they cost a comparison.
    rebuild_interest_cache();
    Ok(())
}

/// Whether a file is new, empty or a device, or begins as [`Log::line`] writes: lines in another one would damage it.
fn may_be_log(path: &Path) -> bool {
    const BEGIN: u64 = 64;
    let mut begin = Vec::new();
    // If it cannot be read, opening it says why.
    let read = if path.is_file() { File::open(path) } else { return true };
    if read.and_then(|file| file.take(BEGIN).read_to_end(&mut begin)).is_err() || begin.is_empty() {
        return true;
    }
    let begin = String::from_utf8_lossy(&begin);
    let mut words = begin.split_ascii_whitespace();
    words.next().is_some_and(|time| time.parse::<jiff::Timestamp>().is_ok())
        && words.next().is_some_and(|level| level.parse::<Level>().is_ok())
}

pub fn is_on() -> bool {
    LOG.get().is_some()
}

/// Returns why lines are missing in the log.
pub fn fault() -> Option<&'static io::Error> {
    LOG.get()?.fault.get()
}

/// Masks these secrets in every later line and error.
pub fn conceal(token: Option<&Token>, headers: &[SecretHeader]) {
    locked(&SECRETS).push(Secrets::of(token, headers));
}

/// Masks the secrets in a text.
pub fn masked(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for secrets in &*locked(&SECRETS) {
        secrets.mask_in(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Log {
    /// Appends a line at once, so that the lines of several programs do not mix. After an error the work goes on:
    /// [`fault`] says it.
    fn line(&self, text: &str) {
        let line = format!("{} {}\n", (self.clock)().in_words(), clean_fit(&masked(text), COLUMNS));
        if let Err(why) = locked(&self.file).write_all(line.as_bytes()) {
            let _ = self.fault.set(why);
        }
    }
}

/// Passes the events of this program to the log, if there is one, and enables the spans of reports.
pub(super) struct LogLayer;

/// How the targets of this program begin.
const OWN: &str = "plants::";

fn is_own(metadata: &Metadata<'_>) -> bool {
    metadata.target().starts_with(OWN)
}

impl<S: Subscriber> Layer<S> for LogLayer {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        *metadata.level() <= Level::INFO || (is_on() && *metadata.level() <= Level::DEBUG && is_own(metadata))
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(if is_on() { LevelFilter::DEBUG } else { LevelFilter::INFO })
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        let Some(log) = LOG.get().filter(|_| is_own(metadata)) else { return };
        let module = metadata.target().strip_prefix(OWN).unwrap_or_default();
        let mut text = format!("{:<5} {module}:", metadata.level().as_str());
        event.record(&mut Fields(&mut text));
        log.line(&text);
    }
}

/// Writes the message of an event, and its fields.
struct Fields<'t>(&'t mut String);

impl Visit for Fields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn log(path: &Path) -> Log {
        let file = private().append(true).create(true).open(path).unwrap();
        Log { file: Mutex::new(file), clock: || Timestamp(0), fault: OnceLock::new() }
    }

    #[test]
    fn a_line_is_masked_and_harmless() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let log = log(&path);
        let (token, header) = (Token::new("canary-canary").unwrap(), "x-api-key".parse().unwrap());
        let header = SecretHeader::new(header, "key of ann").unwrap();
        conceal(Some(&token), &[header]);
        log.line("DEBUG said canary%2Dcanary and Key+of+ann \u{1b}[2J\nnext");
        log.line(&"x".repeat(5000));
        let text = fs::read_to_string(&path).unwrap();
        let (first, second) = text.split_once('\n').unwrap();
        assert_eq!(first, "1970-01-01T00:00:00.000Z DEBUG said *************** and ********** ␛[2J␊next");
        assert!(second.ends_with("x…\n") && second.len() < 2100, "{second}");
    }

    #[test]
    fn lines_are_appended_to_a_log_and_to_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        assert!(may_be_log(&path), "a new file");
        for (content, is_log) in [
            ("", true),
            ("1970-01-01T00:00:00.000Z DEBUG cli: started", true),
            ("1970-01-01T00:00:00.000Z INFO  cli: started", true),
            ("canary-token", false),
            ("theme = \"dark\"\n", false),
            ("name,id,tag\n", false),
            ("1970-01-01T00:00:00.000Z,1,DEBUG\n", false),
        ] {
            fs::write(&path, content).unwrap();
            assert_eq!(may_be_log(&path), is_log, "{content}");
        }
    }

    #[test]
    fn a_folder_is_no_log() {
        let folder = tempfile::tempdir().unwrap();
        assert!(open(folder.path(), || Timestamp(0)).is_err());
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;
        use crate::os::files::testing::mode;

        #[test]
        fn a_new_log_is_private() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("log");
            drop(log(&path));
            assert_eq!(mode(&path), 0o600);
        }
    }
}
