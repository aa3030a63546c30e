//! The output of a custom command, below how it ended, if it failed, and whether the output was cut.

use crate::text::body::Body;
use crate::text::number_format::grouped;
use crate::tui::message::CommandOutput;
use crate::tui::widgets::page::Page;
use crate::tui::widgets::sheet::Sheet;
use crate::tui::widgets::theme::Theme;

pub(crate) fn whole<'a>(output: &CommandOutput, printed: &'a Body, theme: &Theme, width: usize) -> Sheet<'a> {
    let mut page = Page::new(theme, width);
    if let Some(failure) = &output.failure {
        page.words(&format!("It failed ({failure})."), 2, theme.bad);
    }
    if let Some(limit) = output.cut_at {
        page.words(&format!("It printed more: these are its first {} bytes.", grouped(limit)), 2, theme.warning);
    }
    let sheet = Sheet::new(width);
    if page.lines.is_empty() { sheet.text(printed) } else { sheet.rows(page.lines).body(printed) }
}
