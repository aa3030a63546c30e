//! Going to another store: what the picker and the form for a base URL offer and ask, which token
//! goes where, and what another store leaves of the one before.

use super::*;
use crate::app::connection::{Entry, StorePicker, UrlField, UrlForm};
use crate::app::{Arrival, Notice, Room, Target};
use crate::client::Token;
use crate::config::{KnownStore, OtherStore, Wish};

const ELSEWHERE: &str = "https://elsewhere.example";

pub(super) fn known() -> Vec<KnownStore> {
    let store = |wish, name: &str, base_url: Option<&str>| KnownStore {
        wish,
        name: name.to_owned(),
        base_url: base_url.map(str::to_owned),
        color: None,
        read_only: false,
    };
    vec![
        store(Wish::Start, "staging", Some("http://127.0.0.1:4000/api")),
        store(Wish::Profile("elsewhere".to_owned()), "elsewhere", Some(ELSEWHERE)),
        store(Wish::Demo, "demo store", None),
    ]
}

/// A program with stores to go to, and one plant in its view.
fn model() -> Model {
    let mut model = super::model();
    model.known = known();
    update(&mut model, window(&[row(7, State::Stored)]));
    model
}

fn elsewhere() -> Wish {
    Wish::Profile("elsewhere".to_owned())
}

/// Another base URL with its token.
fn other(url: &str, token: &str) -> Wish {
    Wish::BaseUrl(OtherStore { url: url.parse().unwrap(), token: Some(Token::new(token).unwrap()) })
}

fn arrival() -> Arrival {
    let facts = Facts { store: ELSEWHERE.parse().unwrap(), origin: 2, ..facts() };
    Arrival { facts, token_held: true, notices: vec![Notice::new("In doubt there.".to_owned())], samples: Vec::new() }
}

fn arrives(model: &mut Model, arrival: Arrival) -> Vec<Effect> {
    update(model, Msg::Connected(Ok(Box::new(arrival))))
}

#[track_caller]
fn picker(model: &Model) -> &StorePicker {
    match &model.overlay {
        Some(Overlay::Stores(picker)) => picker,
        other => panic!("the picker is not open, but {other:?}"),
    }
}

/// The line of the picker that Enter takes.
#[track_caller]
fn marked(model: &Model) -> Entry {
    model.offered_stores(picker(model))[picker(model).marked]
}

#[track_caller]
fn form(model: &Model) -> &UrlForm {
    match &model.overlay {
        Some(Overlay::BaseUrl(form)) => form,
        other => panic!("the form is not open, but {other:?}"),
    }
}

#[track_caller]
fn fault(model: &Model) -> (UrlField, &str) {
    let (field, why) = form(model).fault.as_ref().expect("a fault");
    (*field, why)
}

#[track_caller]
fn fault_of_picker(model: &Model) -> &str {
    picker(model).fault.as_deref().expect("a fault")
}

fn recent(model: &mut Model, urls: &[&str]) {
    update(model, Msg::Stores(Ok(urls.iter().map(|url| url.parse().unwrap()).collect())));
}

#[test]
fn it_opens_on_the_store_that_is_open_and_walks_through_the_others() {
    let mut model = model();
    assert_eq!(press(&mut model, "c"), [Effect::FindStores]);
    assert_eq!(marked(&model), Entry::Known(0));
    assert_eq!(press(&mut model, "<enter>"), []);
    assert_eq!(fault_of_picker(&model), "http://127.0.0.1:4000/api is open already; T replaces its token");
    let mut seen = Vec::new();
    for _ in 0..4 {
        press(&mut model, "<tab>");
        seen.push(marked(&model));
    }
    assert_eq!(seen, [Entry::Known(1), Entry::Known(2), Entry::BaseUrl, Entry::BaseUrl]);
    press(&mut model, "<up>");
    assert_eq!(marked(&model), Entry::Known(2));
}

#[test]
fn each_line_leads_where_it_says() {
    for (keys, wish) in [
        ("<down>", elsewhere()),
        ("<down><down>", Wish::Demo),
        ("else", elsewhere()),
        ("DEMO", Wish::Demo),
        ("<down><down><down><enter>http://127.0.0.1:9<tab>canary", other("http://127.0.0.1:9", "canary")),
    ] {
        let mut model = model();
        press(&mut model, "c");
        let effects = press(&mut model, &format!("{keys}<enter>"));
        assert_eq!(effects, [Effect::Connect(wish)], "{keys}");
    }
}

