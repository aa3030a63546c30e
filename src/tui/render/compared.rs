//! Two exchanges compared, with differences marked.

use crate::domain::compare::{Compared, Pair};
use crate::text::body::BodyLine;
use crate::tui::context::Context;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::pairs::rows;
use crate::tui::widgets::sheet::Sheet;
use crate::tui::widgets::theme::Theme;

pub(crate) fn whole<'a>(compared: &'a Compared, cx: &Context, theme: &Theme, width: usize) -> Sheet<'a> {
    let began = compared.began.map(|at| cx.moment(at));
    let [one, other] = began.map(|at| BodyLine::plain(format!("  {at}")));
    let heads = Pair { left: Some(one), right: Some(other), same: false };
    let mut sheet = Sheet::new(width).rows(rows(&heads, width, ["A", "B"], "", theme.title));
    for part in &compared.parts {
        let mut page = Page::new(theme, width);
        page.rule(part.heading);
        if part.by_position {
            page.dim("Too long to find moved lines: compared line by line.", 2);
        }
        sheet = sheet.rows(page.lines).pairs(&part.pairs);
    }
    sheet
}
