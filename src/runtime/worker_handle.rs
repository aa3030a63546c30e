//! The worker of an open store, with its journal and everything that starts and ends with them.
//!
//! Must not know the app.

use std::time::Duration;

use color_eyre::eyre;
use futures::future::BoxFuture;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::config::ConnectionTarget;
use crate::demo::DemoStore;
use crate::import::Renew;
use crate::journal::{Changes, Journal};
use crate::team::Link;
use crate::tui::message::Arrival;
use crate::worker::{Report, Worker};

/// How long an interface that ends publishes what the team does not have.
const PUBLISHES: Duration = Duration::from_millis(200);

pub struct WorkerHandle {
    pub journal: Journal,
    /// Reports changes of the journal by other programs.
    pub changes: Changes,
    pub worker: Worker,
    /// `None` once its end was reported.
    pub worker_task: Option<JoinHandle<()>>,
    pub reports: UnboundedReceiver<Report>,
    /// Fetches another token from the source of the first one.
    pub renew: Option<Renew>,
    /// The age at which requests are trimmed in the background; `None` means never.
    pub trim_after: Option<Duration>,
    /// Runs until it is dropped.
    pub demo: Option<DemoStore>,
    /// `None` if no team shares the journal.
    pub link: Option<Link>,
}

/// A store that was just opened.
pub struct Connected {
    pub arrival: Arrival,
    pub handle: WorkerHandle,
}

/// Opens a store. Ends soon after the token is cancelled.
pub type Connect =
    Box<dyn Fn(ConnectionTarget, CancellationToken) -> BoxFuture<'static, eyre::Result<Connected>> + Send + Sync>;

/// A store whose worker has ended and whose cancelled operations are written.
pub(super) struct EndedWorker {
    pub(super) journal: Journal,
    /// The last reports of the worker.
    pub(super) reports: UnboundedReceiver<Report>,
    changes: Changes,
    demo: Option<DemoStore>,
    link: Option<Link>,
}

impl WorkerHandle {
    /// Cancels operations in flight, and waits until they are written; only a moment for a journal that is locked.
    pub(super) async fn end(self) -> EndedWorker {
        let Self { journal, changes, worker, worker_task, reports, renew: _, trim_after: _, demo, link } = self;
        journal.hurry(true);
        drop(worker);
        if let Some(task) = worker_task {
            let _ = task.await;
        }
        EndedWorker { journal, reports, changes, demo, link }
    }

    /// Ends the worker, then closes the journal and the demo store.
    pub async fn close(self) {
        self.end().await.close().await;
    }
}

impl EndedWorker {
    pub(super) async fn close(self) {
        drop(self.changes);
        if let Some(link) = self.link {
            let _ = timeout(PUBLISHES, link.published(PUBLISHES)).await;
        }
        self.journal.close().await;
        drop(self.demo);
    }
}
