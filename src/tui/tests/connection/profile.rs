//! The form that saves the open store as a profile, or makes a new one.

use super::*;
use crate::config::TokenSource;
use crate::config::new_profile::{NewProfile, SaveFault};

#[track_caller]
fn form(app: &App) -> frame::Front {
    let front = dialog(app);
    assert_eq!(front.title, "Save as profile");
    front
}

fn new(name: &str, token: TokenSource) -> NewProfile {
    NewProfile { name: name.to_owned(), base_url: info().store, token, read_only: false, is_default: false }
}

/// Returns what an effect saves.
#[track_caller]
fn saves(effects: &[Effect]) -> (NewProfile, bool) {
    let [Effect::SaveProfile { new, without_token }] = effects else { panic!("{effects:?}") };
    (*new.clone(), *without_token)
}

fn saved(app: &mut App, profile: NewProfile, written: Result<(), SaveFault>) {
    app.update(Msg::ProfileSaved(Box::new(profile), "/c.toml".into(), written));
}

#[test]
fn a_profile_is_saved_with_its_token_source_and_never_a_token() {
    let words = ["pass", "show", "plants"].map(str::to_owned).to_vec();
    for (keys, token) in [
        ("", TokenSource::Prompt),
        ("<tab> <tab>TOKEN", TokenSource::Env("TOKEN".to_owned())),
        ("<tab><right><right><tab>~/token", TokenSource::File("~/token".into())),
        ("<tab><left><tab>pass show  plants", TokenSource::Command(words)),
    ] {
        let mut app = new_app();
        press(&mut app, "Pmine");
        let effects = press(&mut app, &format!("{keys}<enter>"));
        assert_eq!(saves(&effects), (new("mine", token), false), "{keys}");
    }
}

#[test]
fn a_store_without_a_profile_is_saved_as_it_is_open() {
    for token_from in [TokenSource::Env("PLANTS_TOKEN".to_owned()), TokenSource::File("/a b".into())] {
        let info = StoreInfo { token_from: token_from.clone(), ..info() };
        let mut app = App::new(info, Keymap::default(), Some(token()));
        let _ = app.begin(Vec::new());
        let profile = NewProfile { is_default: true, ..new("127-0-0-1-4000", token_from) };
        assert_eq!(saves(&press(&mut app, "P<enter>")).0, profile);
        saved(&mut app, profile.clone(), Err(SaveFault::Exists));
        // The store has a name now, and a profile another one.
        app.cx.session.info.profile = Some("mine".to_owned());
        assert_eq!(press(&mut app, "<esc>P<enter>"), []);
        assert!(form(&app).says("a profile needs a name"));
    }
    // A token that was typed has no source.
    let typed = TokenSource::Command(vec!["pass".to_owned(), "two words".to_owned()]);
    let mut app = App::new(StoreInfo { token_from: typed, ..info() }, Keymap::default(), Some(token()));
    let _ = app.begin(Vec::new());
    assert_eq!(saves(&press(&mut app, "P<enter>")).0.token, TokenSource::Prompt);
}

#[test]
fn an_invalid_field_of_a_profile_is_reported_beside_it() {
    for (keys, line, words) in [
        ("<c-u><enter>", "name", "needs a name"),
        ("two words<enter>", "name  two words", "letters, digits"),
        ("mine<tab> <tab>$X<enter>", "env   $X", "without $"),
        ("mine<tab>x", "token ‹ asked for each time ›", "Left and Right choose"),
    ] {
        let mut app = new_app();
        assert_eq!(press(&mut app, &format!("P{keys}")), [], "{keys}");
        let form = form(&app);
        let (beside, why) = form.fault().unwrap();
        assert!(beside == line && why.contains(words), "{keys}: {form:#?}");
    }
}

