//! The list of all dialogs, and what each opens with. Must not know what a dialog does.

use crate::tui::component::Layer;
use crate::tui::context::Context;
use crate::tui::dialogs::add::AddForm;
use crate::tui::dialogs::base_url::UrlForm;
use crate::tui::dialogs::confirm::Confirm;
use crate::tui::dialogs::delete_by_id::DeleteById;
use crate::tui::dialogs::file_prompt::FilePrompt;
use crate::tui::dialogs::import::ImportDialog;
use crate::tui::dialogs::palette::Palette;
use crate::tui::dialogs::profile::ProfileForm;
use crate::tui::dialogs::re_add::ReAdd;
use crate::tui::dialogs::reader::Reader;
use crate::tui::dialogs::runs::Runs;
use crate::tui::dialogs::stores::StorePicker;
use crate::tui::dialogs::token::TokenPrompt;
use crate::tui::ui_effect::Open;

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
    Import(ImportDialog),
    File(FilePrompt),
    Stores(StorePicker),
    BaseUrl(UrlForm),
    Profile(ProfileForm),
    Reader(Reader),
}

impl Dialog {
    pub(super) fn open(open: Open, cx: &mut Context) -> Self {
        match open {
            Open::Add(draft) => Self::Add(AddForm::open(*draft, cx)),
            Open::DeleteById(id) => Self::DeleteById(DeleteById::open(id)),
            Open::Token { why, then } => Self::Token(TokenPrompt::new(why, then)),
            Open::Confirm(question) => Self::Confirm(Confirm::new(*question)),
            Open::ReAdd => Self::ReAdd(ReAdd::open(cx)),
            Open::Runs { compared } => Self::Runs(Runs::new(compared)),
            Open::Palette(text) => Self::Palette(Palette::holding(&text)),
            Open::Report(run, filter) => Self::File(FilePrompt::of_report(run, filter, cx)),
            Open::Import(None) => Self::Import(ImportDialog::open(cx)),
            Open::Import(Some(path)) => Self::Import(ImportDialog::of(path, cx)),
            Open::ImportText(text) => Self::Import(ImportDialog::of_text(text, cx)),
            Open::Export(None) => Self::File(FilePrompt::of_plants(cx)),
            Open::Export(Some(path)) => Self::File(FilePrompt::of_plants_at(path, cx)),
            Open::Stores(None) => Self::Stores(StorePicker::open(cx)),
            Open::Stores(Some(target)) => Self::Stores(StorePicker::leave_for(&target, false, cx)),
            Open::BaseUrl { url, at_token } => Self::BaseUrl(UrlForm::open(url, at_token, cx)),
            Open::Profile { is_new } => Self::Profile(ProfileForm::open(is_new, cx)),
            Open::Pager(reading) => Self::Reader(Reader::open(reading, cx.display.marks)),
        }
    }
}
