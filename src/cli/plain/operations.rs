//! What plain mode sends: adds, deletes, decisions about unknown plants, imports and the contract check.

use std::path::PathBuf;

use crate::check::{Format, Pace, Wanted, render};
use crate::config::expand;
use crate::domain::filter::{Filter, Test};
use crate::domain::plant::IdFault;
use crate::domain::sentence::row_called;
use crate::domain::{OperationKind, Plant, PlantId, Resolution, Row, Unresolved};
use crate::import::{self, CONCURRENCY, Options, Resend, Source};
use crate::text::caseless::caseless;
use crate::text::number_format::counted;

use super::super::add::slips;
use super::super::bar::Bar;
use super::super::check;
use super::super::delete;
use super::super::error::{Exit, Failure, NOTHING_SENT};
use super::super::found::{self, Seen, as_seen};
use super::super::import::{carry_out as carry_out_import, validate};
use super::super::import_output::ImportOutput;
use super::super::json::JsonLines;
use super::super::open::listed_of;
use super::super::operate::{self, check_writable};
use super::super::resolve::{self, Method, TWICE};
use super::super::stop::Stops;
use super::super::when_unknown::WhenUnknown;
use super::super::{clock, end, print};
use super::console::prompt;
use super::{Conversation, Done, Unanswered};

/// Columns of a report whose lines are not broken: a screen reader pauses at the end of each.
const WIDE: usize = 100_000;

/// Plants that are listed at most, where a name can mean several.
const NAMESAKES: usize = 20;

/// Rows of a file that are named at most before the question whether to import it.
const NAMED: usize = 20;

/// What to do about one unknown plant; `None` leaves it unknown.
const DECISIONS: [(&str, Option<Method>); 5] = [
    ("skip", None),
    ("send again", Some(Method::Resend)),
    ("delete", Some(Method::Delete)),
    ("stored", Some(Method::Record(Resolution::MarkStored))),
    ("forget", Some(Method::Record(Resolution::Forget))),
];

impl Conversation {
    pub(super) async fn add(&mut self) -> Done {
        self.prepare().await?;
        let next = self.ready.journal.next_free_id().await?;
        let name = self.console.ask(&prompt("Name", "empty")).await?;
        let id = self.id("Id", Some(next)).await?;
        let tag = self.console.ask(&prompt("Tag", "empty")).await?;
        let plant = Plant { name, id, tag };
        let slips = slips(&self.ready, &plant).await;
        for slip in &slips {
            print::message(format!("Note: {slip}."));
        }
        if !slips.is_empty() && !self.console.confirm("Send it as given?", false).await? {
            print::message(NOTHING_SENT);
            return Ok(Exit::NotSent);
        }
        Ok(operate::carry_out(&self.ready, OperationKind::add(plant), None, false).await?)
    }

    pub(super) async fn delete(&mut self, argument: &str) -> Done {
        self.prepare().await?;
        let id = self.given_id(argument, "Id of the plant to delete").await?;
        let row = delete::row_to_delete(&self.ready, id).await;
        if !self.console.confirm(&delete::question(&self.ready.store, id, row.as_ref()), false).await? {
            print::message(NOTHING_SENT);
            return Ok(Exit::NotSent);
        }
        Ok(operate::carry_out(&self.ready, OperationKind::Delete(id), row, false).await?)
    }

    pub(super) async fn resolve(&mut self, argument: &str) -> Done {
        self.ready.catch_up().await;
        let (seen, first) = if argument.is_empty() {
            found::all_unknown(&self.ready).await?
        } else {
            let id = self.given_id(argument, "").await?;
            let found = self.ready.journal.unknown_among(vec![id]).await?;
            (found.iter().map(as_seen).collect(), found.into_iter().map(|found| found.row).collect())
        };
        if seen.len() < 2 {
            if seen.is_empty() && !argument.is_empty() {
                print::message(format!("Plant {argument} is not unknown."));
            } else if seen.is_empty() {
                print::message("No plant is unknown.");
            }
            return self.resolve_each(&seen).await;
        }
        let plants = counted(seen.len() as u64, "unknown plant", "unknown plants");
        let names = listed_of(&first, seen.len());
        print::message(format!("{plants}: {names}."));
        if self.console.confirm("Decide about each of them?", true).await? {
            return self.resolve_each(&seen).await;
        }
        let Some(method) = self.decision("All of them:").await? else { return Ok(Exit::Done) };
        let question = method.question(&plants, &self.ready.store, &names);
        if !self.console.confirm(&question, false).await? {
            print::message(NOTHING_SENT);
            return Ok(Exit::NotSent);
        }
        self.decide(method, &seen).await
    }

