//! `list` and `history` of plain mode: one sentence a row, a screenful at a time where a person reads it.

use jiff::tz::TimeZone;

use super::super::error::Exit;
use super::super::{clock, print};
use super::{Conversation, Done, Unanswered, tally};
use crate::domain::filter::{Filter, List};
use crate::domain::sentence::{self, row_called};
use crate::domain::{Row, wire};
use crate::journal::{Anchor, Arrangement, Pages, Search, StoredExchange, WindowRequest};
use crate::text::number_format::{counted, grouped};
use crate::text::{clean, clean_lines};

/// Rows after which a person is asked whether to go on.
const SCREENFUL: usize = 20;
/// Rows that a script gets at a time.
const PAGE: usize = 1000;
/// Bytes of a body that are printed.
const MAX_BODY: usize = 4096;

impl Conversation {
    pub(super) async fn list(&mut self, typed: &str) -> Done {
        self.ready.catch_up().await;
        let filter = filter(List::Plants, typed)?;
        let is_filtered = filter != Filter::default();
        let arrangement = Arrangement { filter, ..Arrangement::default() };
        let mut first = 0;
        loop {
            let request =
                WindowRequest { anchor: Anchor::Index(first), rows: self.page(), arrangement: arrangement.clone() };
            let window = self.ready.journal.window(request).await?;
            if first == 0 {
                let all = tally(window.tally);
                print::message(match (is_filtered, window.tally.total()) {
                    (_, 0) => "The list is empty. add adds a plant.".to_owned(),
                    (false, _) => format!("{all}."),
                    (true, _) => {
                        format!("Matching: {}. The list has {all}.", counted(window.total as u64, "plant", "plants"))
                    }
                });
            }
            // Plants that were deleted meanwhile shift the others.
            let rows = window.rows.iter().skip(first.saturating_sub(window.first));
            rows.for_each(|row| print::message(plant(row)));
            first = window.first + window.rows.len();
            if window.rows.is_empty() || !self.goes_on(first, window.total).await? {
                return Ok(Exit::Done);
            }
        }
    }

    pub(super) async fn history(&mut self, typed: &str) -> Done {
        self.ready.catch_up().await;
        let zone = clock::local_zone();
        if let Ok(number) = typed.strip_prefix('#').unwrap_or(typed).parse() {
            return self.request(number, &zone).await;
        }
        let search = Search::from(filter(List::Requests, typed)?.without_unasked_checks());
        let journal = self.ready.journal.clone();
        let mut pages = Pages::of(&journal, &search, usize::MAX);
        let mut count = 0;
        loop {
            let page = pages.next().await?;
            if page.is_empty() {
                break;
            }
            for stored in page {
                if self.console.has_person && count > 0 && count % SCREENFUL == 0 && !self.confirm_more().await? {
                    return Ok(Exit::Done);
                }
                print::message(entry(&stored, &zone));
                count += 1;
            }
        }
        if count == 0 {
            let which = if search == Search::default() { "no requests" } else { "no matching requests" };
            print::message(format!("The history of {} has {which}.", self.ready.store));
        }
        Ok(Exit::Done)
    }

    /// Prints a request and its response as they were on the wire.
    async fn request(&self, number: i64, zone: &TimeZone) -> Done {
        let Some(stored) = self.ready.journal.exchange(number).await? else {
            print::message(format!("The history of {} has no request #{number}.", self.ready.store));
            return Ok(Exit::Usage);
        };
        print::message(entry(&stored, zone));
        let exchange = &stored.exchange;
        match &exchange.request {
            None => print::message("No request is stored."),
            Some(request) => {
                print::message("Request:");
                print::message(wire::request_line(request));
                request.headers.iter().for_each(|header| print::message(wire::masked_header_line(header)));
                print_body(request.body.as_deref().unwrap_or_default().as_bytes());
            }
        }
        match exchange.response() {
            None => print::message("No response came."),
            Some(response) => {
                print::message("Response:");
                print::message(wire::status_line_text(response));
                response.headers.iter().for_each(|header| print::message(wire::masked_header_line(header)));
                print_body(&response.body);
            }
        }
        Ok(Exit::Done)
    }

    fn page(&self) -> usize {
        if self.console.has_person { SCREENFUL } else { PAGE }
    }

    async fn goes_on(&mut self, printed: usize, total: usize) -> Result<bool, Unanswered> {
        if printed >= total {
            return Ok(false);
        }
        if !self.console.has_person {
            return Ok(true);
        }
        let left = grouped((total - printed) as u64);
        self.console.confirm(&format!("{left} more follow. Go on?"), true).await
    }

    async fn confirm_more(&mut self) -> Result<bool, Unanswered> {
        self.console.confirm("More follow. Go on?", true).await
    }
}

/// Parses a filter.
///
/// # Errors
///
/// The filter is invalid, and nothing is listed.
fn filter(list: List, typed: &str) -> Result<Filter, Unanswered> {
    let (filter, fault) = list.parse(typed);
    match fault {
        None => Ok(filter),
        Some(fault) => {
            print::message(format!("The filter is invalid: {fault}."));
            Err(Unanswered::Left(Exit::Usage))
        }
    }
}

fn plant(row: &Row) -> String {
    let tag = match row.tag() {
        None => String::new(),
        Some("") => ", no tag".to_owned(),
        Some(tag) => format!(", tag {}", clean(tag)),
    };
    let author = row.author.as_ref().map(|author| format!(", by {}", clean(author.name()))).unwrap_or_default();
    format!("{}{tag}: {}{author}.", row_called(row), row.state.word())
}

fn entry(stored: &StoredExchange, zone: &TimeZone) -> String {
    let exchange = &stored.exchange;
    let (time, outcome) = (clock::shown(exchange.started, zone), exchange.outcome().word());
    format!("#{}, {time}, {outcome}: {}", stored.number, sentence::describe(exchange, stored.name()))
}

fn print_body(body: &[u8]) {
    if body.is_empty() {
        return print::message("No body.");
    }
    let shown = body.get(..MAX_BODY).unwrap_or(body);
    print::message(format!("Body, {} bytes:", body.len()));
    print::message(clean_lines(shown));
    if shown.len() < body.len() {
        print::message(format!("Cut: the first {MAX_BODY} bytes of the body are shown."));
    }
}