#[test]
fn a_base_url_typed_into_the_picker_goes_into_its_form_and_its_token_beside_it() {
    let mut model = model();
    press(&mut model, "c");
    // As the dialog invites: a URL, Tab, its token, Enter.
    let effects = press(&mut model, "http://127.0.0.1:9/api<tab>canary<enter>");
    assert_eq!(effects, [Effect::Connect(other("http://127.0.0.1:9/api", "canary"))]);
    // Nothing of it is the open store's.
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::UseToken(_))));
    assert!(!format!("{:?}", model.overlay).contains("canary"));
}

#[test]
fn what_no_store_has_goes_into_the_form_and_is_not_dropped() {
    for (keys, focus) in [("<enter>", UrlField::Url), ("<tab>", UrlField::Token), ("<down>", UrlField::Token)] {
        let mut model = model();
        press(&mut model, &format!("cplants.example{keys}"));
        assert_eq!((form(&model).url.text(), form(&model).focus), ("plants.example", focus), "{keys}");
        press(&mut model, "<esc>");
        assert_eq!((picker(&model).text.text(), marked(&model)), ("", Entry::Known(0)));
    }
    let mut model = model();
    press(&mut model, "c");
    update(&mut model, Msg::Paste("HTTPS://plants.example/api\n".to_owned()));
    assert_eq!(form(&model).url.text(), "HTTPS://plants.example/api");
}

#[test]
fn stores_used_before_are_offered_newest_first_and_lead_to_the_form() {
    let mut model = model();
    press(&mut model, "c<down>");
    recent(&mut model, &["https://new.example", ELSEWHERE, "http://127.0.0.1:4000/api/", "https://old.example"]);
    let offered = model.offered_stores(picker(&model));
    let all = [Entry::Known(0), Entry::Known(1), Entry::Recent(0), Entry::Recent(3), Entry::Known(2), Entry::BaseUrl];
    assert_eq!(offered, all, "those with a name stand there once");
    assert_eq!(marked(&model), Entry::Known(1), "what was marked stays so");
    press(&mut model, "<down><enter>");
    assert_eq!((form(&model).url.text(), form(&model).focus), ("https://new.example", UrlField::Token));
    assert_eq!(press(&mut model, "<enter>"), []);
    let (field, why) = fault(&model);
    assert!(field == UrlField::Token && why.contains("no token is typed for https://new.example"), "{why}");
    let effects = press(&mut model, "canary<enter>");
    assert_eq!(effects, [Effect::Connect(other("https://new.example", "canary"))]);
}

#[test]
fn what_is_no_base_url_is_said_beside_the_field_and_nothing_is_lost() {
    for (typed, words) in [
        ("plants.example", "not a base URL"),
        ("ftp://plants.example", "http or https"),
        ("https://u:p@plants.example", "user name or password"),
        ("https://plants.example?x", "remove the ?query"),
        ("https://plants.example#x", "remove the #fragment"),
        ("http://10.0.0.2", "--allow-http"),
        ("", "not a base URL"),
    ] {
        let mut model = model();
        let keys = format!("c<down><down><down><enter>{typed}<tab>canary<enter>");
        assert_eq!(press(&mut model, &keys).len(), 1, "{typed}: only the picker's own question");
        let (field, why) = fault(&model);
        assert!(field == UrlField::Url && why.contains(words), "{typed}: {why}");
        assert_eq!((form(&model).url.text(), form(&model).secret.text()), (typed, "canary"));
    }
    let mut model = model();
    press(&mut model, "chttp://x y<enter><backspace>");
    assert_eq!(form(&model).fault, None, "mended, it is no fault any more");
}

#[test]
fn what_is_no_token_is_said_beside_the_field_and_names_the_store() {
    for (typed, words) in [
        ("", "no token is typed for https://new.example"),
        ("two words", "space"),
        ("https://other.example", "that is a URL and no token for https://new.example"),
    ] {
        let mut model = model();
        press(&mut model, &format!("chttps://new.example<tab>{typed}<enter>"));
        let (field, why) = fault(&model);
        assert!(field == UrlField::Token && why.contains(words), "{typed}: {why}");
        assert_eq!(model.connecting, None);
    }
}

