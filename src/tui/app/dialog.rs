//! Every dialog there is.

use crate::tui::component::Layer;
use crate::tui::dialogs::add::AddForm;
use crate::tui::dialogs::base_url::UrlForm;
use crate::tui::dialogs::confirm::Confirm;
use crate::tui::dialogs::delete_by_id::DeleteById;
use crate::tui::dialogs::export::ExportPrompt;
use crate::tui::dialogs::import::ImportDialog;
use crate::tui::dialogs::palette::Palette;
use crate::tui::dialogs::profile::ProfileForm;
use crate::tui::dialogs::re_add::ReAdd;
use crate::tui::dialogs::reader::Reader;
use crate::tui::dialogs::report::ReportPrompt;
use crate::tui::dialogs::runs::Runs;
use crate::tui::dialogs::stores::StorePicker;
use crate::tui::dialogs::token::TokenPrompt;

/// A dialog that is open.
pub(super) enum Dialog {
    Add(AddForm),
    DeleteById(DeleteById),
    Token(TokenPrompt),
    Confirm(Confirm),
    ReAdd(ReAdd),
    Runs(Runs),
    Palette(Palette),
    Report(ReportPrompt),
    Import(ImportDialog),
    Export(ExportPrompt),
    Stores(StorePicker),
    BaseUrl(UrlForm),
    Profile(ProfileForm),
    Reader(Reader),
}

macro_rules! each_dialog {
    ($dialog:expr, $inner:ident => $result:expr) => {
        match $dialog {
            Dialog::Add($inner) => $result,
            Dialog::DeleteById($inner) => $result,
            Dialog::Token($inner) => $result,
            Dialog::Confirm($inner) => $result,
            Dialog::ReAdd($inner) => $result,
            Dialog::Runs($inner) => $result,
            Dialog::Palette($inner) => $result,
            Dialog::Report($inner) => $result,
            Dialog::Import($inner) => $result,
            Dialog::Export($inner) => $result,
            Dialog::Stores($inner) => $result,
            Dialog::BaseUrl($inner) => $result,
            Dialog::Profile($inner) => $result,
            Dialog::Reader($inner) => $result,
        }
    };
}

#[cfg(test)]
pub(super) use each_dialog;

impl Dialog {
    pub(super) fn layer(&self) -> &dyn Layer {
        each_dialog!(self, dialog => dialog as &dyn Layer)
    }

    pub(super) fn layer_mut(&mut self) -> &mut dyn Layer {
        each_dialog!(self, dialog => dialog as &mut dyn Layer)
    }

    /// Whether what is typed into it is not shown to an audience, not even its length.
    pub(super) fn hides_keys(&self) -> bool {
        matches!(self, Self::Token(_) | Self::Stores(_) | Self::BaseUrl(_))
    }
}