    /// Asks about one plant after another. Leaves out those that are not unknown any more.
    async fn resolve_each(&mut self, seen: &[Seen]) -> Done {
        let mut exit = Exit::Done;
        for (id, _) in seen {
            for unresolved in self.ready.journal.unknown_among(vec![*id]).await? {
                exit = exit.or_graver(self.resolve_one(&unresolved).await?);
            }
        }
        Ok(exit)
    }

    async fn resolve_one(&mut self, unresolved: &Unresolved) -> Done {
        let Unresolved { row, unknown } = unresolved;
        let since = clock::shown(row.changed_at, &clock::local_zone());
        let by = unknown.members_in_words().map(|authors| format!(" by {authors}")).unwrap_or_default();
        print::message(format!(
            "{} is unknown since {since}: no response proves whether the {}{by} took effect.",
            row_called(row),
            unknown.kind.word()
        ));
        let Some(method) = self.decision("Decide:").await? else {
            print::message("It stays unknown.");
            return Ok(Exit::Done);
        };
        if method == Method::Resend {
            print::message(TWICE);
            if !self.console.confirm("Send it again?", false).await? {
                print::message(NOTHING_SENT);
                return Ok(Exit::NotSent);
            }
        }
        self.decide(method, &[as_seen(unresolved)]).await
    }

    async fn decision(&mut self, question: &str) -> Result<Option<Method>, Unanswered> {
        let words: Vec<_> = DECISIONS.iter().map(|(word, _)| *word).collect();
        let prompt = prompt(&format!("{question} {}", words.join(", ")), "skip");
        loop {
            let typed = self.console.ask(&prompt).await?.trim().to_lowercase();
            // The beginning of a word is enough: "se", "st".
            let mut meant = DECISIONS.iter().filter(|(word, _)| word.starts_with(&typed));
            match (typed.is_empty(), meant.next(), meant.next()) {
                (true, _, _) => return Ok(None),
                (false, Some((_, method)), None) => return Ok(*method),
                (false, _, _) => self.console.correct(&format!("Please answer one of: {}.", words.join(", ")))?,
            }
        }
    }

    async fn decide(&mut self, method: Method, seen: &[Seen]) -> Done {
        if method.sends() {
            self.prepare().await?;
        }
        let asks = WhenUnknown::Asks(&mut self.console);
        Ok(resolve::carry_out(&self.ready, method, seen, false, &mut Stops::listen(), asks).await?)
    }

    pub(super) async fn check(&mut self) -> Done {
        self.prepare().await?;
        let pace = Pace::towards(&self.ready.store);
        let run = check::prepare(&self.ready, Wanted::default(), pace).await?;
        if !self.is_demo() {
            check::announce(&Wanted::default(), &self.ready);
            if !self.console.confirm("Start the check?", false).await? {
                print::message(NOTHING_SENT);
                return Ok(Exit::NotSent);
            }
        }
        let (report, interrupted) = check::carry_out(&self.ready, run).await;
        let text = render(&report, Format::Text, WIDE, false);
        end::succeeded(print::result(text.trim_end_matches('\n')));
        Ok(check::exit_of(&report, false, interrupted, true))
    }