#[test]
fn the_name_of_an_existing_profile_is_invalid() {
    let mut app = new_app();
    press(&mut app, "Pmine<enter>");
    saved(&mut app, new("mine", TokenSource::Prompt), Err(SaveFault::Exists));
    let why = "there is such a profile already: choose another name";
    assert_eq!(form(&app).fault(), Some(("name  mine", why.to_owned())));
    assert_eq!(saves(&press(&mut app, "s<enter>")).0.name, "mines");
}

#[test]
fn a_source_without_a_token_is_reported_beside_it_and_only_a_second_enter_saves_it() {
    let mut app = new_app();
    press(&mut app, "Pmine<tab><right><right><tab>token<enter>");
    let profile = new("mine", TokenSource::File("token".into()));
    let why = "no token from file /c/token: it cannot be read";
    saved(&mut app, profile.clone(), Err(SaveFault::NoToken(why.to_owned())));
    let front = form(&app);
    assert_eq!(front.fault(), Some(("file  token", why.to_owned())));
    assert!(front.says("Enter once more writes it all the same."), "{front:#?}");
    assert_eq!(saves(&press(&mut app, "<enter>")), (profile.clone(), true));
    saved(&mut app, profile, Err(SaveFault::NoToken(why.to_owned())));
    // Another file is tested like the first one.
    assert!(!saves(&press(&mut app, "s<enter>")).1);
}

#[test]
fn the_first_profile_is_offered_as_the_default_and_others_are_not() {
    let shown = |known: Vec<KnownStore>| {
        let mut app = new_app();
        app.cx.session.stores.known = known;
        press(&mut app, "Pmine<tab><tab>");
        let before = dialog(&app).marked().to_owned();
        press(&mut app, "<right>");
        (before, saves(&press(&mut app, "<enter>")).0.is_default)
    };
    assert_eq!(shown(Vec::new()), ("default ‹ yes ›".to_owned(), false));
    assert_eq!(shown(known()), ("default ‹ no ›".to_owned(), true));
}

#[test]
fn a_saved_profile_is_listed_and_names_the_open_store() {
    let mut app = new_app();
    press(&mut app, &format!("c{ELSEWHERE}/y<tab>canary<enter>"));
    let info = StoreInfo { store: format!("{ELSEWHERE}/y").parse().unwrap(), ..arrival().info };
    let profile = NewProfile { base_url: info.store.clone(), ..new("mine", TokenSource::Env("X".to_owned())) };
    let _ = arrives(&mut app, Arrival { info, ..arrival() });
    press(&mut app, "Pmine<tab> <tab>X<enter>");
    saved(&mut app, profile, Ok(()));
    assert_eq!((!app.cx.display.has_dialog, app.cx.session.info.profile.as_deref()), (true, Some("mine")));
    let status_line = status_line(&app);
    let words = "Saved profile mine (https://elsewhere.example/y) in /c.toml; its token comes from $X.";
    assert!(status_line.starts_with(words), "{status_line}");
    assert!(status_line.ends_with("plants --profile mine opens it. Here, c does."), "{status_line}");
    // It is open with its token of before, and can be opened with that of the profile; once.
    let target = ConnectionTarget::Profile("mine".to_owned());
    assert_eq!(press(&mut app, "c<enter>").last(), Some(&Effect::Connect(target)));
    assert_eq!(marked(&app), "mine");
    let info = app.cx.session.info.clone();
    let effects = arrives(&mut app, Arrival { info, ..arrival() });
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::UseToken(_))), "{effects:?}");
    press(&mut app, "c<enter>");
    assert!(fault_of_picker(&app).ends_with("is open already; T replaces its token"));
}

#[test]
fn if_the_config_file_cannot_be_written_its_lines_are_shown() {
    let mut app = new_app();
    press(&mut app, "Pmine<enter>");
    let why = SaveFault::Other("read-only file system".to_owned());
    saved(&mut app, new("mine", TokenSource::Prompt), Err(why));
    let form = form(&app);
    let words = "✗ Not written: read-only file system. Add these lines by hand:";
    let place = form.rows.iter().position(|row| row == words).unwrap_or_else(|| panic!("{form:#?}"));
    assert_eq!(form.rows[place + 1..], ["[profile.mine]", "base_url = \"http://127.0.0.1:4000/api\""]);
}

