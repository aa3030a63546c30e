//! A store at work: everything that begins and ends with the connection to it.

use futures::future::BoxFuture;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::app::Arrival;
use crate::config::Wish;
use crate::courier::{Courier, Report};
use crate::demo::{DemoStore, Sky};
use crate::import::Renew;
use crate::journal::{Changes, Journal};

/// A store at work.
pub struct Link {
    /// Remembers.
    pub journal: Journal,
    /// Tells what other programs do with the journal.
    pub changes: Changes,
    /// Sends.
    pub courier: Courier,
    /// The courier's task, watched; `None` once its end was seen.
    pub courier_task: Option<JoinHandle<()>>,
    /// What the courier says.
    pub reports: UnboundedReceiver<Report>,
    /// Fetches another token where this one came from, if it can.
    pub renew: Option<Renew>,
    /// The demo store, if it is that; it serves until this is dropped.
    pub demo: Option<DemoStore>,
}

/// A store that was just opened.
pub struct Connected {
    /// What the model is to know of it.
    pub arrival: Arrival,
    /// What it works with.
    pub link: Link,
}

/// Opens the store that is wished for, or says why not, in words for people. Once it is
/// cancelled nobody wants the store any more, and it should end soon.
pub type Connect = Box<dyn Fn(Wish, CancellationToken) -> BoxFuture<'static, Result<Connected, String>> + Send + Sync>;

/// A store whose courier has ended: what was in flight is cancelled and written down.
pub struct AtRest {
    /// Remembers still.
    pub journal: Journal,
    /// What the courier has said last.
    pub reports: UnboundedReceiver<Report>,
    changes: Changes,
    demo: Option<DemoStore>,
}

impl Link {
    /// Changes the weather, where this is the demo store.
    pub fn change_weather(&self, sky: Sky) {
        if let Some(demo) = &self.demo {
            demo.set_weather(sky.weather());
        }
    }

    /// Cancels what is in flight, and waits until it is written down.
    pub async fn end(self) -> AtRest {
        let Self { journal, changes, courier, courier_task, reports, renew: _, demo } = self;
        drop(courier);
        if let Some(task) = courier_task {
            let _ = task.await;
        }
        AtRest { journal, reports, changes, demo }
    }

    /// Ends it in order, to the last.
    pub async fn close(self) {
        self.end().await.close().await;
    }
}

impl AtRest {
    /// Closes the journal; then the demo store ends.
    pub async fn close(self) {
        drop(self.changes);
        self.journal.close().await;
        drop(self.demo);
    }
}