    pub(super) async fn import(&mut self, argument: &str) -> Done {
        self.prepare().await?;
        let typed = if argument.is_empty() {
            self.console.ask("File, .csv, .json or .ndjson (no default; Ctrl-C leaves): ").await?
        } else {
            argument.to_owned()
        };
        if typed.trim().is_empty() {
            return Err(Unanswered::Left(Exit::NotSent));
        }
        let path = expand(PathBuf::from(typed.trim()), self.home.as_deref());
        let path = path.map_err(|why| Failure::usage(format!("{}: {why}. {NOTHING_SENT}", typed.trim())))?;
        let file = path.display().to_string();
        let output = ImportOutput { file, json: JsonLines::new(false), bar: Bar::Hidden };
        let mut stops = Stops::listen();
        let mut validated = validate(&self.settings, Source::Path(path), None, &output, &mut stops).await?;
        import::forecast(&self.ready.journal, &mut validated, false, &mut |_, _| {}).await?;
        let bad = validated.preview.bad;
        if bad > 0 {
            let rows = counted(bad, "row is bad", "rows are bad");
            if !self.console.confirm(&format!("{rows}. Leave bad rows out?"), false).await? {
                print::message("Correct them, and import the file again. Nothing was sent.");
                return Ok(Exit::Usage);
            }
        }
        let mut resend = Resend::default();
        if validated.preview.forecast.as_is.unknown > 0 {
            let again = "Rows of unknown plants are not sent. Send them again? The plants may then be stored twice.";
            resend.unknown = self.console.confirm(again, false).await?;
        }
        let withheld = validated.preview.forecast.standing(resend.unknown).withheld();
        validated.preview.unsent_lines(resend.unknown).take(NAMED).for_each(print::message);
        if let Some(more @ 1..) = withheld.checked_sub(NAMED as u64) {
            print::message(format!("{} not sent either.", counted(more, "more row is", "more rows are")));
        }
        validated.preview.lines(true, resend.unknown).into_iter().for_each(print::message);
        let to_send = validated.preview.forecast.standing(resend.unknown).to_send();
        if to_send == 0 {
            print::message(NOTHING_SENT);
            return Ok(Exit::Done);
        }
        let question = format!("Send {} to {}?", counted(to_send, "row", "rows"), self.ready.store);
        if !self.console.confirm(&question, false).await? {
            print::message(NOTHING_SENT);
            return Ok(Exit::NotSent);
        }
        let renew = self.ready.renewal(&self.settings);
        let asks = WhenUnknown::Asks(&mut self.console);
        let (concurrency, when_unknown) = (CONCURRENCY.into(), asks.of_import());
        let options = Options { concurrency, rate: None, resend, when_unknown };
        Ok(carry_out_import(&self.ready, validated, options, output, renew, &mut stops, asks).await)
    }

    /// Makes sure that something can be sent.
    async fn prepare(&mut self) -> Result<(), Unanswered> {
        check_writable(&self.settings)?;
        self.need_token().await
    }

    /// Reads an id that follows a command, or asks for it.
    async fn given_id(&mut self, argument: &str, question: &str) -> Result<PlantId, Unanswered> {
        if argument.is_empty() {
            return self.id(question, None).await;
        }
        match argument.parse::<PlantId>() {
            Ok(id) => Ok(id),
            Err(IdFault::NotANumber) => self.id_of_name(argument).await,
            Err(fault) => {
                print::message(format!("{argument} is no id: {fault}."));
                Err(Unanswered::Left(Exit::Usage))
            }
        }
    }

    /// Returns the id of the only plant in the list with this name, in any case; otherwise says which ids can be meant.
    async fn id_of_name(&self, name: &str) -> Result<PlantId, Unanswered> {
        let wanted = caseless(name);
        let filter = Filter { all: vec![Test::Name(wanted.clone()).into()] };
        let found = self.ready.journal.fitting(filter, NAMESAKES + 1).await?;
        let has_name = |row: &&Row| row.name().is_some_and(|name| caseless(name) == wanted);
        let called: Vec<_> = found.iter().filter(has_name).collect();
        let is_whole = found.len() <= NAMESAKES;
        match called.as_slice() {
            [row] if is_whole => return Ok(row.id),
            _ if found.is_empty() => {
                print::message(format!("No plant in the list is called {name}. Type an id; list shows them."));
            }
            _ => {
                let named: Vec<_> = found.iter().take(NAMESAKES).map(row_called).collect();
                let more = if is_whole { "" } else { " and others" };
                print::message(format!(
                    "Which plant is meant? {name} is in the name of {}{more}. Type the id, the number in brackets.",
                    named.join(", ")
                ));
            }
        }
        Err(Unanswered::Left(Exit::Usage))
    }

    /// Asks for an id until a valid one is typed.
    async fn id(&mut self, question: &str, default: Option<PlantId>) -> Result<PlantId, Unanswered> {
        let prompt = match default {
            Some(default) => prompt(question, &default.to_string()),
            None => format!("{question} (no default; Ctrl-C leaves): "),
        };
        loop {
            let typed = self.console.ask(&prompt).await?;
            match (typed.trim().parse(), default) {
                (Err(IdFault::Empty), Some(default)) => return Ok(default),
                (Err(fault), _) => self.console.correct(&format!("Invalid: {fault}."))?,
                (Ok(id), _) => return Ok(id),
            }
        }
    }
}