#[test]
fn a_form_that_is_being_written_takes_no_text_and_a_fault_disappears_with_a_change() {
    let mut app = new_app();
    press(&mut app, "P<c-u><enter>");
    assert!(form(&app).fault().is_some());
    press(&mut app, "m");
    assert_eq!(form(&app).fault(), None);
    press(&mut app, "ine<enter>xy");
    assert_eq!(form(&app).field("name"), "mine");
}

#[test]
fn the_result_of_saving_does_not_change_the_next_form() {
    let mut app = new_app();
    press(&mut app, "Pmine<enter><esc>Pother");
    saved(&mut app, new("mine", TokenSource::Prompt), Err(SaveFault::Exists));
    let said = "Profile mine was not saved: there is such a profile already: choose another name.";
    assert_eq!(status_line(&app), said);
    assert!(!form(&app).says("exists already"), "{:#?}", form(&app));
    saved(&mut app, new("mine", TokenSource::Prompt), Ok(()));
    assert_eq!(form(&app).field("name"), "other");
}

/// Opens the form of a new profile from the list of stores.
fn with_new_form() -> App {
    let mut app = new_app();
    press(&mut app, "cnew<enter>");
    assert_eq!(title(&app), "New profile");
    app
}

#[test]
fn keys_wheel_and_click_go_through_the_fields_of_a_new_profile() {
    let mut app = with_new_form();
    let label = |app: &App| dialog(app).marked().split(' ').next().unwrap().to_owned();
    let mut pressed = |key| {
        press(&mut app, key);
        label(&app)
    };
    let keys = ["<shift-tab>", "<shift-tab>", "<shift-tab>", "<tab>", "<tab>", "<tab>"];
    assert_eq!(keys.map(&mut pressed), ["default", "token", "url", "token", "default", "name"]);
    let mut wheeled = |down| {
        app.update(wheeled(Target::Field(0), down));
        label(&app)
    };
    assert_eq!([true, true, false, false].map(&mut wheeled), ["url", "token", "url", "name"]);
    let mut clicked = |field| {
        app.update(clicked(Target::Field(field)));
        label(&app)
    };
    assert_eq!([1, 2, 0].map(&mut clicked), ["url", "token", "name"]);
}

#[test]
fn the_footer_says_what_enter_and_esc_do_with_a_profile() {
    let keys = |app: &App| frame::screen(app).pop().unwrap();
    let shown = keys(&with_new_form());
    assert!(shown.contains("Enter save and open it") && shown.contains("Esc back"), "{shown}");
    let mut app = new_app();
    press(&mut app, "P");
    assert!(keys(&app).contains("Enter write it") && keys(&app).contains("Esc close"), "{}", keys(&app));
}

#[test]
fn a_new_profile_is_saved_and_opened() {
    let mut app = with_new_form();
    let token = TokenSource::Env("TOKEN".to_owned());
    let profile = NewProfile { base_url: "https://new.example/api".parse().unwrap(), ..new("mine", token) };
    let effects = press(&mut app, "mine<tab>https://new.example/api<tab> <tab>TOKEN<enter>");
    assert_eq!(saves(&effects), (profile.clone(), false));
    let file = "/c.toml".into();
    let effects = app.update(Msg::ProfileSaved(Box::new(profile), file, Ok(())));
    assert_eq!(effects, [Effect::Connect(ConnectionTarget::Profile("mine".to_owned()))]);
    let picker = picker(&app);
    assert!(
        picker.says("Opening mine (https://new.example/api)") && picker.marked().starts_with("mine"),
        "{picker:#?}"
    );
    assert_eq!(app.behind(), 0, "the list of stores is open once");
    // The program stays where it is if the store cannot be opened.
    app.update(Msg::Connected(Err("no such host".into())));
    assert!(fault_of_picker(&app).contains("no such host"));
    press(&mut app, "<enter>");
    let _ = arrives(&mut app, arrival());
    let said = status_line(&app);
    assert!(said.starts_with("Now at") && said.ends_with("Saved as profile mine in /c.toml."), "{said}");
}

