//! Files that a person names: read into an import, or written from the view. What takes long runs
//! beside the loop, and tells of itself in messages.

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use futures::FutureExt as _;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use super::export::{Cut, view};
use super::new_file::{Existing, NewFile, in_words};
use crate::app::Msg;
use crate::app::export::{ExportFault, Exported};
use crate::courier::Courier;
use crate::domain::Timestamp;
use crate::domain::export::{Cells, Exporter};
use crate::domain::import::{Format, Over, Progress, Summary};
use crate::import::{self, Judged, NotJudged, Options, Orders, Renew, Source, Told};
use crate::journal::Journal;

/// What the loop knows of imports.
#[derive(Default)]
pub(super) struct Imports {
    /// The file that is being judged: nothing is heard of it once this is dropped.
    judging: JoinSet<(Msg, Option<Judged>)>,
    /// The file that was judged last, if it can be sent.
    judged: Option<Judged>,
    /// Gives up judging.
    stop_judging: CancellationToken,
    /// Ends the import that runs.
    orders: Orders,
    /// How many operations imports have asked for.
    asked: Arc<AtomicU32>,
}

/// What a running import needs.
pub(super) struct With {
    /// Knows what the view has.
    pub(super) journal: Journal,
    /// Sends.
    pub(super) courier: Courier,
    /// Of this program.
    pub(super) origin: u64,
    /// What time it is.
    pub(super) clock: fn() -> Timestamp,
    /// Fetches another token.
    pub(super) renew: Option<Renew>,
    /// Hears how far it has come.
    pub(super) facts: UnboundedSender<Msg>,
}

impl Imports {
    /// Judges a file; [`Self::next`] tells what it comes to.
    pub(super) fn judge(&mut self, path: PathBuf, journal: Journal, facts: UnboundedSender<Msg>) {
        self.drop_judged();
        self.stop_judging = CancellationToken::new();
        let stop = self.stop_judging.clone();
        self.judging.spawn(async move {
            let (source, path_to_judge) = (Source::Path(path.clone()), path.clone());
            let folder = journal.folder().map(Path::to_owned);
            let judging = tokio::task::spawn_blocking(move || {
                if std::fs::metadata(&path_to_judge).is_ok_and(|about| !about.is_file() && !about.is_dir()) {
                    // It may have no end, or be the terminal itself.
                    return Err(NotJudged::Failed("that is no regular file; plants import reads it".to_owned()));
                }
                // Nobody hears of it any more when the program is ending.
                let mut bytes = |bytes| drop(facts.send(Msg::Judging { bytes }));
                import::judge(&source, folder.as_deref(), &mut |_| {}, &mut bytes, &stop)
            });
            let judged = match judging.await {
                Ok(Ok(judged)) => foresee(judged, &journal).await,
                Ok(Err(NotJudged::Stopped)) => Err("stopped".to_owned()),
                Ok(Err(NotJudged::Failed(why) | NotJudged::NoRoom(why))) => Err(why),
                Err(died) => Err(format!("it cannot be judged: {died}")),
            };
            let preview = judged.as_ref().map(|judged| Box::new(judged.preview.clone())).map_err(String::clone);
            (Msg::Judged(path, preview), judged.ok())
        });
    }

    /// What the file that is being judged comes to; `None` if there is none.
    pub(super) async fn next(&mut self) -> Option<Result<Msg, JoinError>> {
        let done = self.judging.join_next().await?;
        Some(done.map(|(told, judged)| {
            self.judged = judged;
            told
        }))
    }

    /// Whether a file is being judged.
    pub(super) fn are_judging(&self) -> bool {
        !self.judging.is_empty()
    }

    /// Nobody wants to know any more.
    pub(super) fn stop_judging(&self) {
        self.stop_judging.cancel();
    }

    /// What was judged, or is being judged, is of no use any more: nothing is heard of it.
    pub(super) fn drop_judged(&mut self) {
        self.stop_judging();
        (self.judging, self.judged) = (JoinSet::new(), None);
    }

