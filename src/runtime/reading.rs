//! The queries and the like that are running: of each asker the newest, and all others.
//!
//! A list whose filter or order changes asks again before its answer has come. The earlier query is dropped then, with
//! its answer: whatever the order in which queries end, a list receives the answer to the newest one and no other.
//! Must not know what is asked.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::iter::once;
use std::task::Poll;

use futures::FutureExt as _;
use tokio::task::{JoinError, JoinSet};

use crate::tui::Msg;

/// What asks again before its answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Asker {
    Plants,
    Requests,
    Chart,
    ReAdd,
    Runs,
    Path,
    Clipboard,
}

/// Queries are aborted when this is dropped.
pub(super) struct Reading<T = Msg> {
    newest: BTreeMap<Asker, JoinSet<T>>,
    others: JoinSet<T>,
}

impl<T: Send + 'static> Reading<T> {
    pub(super) fn new() -> Self {
        Self { newest: BTreeMap::new(), others: JoinSet::new() }
    }

    /// Starts a query of a list, and drops the earlier one.
    pub(super) fn ask_for(&mut self, asker: Asker, query: impl Future<Output = T> + Send + 'static) {
        let mut newest = JoinSet::new();
        newest.spawn(query.boxed());
        self.newest.insert(asker, newest);
    }

    /// Starts a query whose answer names what it answers.
    pub(super) fn ask(&mut self, query: impl Future<Output = T> + Send + 'static) {
        self.others.spawn(query.boxed());
    }

    fn all(&mut self) -> impl Iterator<Item = &mut JoinSet<T>> {
        self.newest.values_mut().chain(once(&mut self.others))
    }

    /// Waits for an answer; `None` if no query is running. Cancel-safe.
    pub(super) async fn next(&mut self) -> Option<Result<T, JoinError>> {
        poll_fn(|cx| {
            let mut is_running = false;
            for queries in self.all() {
                match queries.poll_join_next(cx) {
                    Poll::Ready(Some(answer)) => return Poll::Ready(Some(answer)),
                    Poll::Ready(None) => {}
                    Poll::Pending => is_running = true,
                }
            }
            if is_running { Poll::Pending } else { Poll::Ready(None) }
        })
        .await
    }

    /// Returns an answer that is there.
    pub(super) fn try_next(&mut self) -> Option<Result<T, JoinError>> {
        self.all().find_map(JoinSet::try_join_next)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.others.is_empty() && self.newest.values().all(JoinSet::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use tokio::sync::oneshot;

    use super::*;

    const ASKERS: [Asker; 5] = [Asker::Plants, Asker::Requests, Asker::Chart, Asker::ReAdd, Asker::Runs];

    #[derive(Debug, Clone)]
    enum Step {
        Ask(Asker),
        /// Ends one of the queries that are running.
        End(prop::sample::Index),
        /// Takes the answers that are there.
        Take,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => prop::sample::select(ASKERS.to_vec()).prop_map(Step::Ask),
            3 => any::<prop::sample::Index>().prop_map(Step::End),
            1 => Just(Step::Take),
        ]
    }

    /// Carries out steps, then ends all queries in this order. Returns the numbers of the last query of each list, and
    /// the answers that came, each with the newest query of its list at that time.
    async fn played(steps: Vec<Step>, last: Vec<prop::sample::Index>) -> (BTreeSet<usize>, Vec<(usize, usize)>) {
        let mut reading: Reading<(Asker, usize)> = Reading::new();
        let (mut newest, mut open, mut answers) = (BTreeMap::new(), Vec::new(), Vec::new());
        for (number, step) in steps.into_iter().enumerate() {
            match step {
                Step::Ask(asker) => {
                    let (end, ended) = oneshot::channel::<()>();
                    let query = async move {
                        let _ = ended.await;
                        (asker, number)
                    };
                    reading.ask_for(asker, query);
                    newest.insert(asker, number);
                    open.push(end);
                }
                Step::End(_) if open.is_empty() => {}
                Step::End(which) => drop(open.swap_remove(which.index(open.len()))),
                Step::Take => {
                    tokio::task::yield_now().await;
                    while let Some(Ok((asker, answer))) = reading.try_next() {
                        answers.push((answer, newest[&asker]));
                    }
                }
            }
        }
        for which in last {
            if !open.is_empty() {
                drop(open.swap_remove(which.index(open.len())));
                tokio::task::yield_now().await;
            }
        }
        drop(open);
        while let Some(Ok((asker, answer))) = reading.next().await {
            answers.push((answer, newest[&asker]));
        }
        assert!(reading.is_empty());
        (newest.into_values().collect(), answers)
    }

    proptest! {
        #[test]
        fn a_list_receives_the_answer_to_its_newest_query_once_and_no_other(
            steps in prop::collection::vec(step(), 0..40),
            last in prop::collection::vec(any::<prop::sample::Index>(), 40),
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let (newest, answers) = runtime.block_on(played(steps, last));
            prop_assert!(answers.iter().all(|(answer, newest)| answer == newest), "{:?}", answers);
            let once: BTreeSet<_> = answers.iter().map(|(answer, _)| *answer).collect();
            prop_assert_eq!(once.len(), answers.len());
            prop_assert!(newest.is_subset(&once), "{:?} of {:?}", once, newest);
        }
    }
}