#[test]
fn started_read_only_no_store_asks_for_a_token() {
    let mut model = model();
    for store in &mut model.known {
        store.read_only = true;
    }
    let wish = Wish::BaseUrl(OtherStore { url: "http://10.0.0.2".parse().unwrap(), token: None });
    press(&mut model, "c");
    assert_eq!(press(&mut model, "http://10.0.0.2<tab><enter>"), [Effect::Connect(wish)]);
}

#[test]
fn replacing_the_token_is_its_own_action_and_names_the_store() {
    let mut model = model();
    press(&mut model, "T");
    let Some(Overlay::Token(prompt)) = &model.overlay else { panic!("the token is asked for") };
    assert!(prompt.why[0].starts_with("http://127.0.0.1:4000/api asks for"), "{:?}", prompt.why);
    assert_eq!(press(&mut model, "two words<enter>"), []);
    assert!(!format!("{:?}", model.overlay).contains("two"));
    let token = Token::new("canary").unwrap();
    assert_eq!(press(&mut model, "<c-u>canary<enter>"), [Effect::UseToken(token)]);
    let said = model.happened.as_ref().map(|happened| happened.text.clone()).unwrap();
    assert!(said.starts_with("Token set for http://127.0.0.1:4000/api, for this session;"), "{said}");
    assert_eq!((model.overlay, model.facts.origin), (None, 1));
}

#[test]
fn the_palette_finds_it_by_login_and_by_token_and_a_profile_by_its_name() {
    for (word, names) in [("login", &["replace-token"][..]), ("replace token", &["replace-token"])] {
        let mut model = model();
        press(&mut model, &format!(":{word}"));
        let Some(Overlay::Palette(palette)) = &model.overlay else { panic!("the palette is not open") };
        let found: Vec<_> = model.offers(palette).iter().map(|offer| offer.binding.name).collect();
        assert_eq!(found, names, "{word}");
    }
    let mut model = model();
    press(&mut model, ":save as profile<enter>");
    assert!(matches!(model.overlay, Some(Overlay::Profile(_))));
}

#[test]
fn a_store_that_was_opened_by_its_url_is_on_offer_as_the_open_one() {
    let mut model = model();
    press(&mut model, "chttps://elsewhere.example/x<tab>canary<enter>");
    let facts = Facts { store: "https://elsewhere.example/x".parse().unwrap(), ..arrival().facts };
    let _ = arrives(&mut model, Arrival { facts, ..arrival() });
    press(&mut model, "c");
    assert_eq!(marked(&model), Entry::Open);
    press(&mut model, "<enter>");
    assert!(fault_of_picker(&model).starts_with("https://elsewhere.example/x is open already"));
    // What has died comes back with the token that it has now.
    press(&mut model, "<esc>Tanother<enter>");
    update(&mut model, Msg::CourierDied("boom".to_owned()));
    let again = press(&mut model, "c<enter>");
    assert_eq!(again, [Effect::FindStores, Effect::Connect(other("https://elsewhere.example/x", "another"))]);
}

#[test]
fn a_store_that_cannot_be_opened_leaves_everything_as_it_was() {
    let mut model = model();
    press(&mut model, "chttp://127.0.0.1:9<tab>canary<enter>");
    assert!(model.connecting.is_some());
    // Meanwhile nothing of it changes.
    assert_eq!(press(&mut model, "x<tab><enter>"), []);
    let _ = update(&mut model, Msg::Connected(Err("the disk is full".to_owned())));
    assert_eq!(fault(&model), (UrlField::Url, "http://127.0.0.1:9 was not opened: the disk is full"));
    assert_eq!((model.connecting.is_some(), form(&model).url.text()), (false, "http://127.0.0.1:9"));
    assert_eq!((model.table.window.total, model.facts.origin), (1, 1));
}

