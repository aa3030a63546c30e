//! Validates a file and imports it, in the background.
//!
//! Must not know how the dialogs show it.

use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use futures::FutureExt as _;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

use super::worker_handle::WorkerHandle;
use crate::domain::Timestamp;
use crate::import::{self, Event, Options, Order, Progress, Resend, Source, Summary, ValidateError, Validated};
use crate::journal::Journal;
use crate::tui::{Cause, Msg};

#[derive(Default)]
pub(super) struct Imports {
    /// The validation that is running; dropping it drops its message.
    validating: JoinSet<(Msg, Option<Validated>)>,
    /// The file that was validated last, if it can be imported.
    validated: Option<Validated>,
    pub(super) stop_validating: CancellationToken,
    /// Takes the orders for the import that began last.
    orders: Option<UnboundedSender<Order>>,
    /// How many operations imports have submitted.
    submitted: Arc<AtomicU32>,
}

impl Imports {
    /// Validates a file or a text. [`Self::next`] returns the result; `progress` receives the bytes read so far.
    pub(super) fn validate(&mut self, source: Source, journal: Journal, progress: UnboundedSender<Msg>) {
        self.drop_validated();
        self.stop_validating = CancellationToken::new();
        let stop = self.stop_validating.clone();
        let validating = async move {
            let path = if let Source::Path(path) = &source { Some(path.clone()) } else { None };
            let folder = journal.folder().map(Path::to_owned);
            let validating = tokio::task::spawn_blocking(move || {
                // Another kind of file may be endless, or the terminal itself.
                if let Source::Path(path) = &source
                    && std::fs::metadata(path).is_ok_and(|about| !about.is_file() && !about.is_dir())
                {
                    return Err(ValidateError::NotRegular);
                }
                // Nothing receives it while the program ends.
                let mut bytes = |bytes| drop(progress.send(Msg::Validating { bytes }));
                import::validate(&source, None, folder.as_deref(), &mut |_| {}, &mut bytes, &stop)
            });
            let forecast = async {
                let mut validated = validating.await.map_err(|panic| format!("the validation failed: {panic}"))??;
                import::forecast(&journal, &mut validated, Resend::default(), &mut |_, _| {}).await?;
                Ok::<_, Cause>(validated)
            };
            match forecast.await {
                Ok(validated) => (Msg::Validated(path, Ok(Box::new(validated.preview.clone()))), Some(validated)),
                Err(why) => (Msg::Validated(path, Err(why)), None),
            }
        };
        self.validating.spawn(validating.boxed());
    }

    pub(super) fn is_validating(&self) -> bool {
        !self.validating.is_empty()
    }

    /// Waits until the validation ends; `None` if none is running.
    pub(super) async fn next(&mut self) -> Option<Result<Msg, JoinError>> {
        let done = self.validating.join_next().await?;
        Some(done.map(|(message, validated)| {
            self.validated = validated;
            message
        }))
    }

    /// Gives an order to the running import.
    pub(super) fn order(&self, order: Order) {
        // An import that is over takes none.
        let _ = self.orders.as_ref().map(|orders| orders.send(order));
    }

    /// Drops the validated file, or stops its validation without a message.
    pub(super) fn drop_validated(&mut self) {
        self.stop_validating.cancel();
        (self.validating, self.validated) = (JoinSet::new(), None);
    }

    /// Imports the validated file, with another token if `renews_token` and it is rejected; `progress` receives the counts
    /// so far.
    pub(super) fn run(
        &mut self,
        renews_token: bool,
        store: &WorkerHandle,
        origin: u64,
        clock: fn() -> Timestamp,
        progress: UnboundedSender<Msg>,
    ) -> impl Future<Output = Msg> + Send + use<> {
        let (sender, orders) = unbounded_channel();
        self.orders = Some(sender);
        let validated = self.validated.take();
        let options = Options {
            concurrency: import::CONCURRENCY.into(),
            rate: None,
            resend: Resend::default(),
            keep_going: false,
        };
        let (journal, worker, renew) = (store.journal.clone(), store.worker.clone(), store.renew.clone());
        let renew = renew.filter(|_| renews_token);
        let tools = import::Tools { journal, worker, origin, submitted: Arc::clone(&self.submitted), clock, renew };
        async move {
            let Some(validated) = validated else {
                let why = "The validated rows are gone: import the file again.";
                return Msg::Imported(Box::new(Summary::halted(Progress::default(), why)));
            };
            let (worker, mut last) = (tools.worker.clone(), Progress::default());
            let mut report = |event: Event<'_>| match event {
                Event::Progress(now) => {
                    last = now;
                    let _ = progress.send(Msg::Importing(Box::new(now)));
                }
                Event::Braked { left, cause } => drop(progress.send(Msg::ImportBraked(left, cause))),
                Event::TokenRenewed(token) => drop(progress.send(Msg::TokenRenewed(Ok(token)))),
                Event::Row(_) | Event::Withheld(..) => {}
            };
            let run =
                AssertUnwindSafe(import::run(validated, options, tools, orders, &mut report)).catch_unwind().await;
            let summary = run.unwrap_or_else(|_| {
                worker.cancel_batch();
                Summary::halted(last, "The program failed: operations in flight are unknown.")
            });
            Msg::Imported(Box::new(summary))
        }
    }
}