#[test]
fn an_invalid_field_of_a_new_profile_is_reported_beside_it() {
    for (keys, line, words) in [
        ("<enter>", "name", "needs a name"),
        ("mine<enter>", "url", "base URL"),
        ("mine<tab>ftp://x<enter>", "url   ftp://x", "http or https"),
        ("mine<tab>http://10.0.0.2<enter>", "url   http://10.0.0.2", "others can read the token"),
        ("mine<down>https://x<down> <down>$X<enter>", "env   $X", "without $"),
    ] {
        let mut app = with_new_form();
        assert_eq!(press(&mut app, keys), [], "{keys}");
        let (beside, why) = dialog(&app).fault().map(|(beside, why)| (beside.to_owned(), why)).unwrap();
        assert!(beside.starts_with(line) && why.contains(words), "{keys}: {:#?}", dialog(&app));
    }
}

#[test]
fn a_new_profile_that_cannot_be_written_shows_its_lines_and_the_list_of_stores_stays() {
    let mut app = with_new_form();
    press(&mut app, "mine<tab>https://new.example<enter>");
    let profile = NewProfile { base_url: "https://new.example".parse().unwrap(), ..new("mine", TokenSource::Prompt) };
    saved(&mut app, profile, Err(SaveFault::Other("the file is read-only".to_owned())));
    let front = dialog(&app);
    assert!(front.says("[profile.mine] base_url = \"https://new.example\""), "{front:#?}");
    press(&mut app, "<esc>");
    assert_eq!(title(&app), "Stores");
}

#[test]
fn a_second_profile_of_the_open_store_stands_before_the_demo_and_renames_nothing() {
    let mut app = new_app();
    saved(&mut app, new("mine", TokenSource::Prompt), Ok(()));
    let stores = &app.cx.session.stores;
    let names: Vec<_> = stores.known.iter().map(|store| store.name.as_str()).collect();
    assert_eq!(names, ["staging", "elsewhere", "mine", "demo store"]);
    assert_eq!((&stores.here, &app.cx.session.info.profile), (&ConnectionTarget::Start, &None));
}

#[test]
fn a_profile_that_was_not_saved_is_reported_after_its_form_is_closed() {
    let mut app = new_app();
    press(&mut app, "Pmine<enter><esc>");
    let why = SaveFault::Other("read-only file system".to_owned());
    saved(&mut app, new("mine", TokenSource::Prompt), Err(why));
    let said = status_line(&app);
    assert!(said.starts_with("Profile mine was not saved:") && said.contains("read-only file system"), "{said}");
}

#[test]
fn the_demo_store_cannot_be_saved() {
    let mut app = App::new(StoreInfo { demo: true, ..info() }, Keymap::default(), Some(token()));
    press(&mut app, "P");
    assert!(!app.cx.display.has_dialog);
}

#[test]
fn a_session_that_cannot_write_is_saved_as_read_only_and_what_is_left_out_is_named() {
    let info = StoreInfo { unsaved: vec!["timeout", "ca_cert"], read_only: true, ..info() };
    let mut app = App::new(info, Keymap::default(), None);
    let _ = app.begin(Vec::new());
    press(&mut app, "Pmine");
    assert!(form(&app).says("as read-only under a name"), "{:#?}", form(&app));
    assert!(form(&app).says("Not saved: timeout, ca_cert. Add by hand"), "{:#?}", form(&app));
    let profile = saves(&press(&mut app, "<enter>")).0;
    assert!(profile.read_only);
    saved(&mut app, profile, Ok(()));
    assert!(app.cx.session.stores.known.iter().any(|store| store.name == "mine" && store.read_only));
}