    /// Sends what was judged, and tells what it came to.
    pub(super) fn run(&mut self, resend_unknown: bool, with: With) -> impl Future<Output = Msg> + Send + use<> {
        self.orders = Orders::default();
        let (orders, asked) = (self.orders.clone(), Arc::clone(&self.asked));
        let judged = self.judged.take();
        async move {
            let Some(judged) = judged else {
                let over = Over::Halted("Its rows are not at hand any more: import it again.".to_owned());
                return Msg::Imported(Box::new(Summary { progress: Progress::default(), over }));
            };
            let With { journal, courier, origin, clock, renew, facts } = with;
            let options = Options { concurrency: import::CONCURRENCY.into(), rate: None, resend_unknown };
            let tools = import::Tools { journal, courier, origin, asked, clock, renew };
            let (fallen, mut last) = (tools.courier.clone(), Progress::default());
            let mut told = |told: Told<'_>| match told {
                Told::Progress(progress) => {
                    last = progress;
                    // Nobody hears of it any more when the program is ending.
                    let _ = facts.send(Msg::Importing(progress));
                }
                Told::TokenRenewed => drop(facts.send(Msg::TokenRenewed)),
                Told::Row(_) | Told::Skipped(..) => {}
            };
            let run = AssertUnwindSafe(import::run(judged, options, tools, &orders, &mut told)).catch_unwind().await;
            let summary = run.unwrap_or_else(|_| {
                fallen.cancel_batch();
                let over = Over::Halted("The program failed: what was out is unknown.".to_owned());
                Summary { progress: last, over }
            });
            Msg::Imported(Box::new(summary))
        }
    }

    /// Sends no more; what is out is waited for.
    pub(super) fn stop(&self) {
        self.orders.stop.cancel();
    }

    /// Waits for nothing.
    pub(super) fn cancel(&self) {
        self.orders.cancel.cancel();
    }
}

/// Completes the preview: what would become of the rows, by the list.
async fn foresee(mut judged: Judged, journal: &Journal) -> Result<Judged, String> {
    judged.preview.forecast = import::forecast(journal, &mut judged, &mut |_, _| {}).await?;
    Ok(judged)
}

/// How an export is to be written.
pub(super) struct Export {
    /// To which file.
    pub(super) path: PathBuf,
    /// In which format.
    pub(super) format: Format,
    /// Safe for spreadsheets.
    pub(super) spreadsheet: bool,
    /// Whether a file that is there makes room.
    pub(super) replace: bool,
}

/// Writes the view into a file, whole or not at all, and tells what came of it.
pub(super) async fn export(journal: Journal, export: Export) -> Msg {
    let written = written(&journal, &export).await;
    Msg::Exported(export.path, written)
}

async fn written(journal: &Journal, export: &Export) -> Result<Exported, ExportFault> {
    let existing = if export.replace { Existing::Replaced } else { Existing::Kept };
    let cells = if export.spreadsheet { Cells::Guarded } else { Cells::Exact };
    let write = async {
        let file = NewFile::begin(&export.path, existing)?;
        if !file.is_regular() {
            // Such as this very terminal, or a pipe that nobody reads.
            return Err(Cut::File(std::io::Error::other("that is no regular file")));
        }
        let (file, exported) = view(journal, Exporter::begin(file, export.format, cells)?).await?;
        file.end()?;
        Ok::<_, Cut>(exported)
    };
    let exported = write.await.map_err(|cut| match cut {
        Cut::File(why) if why.kind() == std::io::ErrorKind::AlreadyExists => ExportFault::Exists,
        Cut::File(why) => ExportFault::Other(in_words(&why)),
        Cut::Journal(why) => ExportFault::Other(why.to_string()),
    })?;
    let super::export::Exported { written, in_doubt, in_flight, unnamed } = exported;
    Ok(Exported { plants: written.plants, in_doubt, in_flight, unnamed, changed: written.changed_cells })
}

/// The path with `~` at its beginning as the home directory, as a shell would read it.
pub(super) fn at_home(path: PathBuf, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        (Ok(_) | Err(_), _) => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tilde_is_home_at_the_beginning_only() {
        let home = Some(Path::new("/home/ann"));
        let told = |path: &str| at_home(path.into(), home).display().to_string();
        assert_eq!(told("~/a b.csv"), "/home/ann/a b.csv");
        assert_eq!(["~bob/x", "/x/~/y", "x~", "", "x"].map(told), ["~bob/x", "/x/~/y", "x~", "", "x"]);
        assert_eq!(at_home("~/x".into(), None), Path::new("~/x"));
    }
}
