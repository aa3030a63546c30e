//! A run of the check: which request goes out next, and what its end means for the rest. It sends
//! nothing and knows no time: whoever has it does both.
//!
//! One request is out at a time. A plant is taken away as soon as no probe needs it any more, so
//! that little is left behind whenever a run ends.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use super::clauses::{CLAUSES, Clause};
use super::plots::{Beforehand, FIXED_IDS, Gone, Plot, Plots};
use super::report::{Report, Wanted};
use super::seen::{Said, Seen, Taken, is_about_the_caller, says_absent, status};
use super::silent::{SILENT, Silent};
use super::steps::{Lot, Need, Step};
use crate::domain::sentence::failed_because;
use crate::domain::{
    Ask, Ending, Exchange, Failure, FailureKind, OperationId, Outcome, PlantId, Probe, StoreUrl, Timestamp, patience,
};

/// Between two requests to a store that others use, too, where nobody says otherwise.
pub const PACE: Duration = Duration::from_millis(100);
/// How often a probe is sent again that was told to wait.
const PATIENCE: u32 = 3;
/// The longest pause that a store is given, and the one where it does not say how long.
const PAUSE: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(1));
/// How long a run waits in all because a store asks for it.
const PAUSES: Duration = Duration::from_secs(300);
/// How long a store is given to have what it accepted, a pause after the other.
const LAGS: [Duration; 3] = [Duration::from_millis(200), Duration::from_millis(800), Duration::from_secs(2)];
/// After so much silence nothing more is tried: see [`silence_counts`].
const SILENCE: u32 = 6;
/// How often another id is drawn where a first create meets a plant that is there.
const DRAWS: u32 = 2;

/// What whoever has a run is to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Ask for this, after a pause, and tell the end of it.
    Send {
        /// How long to wait first.
        after: Duration,
        /// What to ask for.
        ask: Ask,
        /// How its request departs from the document's.
        probe: Probe,
    },
    /// Take this plant out of the view, which stands there in this doubt or as stored: the store
    /// says that it has none, and it cannot come back.
    Forget(PlantId, Option<OperationId>),
    /// Nothing: a request is out.
    Wait,
    /// Nothing any more: the report is whole.
    Over,
}

/// What a request is sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// To see what becomes of it.
    Probe(Step),
    /// To take the plant at this place away.
    CleanUp(usize),
}

/// A run of the check.
#[derive(Debug, Clone)]
pub struct Run {
    store: String,
    started: Timestamp,
    wanted: Wanted,
    pace: Duration,
    lot: Lot,
    /// Ids that cannot be drawn and that the view has.
    taken: Vec<PlantId>,
    queue: VecDeque<Step>,
    planned: usize,
    plots: Plots,
    seen: Seen,
    out: Option<(Purpose, Probe)>,
    /// What the store asks for before the next request, and what it has asked for in all.
    pause: Option<Duration>,
    paused: Duration,
    /// How often what goes out next was told to wait.
    tries: u32,
    /// How often the first delete found nothing, and how long a store takes to have a plant.
    lags: usize,
    lag: Duration,
    draws: u32,
    silence: u32,
    requests: usize,
    reached: bool,
    cut_short: Option<String>,
    abandoned: bool,
    /// Plants that are gone by the store's word, and still in the view.
    gone: Vec<Gone>,
    /// Whether what had no settling end was tried once more.
    tried_again: bool,
}

impl Run {
    /// A run against a store that begins now. At its end it cleans up what earlier runs left, too.
    pub fn new(
        store: &StoreUrl,
        started: Timestamp,
        wanted: Wanted,
        pace: Duration,
        lot: Lot,
        before: &Beforehand,
    ) -> Self {
        let queue: VecDeque<_> = steps_for(&wanted).into_iter().collect();
        Self {
            store: store.to_string(),
            started,
            wanted,
            pace,
            lot,
            taken: before.taken.clone(),
            planned: queue.len(),
            queue,
            plots: Plots::left(&before.leftovers),
            seen: Seen::default(),
            out: None,
            pause: None,
            paused: Duration::ZERO,
            tries: 0,
            lags: 0,
            lag: Duration::ZERO,
            draws: 0,
            silence: 0,
            requests: 0,
            reached: false,
            cut_short: None,
            abandoned: false,
            gone: before.never_planted.clone(),
            tried_again: false,
        }
    }