#[test]
fn esc_gives_up_waiting_and_what_comes_late_is_not_wanted() {
    for key in ["<esc>", "<c-c>"] {
        let mut model = model();
        press(&mut model, "c<down><enter>");
        assert_eq!(press(&mut model, key), [Effect::StopConnecting]);
        assert_eq!((model.connecting.is_some(), marked(&model)), (false, Entry::Known(1)));
        assert_eq!(arrives(&mut model, arrival()), []);
        assert_eq!((press(&mut model, "<esc>"), model.overlay.is_none()), (Vec::new(), true));
        assert_eq!(arrives(&mut model, arrival()), []);
        assert_eq!(model.facts.origin, 1);
    }
}

#[test]
fn nobody_goes_elsewhere_while_something_is_in_flight() {
    let mut model = model();
    let fern = sent(&press(&mut model, "aFern<tab><tab>t<enter>")).remove(0);
    press(&mut model, "c");
    assert_eq!(model.overlay, None);
    let words = "c does nothing now: something is in flight: wait for it, or cancel it.";
    assert_eq!(model.happened.as_ref().map(|happened| happened.text.as_str()), Some(words));
    update(&mut model, answered(&fern, 201));
    press(&mut model, "c<down><enter>");
    // However it got there in between.
    model.flights.push(super::super::Flight { operation: fern, name: None, cancelled: false, is_sample: false });
    assert_eq!(arrives(&mut model, arrival()), []);
    assert_eq!(fault_of_picker(&model), "something is in flight: wait for it, or cancel it");
    assert_eq!(model.facts.origin, 1);
}

#[test]
fn what_is_let_go_is_asked_about_first_and_the_safe_answer_comes_first() {
    let mut model = model();
    let fern = sent(&press(&mut model, "aFern<tab><tab>t<enter>")).remove(0);
    update(&mut model, failed(&fern, FailureKind::NotConnected));
    assert_eq!(press(&mut model, "c<down><enter>"), [Effect::FindStores]);
    assert_eq!(dialog(&model).lines, ["1 operation was not sent and would be let go."]);
    assert_eq!(dialog(&model).act(), Act::Leave);
    // Left, the dialog is as it was.
    assert_eq!(press(&mut model, "<enter>"), []);
    assert_eq!((marked(&model), &model.connecting), (Entry::Known(1), &None));
    press(&mut model, "<enter>");
    assert!(dialog(&model).answers[1].hint.contains("elsewhere (https://elsewhere.example)"), "it says which one");
    assert_eq!(press(&mut model, "<tab><enter>"), [Effect::Connect(elsewhere())]);
    assert_eq!(model.connecting, Some(elsewhere()));
    let _ = arrives(&mut model, arrival());
    assert_eq!((model.unsent.len(), model.facts.origin), (0, 2));
}

#[test]
fn leaving_the_demo_says_that_its_plants_end_with_it() {
    let mut model = Model::new(Facts { demo: true, ..facts() }, KeyTable::default(), true);
    model.known = known();
    let _ = model.begin(Vec::new());
    update(&mut model, window(&[row(1, State::Stored), row(2, State::Unknown)]));
    press(&mut model, "c");
    assert_eq!(marked(&model), Entry::Known(2));
    press(&mut model, "<up><enter>");
    let told = &dialog(&model).lines;
    assert!(
        matches!(told.as_slice(), [one] if one.starts_with("2 plants are in the demo store, which ends")),
        "{told:?}"
    );
}

#[test]
fn another_store_begins_anew_and_what_is_the_persons_own_stays() {
    let mut model = model();
    let fern = sent(&press(&mut model, "aFern<tab><tab>t<enter>")).remove(0);
    update(&mut model, answered(&fern, 201));
    press(&mut model, " m2aIvy<esc>");
    model.notices.push_back(Notice::new("Read me.".to_owned()));
    model.unsettled.insert(PlantId(3));
    update(&mut model, Msg::Drawn(Drawn { page: 20, ..Drawn::default() }));
    press(&mut model, "c<down><enter>");
    let effects = arrives(&mut model, arrival());
    assert!(
        matches!(effects.as_slice(), [Effect::Switch, Effect::Load(_), Effect::Log(_), Effect::Pulse(_)]),
        "{effects:?}"
    );
    assert_eq!((model.facts.store.to_string().as_str(), model.facts.origin, &model.here), (ELSEWHERE, 2, &elsewhere()));
    assert_eq!((model.room, model.mouse, model.drafts.len(), model.known.len()), (Room::Exchanges, false, 1, 3));
    let notices: Vec<_> = model.notices.iter().map(|notice| notice.text.as_str()).collect();
    assert_eq!(notices, ["Read me.", "In doubt there."]);
    assert!(model.table.window.rows.is_empty() && !model.table.is_read && model.table.marked.is_empty());
    assert!(model.story.is_none() && model.unsettled.is_empty() && model.log.lines.is_empty());
    assert_eq!((model.overlay.as_ref(), model.drawn), (None, Drawn::default()));
    // The next operation has a name that the one before never had.
    let next = sent(&press(&mut model, "a<enter><enter>"));
    assert_eq!(next.iter().map(|operation| operation.id).collect::<Vec<_>>(), [OperationId { origin: 2, number: 1 }]);
    assert_eq!(next[0].ask.plant().map(|plant| plant.name.as_str()), Some("Ivy"), "the draft");
}

