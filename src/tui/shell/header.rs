//! The header: the store, its base URL, whether a token is set, and how many plants are stored and unknown.

use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::domain::language::Id;
use crate::domain::{Language, Message};
use crate::team::{self, Cause};
use crate::text::number_format::grouped;
use crate::tui::context::Context;
use crate::tui::session::question::ids_of;
use crate::tui::ui_effect::Tab;
use crate::tui::widgets::canvas::Canvas;
use crate::tui::widgets::text::fitted;
use crate::tui::widgets::theme::Theme;

/// Columns between the two halves, at least.
const GAP: usize = 2;

/// Columns reserved for the right half, so that the header does not jump as counts change.
const STANDING: usize = 54;

/// Returns the rows of the header: one if all of it fits, else two.
pub(super) fn height(cx: &Context, theme: &Theme, area: Rect) -> u16 {
    let standing = joined(&standing(cx, theme), theme, usize::MAX);
    let columns = store(cx, theme, usize::MAX).width() + GAP + standing.width().max(STANDING);
    if columns <= usize::from(area.width) { 1 } else { 2 }
}

/// Returns the columns that the store leaves free in a row of `area`.
pub(super) fn free(cx: &Context, theme: &Theme, area: Rect) -> usize {
    usize::from(area.width).saturating_sub(store(cx, theme, usize::MAX).width())
}

/// Draws the header; the first row ends with so many columns that are taken.
pub(super) fn draw(cx: &Context, taken: usize, area: Rect, canvas: &mut Canvas<'_, '_>) {
    let theme = canvas.theme;
    let width = usize::from(area.width);
    let mut left = store(cx, theme, width.saturating_sub(taken));
    let beside = if area.height == 1 { left.width() + GAP } else { 1 };
    let room = width.saturating_sub(beside);
    let mut parts = standing(cx, theme);
    while joined(&parts, theme, usize::MAX).width() > room
        && let Some(at) = parts.iter().position(|part| part.style.is_none())
    {
        parts.remove(at);
    }
    let mut right = joined(&parts, theme, room);
    let free = room.saturating_sub(right.width());
    let remark = cx.display.language_of_labels().label(Id::HeaderDemoGone);
    if cx.session.info.demo && free >= remark.width() + 3 {
        right.extend([Span::styled(theme.mark(" · ", " | "), theme.dim), Span::styled(remark, theme.dim)]);
    }
    let lines = if area.height == 1 {
        let gap = width.saturating_sub(left.width() + right.width());
        left.push_span(" ".repeat(gap));
        left.extend(right);
        vec![left]
    } else {
        right.spans.insert(0, Span::raw(" "));
        vec![left, right]
    };
    canvas.lines(lines, area);
}

/// `DEMO STORE  http://127.0.0.1:4000`
fn store(cx: &Context, theme: &Theme, width: usize) -> Line<'static> {
    let info = &cx.session.info;
    let (badge, style) = match &info.profile {
        _ if info.demo => (format!(" {} ", cx.display.language_of_labels().label(Id::HeaderDemo)), theme.active_tab),
        Some(profile) => (format!(" {profile} "), theme.badge_for(info.header_color)),
        None => (" plants ".to_owned(), theme.badge),
    };
    let mut spans = vec![fitted(&badge, 24, style), Span::raw("  ")];
    let room = width.saturating_sub(spans.iter().map(|span| span.content.width()).sum::<usize>());
    spans.push(fitted(&info.store.to_string(), room, theme.title));
    Line::from(spans)
}