    /// What to do next.
    pub fn advance(&mut self) -> Next {
        if self.out.is_some() {
            return Next::Wait;
        }
        if let Some((plant, doubt)) = self.gone.pop() {
            return Next::Forget(plant, doubt);
        }
        if self.abandoned {
            return Next::Over;
        }
        loop {
            if let Some((place, path_id)) = self.to_clean_up() {
                let id = self.plots.get(place).map_or(PlantId(0), |plot| plot.id);
                let probe = Probe { path_id, ..Probe::default() };
                return self.send(Purpose::CleanUp(place), Ask::Delete(id), probe);
            }
            let Some(step) = self.queue.pop_front() else {
                if !std::mem::replace(&mut self.tried_again, true) && self.plots.again() {
                    continue;
                }
                return Next::Over;
            };
            match self.missing(step) {
                None => {
                    let (ask, probe) = self.lot.asking(step);
                    return self.send(Purpose::Probe(step), ask, probe);
                }
                Some(why) => drop(self.seen.taken.insert(step, Taken::Skipped(why))),
            }
        }
    }

    /// What went out last has ended, at this time.
    pub fn ended(&mut self, exchange: Exchange, now: Timestamp) {
        let Some((purpose, probe)) = self.out.take() else { return };
        self.requests += 1;
        self.reached |= exchange.outcome() != Outcome::NotSent;
        let silent = silence_of(&exchange);
        self.silence = if silent.is_some() { self.silence + silence_counts(&exchange) } else { 0 };
        if self.is_to_wait(&exchange, now) {
            self.tries += 1;
            self.once_more(purpose, &probe);
            self.seen.others.push(exchange);
            return;
        }
        self.tries = 0;
        match purpose {
            Purpose::Probe(step) if self.met_somebody(step, &exchange) => {
                self.draws += 1;
                self.lot = self.lot.next();
                self.queue.push_front(step);
                self.seen.others.push(exchange);
            }
            Purpose::Probe(step) if self.comes_too_early(step, &exchange) => {
                self.queue.push_front(step);
                self.seen.others.push(exchange);
            }
            Purpose::Probe(step) => {
                self.note(step, &exchange, &probe);
                let refused = exchange.answer().filter(|answer| matches!(answer.status, 401 | 403)).map(status);
                self.seen.taken.insert(step, Taken::Exchanged(Box::new(exchange)));
                if let (Step::Create, Some(status)) = (step, refused) {
                    self.cut(format!("the store refuses the token: {status}"));
                }
            }
            Purpose::CleanUp(place) => self.cleaned(place, exchange, &probe),
        }
        if let Some(why) = silent.filter(|_| self.silence >= SILENCE) {
            self.cut(format!("no answer came to several requests in a row ({why})"));
        }
    }

    /// What was to go out did not, and may not go out any more.
    pub fn take_back(&mut self) {
        if let Some((purpose, probe)) = self.out.take() {
            self.once_more(purpose, &probe);
        }
    }

    /// Tries nothing more, and cleans up.
    pub fn stop(&mut self) {
        self.cut("it was stopped".to_owned());
    }

    /// Does nothing more at all; what is not cleaned up stays.
    pub fn abandon(&mut self, why: &str) {
        self.cut(why.to_owned());
        self.abandoned = true;
    }

    /// Whether it tries nothing more.
    pub fn is_stopping(&self) -> bool {
        self.cut_short.is_some()
    }

    /// How many probes are done, and of how many.
    pub fn progress(&self) -> (usize, usize) {
        let out = usize::from(matches!(self.out, Some((Purpose::Probe(_), _))));
        (self.planned.saturating_sub(self.queue.len() + out), self.planned)
    }

    /// What it came to so far: the rows that are decided.
    pub fn report(&self) -> Report {
        let is_over = self.out.is_none() && (self.abandoned || (self.queue.is_empty() && self.to_clean_up().is_none()));
        let decided = |steps: &[Step]| is_over || steps.iter().all(|step| self.is_decided(*step));
        let (clauses, silent) = rows_of(&self.wanted);
        let clauses = clauses.filter(|clause| decided(clause.steps));
        let silent = silent.filter(|silent| is_over || (!silent.of_all && decided(silent.steps)));
        Report {
            store: self.store.clone(),
            started: self.started,
            wanted: self.wanted.clone(),
            requests: self.requests,
            cut_short: self.cut_short.clone(),
            clauses: clauses.map(|clause| clause.judged(&self.seen)).collect(),
            observed: silent.map(|silent| silent.observed(&self.seen)).collect(),
            left_behind: self.plots.left_behind(),
            reached: self.reached,
            says_yes_to_every_delete: [Step::DeleteAbsent, Step::DeleteTwice]
                .iter()
                .any(|step| self.seen.said(*step).is_yes()),
        }
    }