#[test]
fn a_store_without_a_token_asks_for_it_and_a_read_only_one_for_none() {
    let mut model = model();
    press(&mut model, "c<down><enter>");
    let _ = arrives(&mut model, Arrival { token_held: false, ..arrival() });
    assert!(matches!(&model.overlay, Some(Overlay::Token(prompt)) if prompt.why[0].starts_with(ELSEWHERE)));
    press(&mut model, "<esc>c<up>");
    assert_eq!(marked(&model), Entry::Known(0), "the store is open, so there is one above");
    press(&mut model, "<enter>");
    let facts = Facts { read_only: true, ..arrival().facts };
    let _ = arrives(&mut model, Arrival { facts, token_held: false, ..arrival() });
    assert_eq!(model.overlay, None);
    press(&mut model, "T");
    assert_eq!(model.overlay, None);
    let said = model.happened.as_ref().map(|happened| happened.text.as_str());
    assert_eq!(said, Some("T does nothing now: read-only: nothing that writes is sent."));
}

#[test]
fn the_demos_samples_go_out_one_after_another() {
    let mut model = model();
    press(&mut model, "c<down><down><enter>");
    let sample = |id| Plant { name: "sample".into(), id: PlantId(id), tag: String::new() };
    let facts = Facts { demo: true, ..arrival().facts };
    let effects = arrives(&mut model, Arrival { facts, samples: vec![sample(1), sample(2)], ..arrival() });
    assert_eq!(sent(&effects).iter().map(|operation| operation.ask.plant_id().0).collect::<Vec<_>>(), [1]);
}

#[test]
fn a_connection_made_anew_brings_back_what_has_died() {
    let mut model = model();
    update(&mut model, Msg::CourierDied("boom".to_owned()));
    assert_eq!(press(&mut model, "c<enter>"), [Effect::FindStores, Effect::Connect(Wish::Start)]);
    let _ = arrives(&mut model, arrival());
    assert!(model.courier_alive);
}

#[test]
fn the_mouse_goes_to_a_line_and_takes_it_with_the_second_click() {
    let mut model = model();
    press(&mut model, "c");
    let click = |model: &mut Model, target| update(model, Msg::Clicked(target));
    assert_eq!(click(&mut model, Target::Line(1)), []);
    assert_eq!(marked(&model), Entry::Known(1));
    assert_eq!(click(&mut model, Target::Line(1)), [Effect::Connect(elsewhere())]);
    assert_eq!(click(&mut model, Target::Line(2)), []);
    press(&mut model, "<esc>https://x<enter>");
    click(&mut model, Target::UrlField(UrlField::Url));
    assert_eq!(form(&model).focus, UrlField::Url);
}

mod profile {
    use super::*;
    use crate::app::profile::{ProfileForm, ProfileLine};
    use crate::config::new_profile::{NewProfile, NotTaken, TokenFrom};

    #[track_caller]
    fn form(model: &Model) -> &ProfileForm {
        match &model.overlay {
            Some(Overlay::Profile(form)) => form,
            other => panic!("the form is not open, but {other:?}"),
        }
    }

    fn new(name: &str, token: TokenFrom) -> NewProfile {
        NewProfile { name: name.to_owned(), base_url: facts().store, token }
    }

    fn saved(model: &mut Model, profile: NewProfile, written: Result<(), NotTaken>) {
        update(model, Msg::ProfileSaved(Box::new(profile), "/c.toml".into(), written));
    }

