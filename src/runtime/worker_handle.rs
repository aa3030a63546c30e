//! A store at work: the worker, its journal, and everything that begins and ends with them. Must not know
//! the interface's model, but for what a store that was just opened tells it.

use color_eyre::eyre;
use futures::future::BoxFuture;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::config::ConnectionTarget;
use crate::demo::{DemoStore, WeatherPreset};
use crate::import::Renew;
use crate::journal::{Changes, Journal};
use crate::tui::message::Arrival;
use crate::worker::{Report, Worker};

pub struct WorkerHandle {
    pub journal: Journal,
    /// Tells what other programs do with the journal.
    pub changes: Changes,
    pub worker: Worker,
    /// Watched; `None` once its end was seen.
    pub worker_task: Option<JoinHandle<()>>,
    pub reports: UnboundedReceiver<Report>,
    /// Fetches another token where this one came from, if it can.
    pub renew: Option<Renew>,
    /// Serves until it is dropped.
    pub demo: Option<DemoStore>,
}

/// A store that was just opened.
pub struct Connected {
    pub arrival: Arrival,
    pub handle: WorkerHandle,
}

/// Opens a store. Once the token is cancelled nobody wants that store any more, and the attempt should
/// end soon.
pub type Connect =
    Box<dyn Fn(ConnectionTarget, CancellationToken) -> BoxFuture<'static, eyre::Result<Connected>> + Send + Sync>;

/// A store whose worker has ended: what was in flight is cancelled and written down.
pub(super) struct EndedWorker {
    pub(super) journal: Journal,
    /// What the worker reported last.
    pub(super) reports: UnboundedReceiver<Report>,
    changes: Changes,
    demo: Option<DemoStore>,
}

impl WorkerHandle {
    /// Does nothing at other stores than the demo.
    pub(super) fn change_weather(&self, preset: WeatherPreset) {
        if let Some(demo) = &self.demo {
            demo.set_weather(preset.weather());
        }
    }

    /// Cancels what is in flight, and waits until it is written down.
    pub(super) async fn end(self) -> EndedWorker {
        let Self { journal, changes, worker, worker_task, reports, renew: _, demo } = self;
        drop(worker);
        if let Some(task) = worker_task {
            let _ = task.await;
        }
        EndedWorker { journal, reports, changes, demo }
    }

    /// Ends the worker, then closes the journal and the demo store.
    pub async fn close(self) {
        self.end().await.close().await;
    }
}

impl EndedWorker {
    pub(super) async fn close(self) {
        drop(self.changes);
        self.journal.close().await;
        drop(self.demo);
    }
}