    fn send(&mut self, purpose: Purpose, ask: Ask, probe: Probe) -> Next {
        let pace = if self.requests == 0 { Duration::ZERO } else { self.pace };
        let lag = if matches!(ask, Ask::Delete(_)) { self.lag } else { Duration::ZERO };
        let after = self.pause.take().unwrap_or_default().max(pace).max(lag);
        self.out = Some((purpose, probe.clone()));
        Next::Send { after, ask, probe }
    }

    fn cut(&mut self, why: String) {
        let why = self.cut_short.get_or_insert(why);
        for step in self.queue.drain(..) {
            self.seen.taken.entry(step).or_insert(Taken::Skipped(why.clone()));
        }
    }

    /// Why a probe cannot go out; `None` if it can.
    fn missing(&self, step: Step) -> Option<String> {
        let no_cleaning_up = || {
            let why = "no delete was accepted here, so that a plant more could not be taken away";
            (!self.plots.can_be_deleted()).then(|| why.to_owned())
        };
        match step.need() {
            Need::Nothing => None,
            Need::Yes(before) if self.seen.said(before).is_yes() => None,
            Need::Yes(before) => Some(self.no_yes_to(before)),
            Need::CleaningUp => no_cleaning_up(),
            Need::AFreeId => no_cleaning_up().or_else(|| self.may_hit_somebody(step)),
        }
    }

    /// Why a create could hit somebody's plant; `None` if it cannot.
    fn may_hit_somebody(&self, step: Step) -> Option<String> {
        let id = self.lot.id(step);
        if self.taken.contains(&id) {
            return Some("the view has a plant with this id".to_owned());
        }
        if self.plots.have_ids_of_the_stores_own() && !FIXED_IDS.contains(&id) {
            return None;
        }
        match self.seen.said(Step::SecondCreate) {
            Said::No(_, answer) if !is_about_the_caller(answer.status) => None,
            Said::Yes(..) => {
                let why = "a second plant under a taken id is accepted here, so that this one could hit somebody's";
                Some(why.to_owned())
            }
            Said::No(..) | Said::Open(_) | Said::Skipped(_) => {
                Some("what becomes of a taken id here could not be seen, and this one may be somebody's".to_owned())
            }
        }
    }

    /// Why there is nothing that a probe could be about.
    fn no_yes_to(&self, before: Step) -> String {
        let word = if before.is_delete() { "delete" } else { "create" };
        match self.seen.said(before) {
            Said::No(_, answer) => format!("the {word} before it was refused: {}", status(answer)),
            Said::Open(exchange) if exchange.outcome() == Outcome::NotSent => {
                format!("the {word} before it never reached the store")
            }
            Said::Yes(..) | Said::Open(_) => format!("nobody knows what became of the {word} before it"),
            Said::Skipped(why) => why.to_owned(),
        }
    }

    /// Whether the store asks for a pause, and what was asked is to be asked again after it.
    fn is_to_wait(&mut self, exchange: &Exchange, now: Timestamp) -> bool {
        let Some(answer) = exchange.answer().filter(|answer| matches!(answer.status, 429 | 503)) else { return false };
        let (longest, usual) = PAUSE;
        let asked = patience::asked_for(answer, now);
        if let Some(asked) = asked.filter(|asked| *asked > longest) {
            self.cut(format!("the store asks for a pause of {} s", asked.as_secs()));
            return false;
        }
        self.pause = asked.or((answer.status == 429).then_some(usual));
        self.paused += self.pause.unwrap_or_default();
        // A 503 does not say that nothing was done.
        if answer.status != 429 {
            return false;
        }
        if self.tries >= PATIENCE || self.paused > PAUSES {
            self.cut("the store asks for fewer requests, again and again".to_owned());
            return false;
        }
        true
    }

    fn once_more(&mut self, purpose: Purpose, probe: &Probe) {
        match purpose {
            Purpose::Probe(_) if self.is_stopping() => {}
            Purpose::Probe(step) => self.queue.push_front(step),
            Purpose::CleanUp(place) => self.plots.once_more(place, probe),
        }
    }

    /// Whether the first create met a plant that was there: nothing is told by that.
    fn met_somebody(&self, step: Step, exchange: &Exchange) -> bool {
        step == Step::Create && exchange.status() == Some(409) && self.draws < DRAWS
    }