    #[test]
    fn each_source_is_written_and_never_a_token() {
        let words = ["pass", "show", "plants"].map(str::to_owned).to_vec();
        for (keys, token) in [
            ("", TokenFrom::Ask),
            ("<tab> <tab>TOKEN", TokenFrom::Variable("TOKEN".to_owned())),
            ("<tab><right><right><tab>~/token", TokenFrom::File("~/token".to_owned())),
            ("<tab><left><tab>pass show  plants", TokenFrom::Command(words)),
        ] {
            let mut model = model();
            press(&mut model, "Pmine");
            let effects = press(&mut model, &format!("{keys}<enter>"));
            assert_eq!(effects, [Effect::SaveProfile(Box::new(new("mine", token)), false)], "{keys}");
        }
    }

    #[test]
    fn what_is_invalid_is_said_beside_its_line() {
        for (keys, line, words) in [
            ("<enter>", ProfileLine::Name, "needs a name"),
            ("two words<enter>", ProfileLine::Name, "letters, digits"),
            ("mine<tab> <tab>$X<enter>", ProfileLine::Value, "without $"),
            ("mine<tab>x", ProfileLine::Source, "left, right or Space"),
        ] {
            let mut model = model();
            assert_eq!(press(&mut model, &format!("P{keys}")), [], "{keys}");
            let fault = form(&model).fault.as_ref().unwrap();
            assert!(fault.0 == line && fault.1.contains(words), "{keys}: {fault:?}");
        }
    }

    #[test]
    fn one_that_is_there_is_replaced_on_a_second_enter_alone() {
        let mut model = model();
        press(&mut model, "Pmine<enter>");
        saved(&mut model, new("mine", TokenFrom::Ask), Err(NotTaken::Exists));
        assert_eq!(form(&model).exists.as_deref(), Some("mine"));
        let replaces = [Effect::SaveProfile(Box::new(new("mine", TokenFrom::Ask)), true)];
        assert_eq!(press(&mut model, "<enter>"), replaces);
        // Another name is another question.
        saved(&mut model, new("mine", TokenFrom::Ask), Err(NotTaken::Exists));
        let keeps = [Effect::SaveProfile(Box::new(new("mines", TokenFrom::Ask)), false)];
        assert_eq!(press(&mut model, "s<enter>"), keeps);
    }

    #[test]
    fn a_saved_one_is_on_offer_and_names_a_store_that_was_opened_by_its_url() {
        let mut model = model();
        press(&mut model, &format!("c{ELSEWHERE}/y<tab>canary<enter>"));
        let facts = Facts { store: format!("{ELSEWHERE}/y").parse().unwrap(), ..arrival().facts };
        let profile = NewProfile { base_url: facts.store.clone(), ..new("mine", TokenFrom::Variable("X".to_owned())) };
        let _ = arrives(&mut model, Arrival { facts, ..arrival() });
        press(&mut model, "Pmine<tab> <tab>X<enter>");
        saved(&mut model, profile, Ok(()));
        assert_eq!((model.overlay.as_ref(), model.facts.profile.as_deref()), (None, Some("mine")));
        let said = model.happened.as_ref().map(|happened| happened.text.clone()).unwrap();
        let words = "Saved profile mine (https://elsewhere.example/y) in /c.toml; its token comes from $X.";
        assert!(said.starts_with(words), "{said}");
        press(&mut model, "c");
        assert_eq!(marked(&model), Entry::Known(2));
    }

    #[test]
    fn where_the_file_takes_nothing_the_lines_are_shown() {
        let mut model = model();
        press(&mut model, "Pmine<enter>");
        let why = NotTaken::Other("read-only file system".to_owned());
        saved(&mut model, new("mine", TokenFrom::Ask), Err(why));
        let (why, lines) = form(&model).by_hand.clone().unwrap();
        assert_eq!(why, "read-only file system");
        assert_eq!(lines, ["[profile.mine]", "base_url = \"http://127.0.0.1:4000/api\""]);
    }

    #[test]
    fn the_demo_store_is_not_saved() {
        let mut model = Model::new(Facts { demo: true, ..facts() }, KeyTable::default(), true);
        press(&mut model, "P");
        assert_eq!(model.overlay, None);
    }
}