/// Returns what the header says of the team, and whether all is well.
fn of_team(team: &team::Status) -> (Vec<Message>, bool) {
    let count = |id: Id, count: u64| id.with("count", grouped(count));
    let waiting = (team.to_publish > 0).then(|| count(Id::HeaderTeamSends, team.to_publish as u64));
    let skipped = team.notices.skipped();
    let (first, second, is_well) = if !team.online {
        let id = match team.cause {
            Cause::NotReached => Id::HeaderTeamOffline,
            Cause::NotJoined => Id::HeaderTeamNotJoined,
            Cause::NotAllowed => Id::HeaderTeamTakesNone,
        };
        (id, waiting, false)
    } else if team.refusal.is_some() {
        (Id::HeaderTeamTakesNone, waiting, false)
    } else if !team.is_in_sync && team.to_read() > 0 {
        (Id::HeaderTeam, Some(count(Id::HeaderTeamReads, team.to_read())), true)
    } else {
        let people = (team.people > 0).then(|| count(Id::HeaderTeamPeople, team.people as u64));
        (Id::HeaderTeam, people, skipped == 0)
    };
    let skipped = (first == Id::HeaderTeam && !is_well).then(|| count(Id::HeaderTeamSkipped, skipped));
    ([first.into()].into_iter().chain(second).chain(skipped).collect(), is_well)
}

/// A part of the right half.
struct Part {
    text: String,
    /// `None` if it says that all is well: it is left out where not all parts fit.
    style: Option<Style>,
}

/// `token set · 6 stored · 1 unknown`
fn joined(parts: &[Part], theme: &Theme, columns: usize) -> Line<'static> {
    let dot = theme.mark(" · ", " | ");
    let mut line = Line::default();
    for Part { text, style } in parts {
        if !line.spans.is_empty() {
            line.push_span(Span::styled(dot, theme.dim));
        }
        let left = columns.saturating_sub(line.width());
        line.push_span(fitted(text, left, style.unwrap_or(theme.dim)));
    }
    line
}

fn standing(cx: &Context, theme: &Theme) -> Vec<Part> {
    let (tally, language) = (&cx.session.plants.window.tally, cx.display.language_of_labels());
    let counted_in_words = |id: Id, count: usize| language.say(&id.with("count", grouped(count as u64)));
    let mut parts = Vec::new();
    let mut say = |text, style| parts.push(Part { text, style });
    if cx.session.info.read_only {
        say(language.label(Id::HeaderReadOnly), Some(theme.warning));
    } else if cx.session.token.is_none() {
        say(language.label(Id::HeaderNoToken), Some(theme.bad));
    } else if !cx.session.info.demo {
        say(language.label(Id::HeaderTokenSet), None);
    }
    if !cx.session.info.demo && !cx.session.info.store.is_https() && !cx.session.info.store.is_loopback() {
        say(language.label(Id::HeaderNotEncrypted), Some(theme.bad));
    }
    if let Some(run) = cx.session.check.run() {
        let checks = |(done, of)| Id::HeaderChecks.with("done", format!("{done}")).with("all", format!("{of}"));
        let words = run.progress().map_or_else(|| Id::HeaderEndsCheck.into(), checks);
        say(language.say(&words), Some(theme.in_progress));
    }
    if cx.session.plants.is_read {
        if !cx.session.unsent.is_empty() {
            say(counted_in_words(Id::HeaderNotSent, cx.session.unsent.len()), Some(theme.bad));
        }
        say(counted_in_words(Id::HeaderStored, tally.stored), Some(theme.good));
        let in_flight = cx.session.in_flight();
        if in_flight > 0 {
            let is_simple = cx.display.tab == Tab::Greenhouse || language != Language::En;
            let id = if is_simple { Id::HeaderOnItsWay } else { Id::HeaderInFlight };
            say(counted_in_words(id, in_flight), Some(theme.in_progress));
        }
        let unknown = cx.session.unknown_plants();
        if unknown > 0 {
            say(counted_in_words(Id::HeaderUnknown, unknown), Some(theme.warning));
        } else if in_flight == 0 {
            say(language.label(Id::HeaderAllKnown), None);
        }
    }
    if let Some(team) = &cx.session.team {
        let (words, is_well) = of_team(team);
        let words: Vec<_> = words.iter().map(|message| language.say(message)).collect();
        say(words.join(" · "), (!is_well).then_some(theme.warning));
    }
    if let (true, (_, Some(weather))) = (cx.session.info.demo, ids_of(cx.session.weather)) {
        say(language.label(weather), Some(theme.warning));
    }
    parts
}
