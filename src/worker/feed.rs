//! Gives the worker the operations of many a few at a time, so that nothing has been requested that the brake could not
//! stop.
//!
//! Reads no clock: its owner waits. Must not know what an operation is.

use std::collections::VecDeque;

use super::brake::{Brake, BrakeCause};
use super::dispatch::CONCURRENCY;
use crate::domain::Exchange;

#[derive(Debug)]
pub struct Feed<T> {
    waiting: VecDeque<T>,
    /// Number of those that were taken and have not ended.
    out: usize,
    /// Pauses that the store asked for and that are not over.
    pauses: usize,
    brake: Brake,
}

impl<T> Default for Feed<T> {
    fn default() -> Self {
        Self::of([], Brake::default())
    }
}

impl<T> Feed<T> {
    pub fn of(waiting: impl IntoIterator<Item = T>, brake: Brake) -> Self {
        Self { waiting: waiting.into_iter().collect(), out: 0, pauses: 0, brake }
    }

    /// Adds operations after the others.
    pub fn extend(&mut self, more: impl IntoIterator<Item = T>) {
        self.waiting.extend(more);
    }

    /// Takes the operations that can be sent now.
    pub fn take(&mut self) -> Vec<T> {
        if self.brake.is_on() || self.pauses > 0 {
            return Vec::new();
        }
        let count = CONCURRENCY.saturating_sub(self.out).min(self.waiting.len());
        self.out += count;
        self.waiting.drain(..count).collect()
    }

    /// Notes how one of those that were taken has ended; without a request if `None`.
    pub fn ended(&mut self, exchange: Option<&Exchange>) {
        self.out = self.out.saturating_sub(1);
        if let Some(exchange) = exchange {
            self.brake.count(exchange);
        }
    }

    /// Notes that the store asks for a pause. The owner waits for that time, and calls [`Self::pause_over`].
    pub fn pause(&mut self) {
        self.pauses += 1;
    }

    pub fn pause_over(&mut self) {
        self.pauses = self.pauses.saturating_sub(1);
    }

    /// Returns why the brake keeps operations from being sent, if it does.
    pub fn braked(&self) -> Option<BrakeCause> {
        self.brake.cause().filter(|_| !self.waiting.is_empty())
    }

    /// Goes on after the brake.
    pub fn release(&mut self) {
        self.brake.release();
    }

    /// Takes back the operations that were not sent, in order.
    pub fn withdraw(&mut self) -> Vec<T> {
        std::mem::take(&mut self.waiting).into()
    }

    /// Returns the operations that wait to be sent.
    pub fn waiting(&self) -> impl ExactSizeIterator<Item = &T> {
        self.waiting.iter()
    }

    /// Whether none waits, and all that were taken have ended.
    pub fn is_over(&self) -> bool {
        self.waiting.is_empty() && self.out == 0
    }

    /// Returns the number of operations that were taken and have not ended.
    pub fn out(&self) -> usize {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::super::brake::tests::add;
    use super::*;

    fn fed(count: usize) -> Feed<usize> {
        Feed::of(0..count, Brake::default())
    }

    #[test]
    fn as_many_are_out_as_the_worker_sends_at_once_and_in_order() {
        let mut feed = fed(20);
        assert!(feed.take().into_iter().eq(0..CONCURRENCY));
        assert!(feed.take().is_empty());
        feed.ended(Some(&add(201)));
        feed.ended(Some(&add(409)));
        assert_eq!(feed.take(), [CONCURRENCY, CONCURRENCY + 1]);
        for _ in 0..CONCURRENCY {
            feed.ended(None);
        }
        assert_eq!(feed.take().len(), CONCURRENCY);
        assert!(!feed.is_over());
    }

    #[test]
    fn after_five_unknown_outcomes_no_more_are_taken_than_were_out() {
        let mut feed = fed(1000);
        let mut taken = 0;
        loop {
            taken += feed.take().len();
            if feed.out() == 0 {
                break;
            }
            feed.ended(Some(&add(503)));
        }
        assert_eq!(taken, usize::from(super::super::brake::IN_A_ROW) - 1 + CONCURRENCY);
        assert!(feed.braked().is_some());
        feed.release();
        assert!(feed.take().into_iter().eq(taken..taken + CONCURRENCY));
        assert_eq!(feed.withdraw().len(), 1000 - taken - CONCURRENCY);
        assert_eq!(feed.braked(), None);
    }

    #[test]
    fn a_pause_holds_the_rest_until_all_pauses_are_over() {
        let mut feed = fed(20);
        feed.take();
        feed.ended(Some(&add(503)));
        feed.pause();
        feed.pause();
        feed.pause_over();
        assert!(feed.take().is_empty());
        feed.pause_over();
        assert_eq!(feed.take(), [CONCURRENCY]);
    }
}
