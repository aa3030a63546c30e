//! The list of all dialogs. Must not know what a dialog does.

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

macro_rules! dialogs {
    ($($name:ident($component:ty),)*) => {
        /// An open dialog.
        #[derive(Debug)]
        pub(super) enum Dialog {
            $($name($component),)*
        }

        impl Dialog {
            pub(super) fn layer(&self) -> &dyn Layer {
                match self {
                    $(Self::$name(dialog) => dialog,)*
                }
            }

            pub(super) fn layer_mut(&mut self) -> &mut dyn Layer {
                match self {
                    $(Self::$name(dialog) => dialog,)*
                }
            }
        }
    };
}

dialogs! {
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