    /// Whether the first delete may have come before the store had the plant: it is given time, and
    /// as much before every delete from then on.
    fn comes_too_early(&mut self, step: Step, exchange: &Exchange) -> bool {
        let is_absent = exchange.answer().is_some_and(says_absent);
        if step != Step::Delete || self.is_stopping() {
            return false;
        }
        match LAGS.get(self.lags).filter(|_| is_absent) {
            Some(lag) => {
                self.lags += 1;
                self.pause = Some(*lag);
                true
            }
            None => {
                if !is_absent {
                    self.lag = LAGS.iter().take(self.lags).sum();
                }
                false
            }
        }
    }

    /// Notes what the end of a probe means for its plant.
    fn note(&mut self, step: Step, exchange: &Exchange, probe: &Probe) {
        if !step.is_delete() {
            self.plots.planted(step, &self.lot, exchange);
            return;
        }
        let place = self.plots.place_of(step);
        let gone = match place {
            Some(place) => self.deleted(place, exchange, probe),
            // Nothing was ever planted under this id, and it was drawn by lot.
            None if exchange.outcome() == Outcome::Unknown && !probe.leaves_id_open => {
                Some((exchange.operation.ask.plant_id(), Some(exchange.operation.id)))
            }
            None => self.plots.deleted_as_told(exchange),
        };
        self.gone.extend(gone);
    }

    fn deleted(&mut self, place: usize, exchange: &Exchange, probe: &Probe) -> Option<Gone> {
        let create = self.plots.get(place).and_then(|plot| plot.create);
        let twin_took_it = create == Some(Step::CreateBig) && self.seen.said(Step::DeleteTwin).is_yes();
        self.plots.deleted(place, &self.lot, exchange, probe, twin_took_it)
    }

    fn cleaned(&mut self, place: usize, exchange: Exchange, probe: &Probe) {
        let gone = self.deleted(place, &exchange, probe);
        self.gone.extend(gone);
        match self.plots.get(place).and_then(|plot| plot.create) {
            Some(create) => self.seen.cleaned.entry(create).or_default().push(exchange),
            None => self.seen.others.push(exchange),
        }
    }

    /// A plant that no probe needs any more, and what may take it away.
    fn to_clean_up(&self) -> Option<(usize, Option<String>)> {
        // What an earlier run left comes last: then it is known what a no means here.
        let is_needed = |plot: &Plot| match plot.create {
            Some(create) => self.queue.iter().any(|step| step.plot() == create),
            None => !self.queue.is_empty(),
        };
        self.plots.due(is_needed)
    }

    /// Whether no request will come that could change what is told of this probe.
    fn is_decided(&self, step: Step) -> bool {
        let cleans = matches!(self.out, Some((Purpose::CleanUp(place), _))
            if self.plots.get(place).is_some_and(|plot| plot.create == Some(step.plot())));
        self.seen.taken.contains_key(&step) && !cleans && !self.plots.is_due(step)
    }
}

/// Why no answer came; `None` if one did.
fn silence_of(exchange: &Exchange) -> Option<String> {
    match &exchange.ending {
        Ending::Answered(_) => None,
        Ending::Failed(failure) => Some(failed_because(failure.kind, exchange.elapsed)),
    }
}

/// How much it counts that no answer came: an answer that is lost says less than one that is
/// waited for until the deadline, or a store that cannot be reached.
fn silence_counts(exchange: &Exchange) -> u32 {
    match &exchange.ending {
        Ending::Failed(Failure { kind: FailureKind::NoAnswer, .. }) => 1,
        Ending::Failed(_) | Ending::Answered(_) => 2,
    }
}

/// The rows that are wanted.
fn rows_of(wanted: &Wanted) -> (impl Iterator<Item = &'static Clause>, impl Iterator<Item = &'static Silent>) {
    let silent = SILENT.iter().filter(|silent| wanted.names(silent.name) && !wanted.gentle);
    (CLAUSES.iter().filter(|clause| wanted.names(clause.name)), silent)
}

/// The probes that the wanted rows need, in their order.
fn steps_for(wanted: &Wanted) -> BTreeSet<Step> {
    let (clauses, silent) = rows_of(wanted);
    let mut steps = BTreeSet::new();
    for step in clauses.flat_map(|clause| clause.steps).chain(silent.flat_map(|silent| silent.steps)) {
        steps.insert(*step);
        steps.extend(step.after());
    }
    steps
}
