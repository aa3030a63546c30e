//! The connection dialog: which wishes it grants, what it asks first, and what another store
//! leaves of the one before.

use super::*;
use crate::app::connection::{ConnectionForm, Entry};
use crate::app::{Arrival, Notice, Room, Target};
use crate::config::{KnownStore, Wish};

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

fn arrival() -> Arrival {
    let facts = Facts { store: ELSEWHERE.parse().unwrap(), origin: 2, ..facts() };
    Arrival { facts, token_held: true, notices: vec![Notice::new("In doubt there.".to_owned())], samples: Vec::new() }
}

fn arrives(model: &mut Model, arrival: Arrival) -> Vec<Effect> {
    update(model, Msg::Connected(Ok(Box::new(arrival))))
}

#[track_caller]
fn form(model: &Model) -> &ConnectionForm {
    match &model.overlay {
        Some(Overlay::Connection(form)) => form,
        other => panic!("the connection dialog is not open, but {other:?}"),
    }
}

#[track_caller]
fn fault(model: &Model) -> (Entry, &str) {
    let (entry, why) = form(model).fault.as_ref().expect("a fault");
    (*entry, why)
}

#[test]
fn it_opens_on_the_store_that_is_open_and_walks_through_the_others() {
    let mut model = model();
    press(&mut model, "c");
    assert_eq!(form(&model).focus, Entry::Known(0));
    assert_eq!(press(&mut model, "<enter>"), []);
    assert_eq!(fault(&model), (Entry::Known(0), "this store is open already"));
    let mut seen = Vec::new();
    for _ in 0..5 {
        press(&mut model, "<tab>");
        seen.push(form(&model).focus);
    }
    assert_eq!(seen, [Entry::Known(1), Entry::Known(2), Entry::BaseUrl, Entry::Token, Entry::Known(0)]);
    press(&mut model, "<up>");
    assert_eq!(form(&model).focus, Entry::Token);
}

#[test]
fn each_entry_leads_where_it_says() {
    for (keys, wish) in [
        ("<down>", elsewhere()),
        ("<down><down>", Wish::Demo),
        ("<down><down><down>http://127.0.0.1:9", Wish::BaseUrl("http://127.0.0.1:9".to_owned())),
    ] {
        let mut model = model();
        let effects = press(&mut model, &format!("c{keys}<enter>"));
        assert_eq!(effects, [Effect::Connect(wish)], "{keys}");
    }
}

#[test]
fn what_is_no_base_url_is_refused_beside_the_field_and_nothing_is_lost() {
    for (typed, words) in [
        ("plants.example", "not a base URL"),
        ("ftp://plants.example", "http or https"),
        ("https://u:p@plants.example", "user name or password"),
        ("https://plants.example?x", "remove the ?query"),
        ("https://plants.example#x", "remove the #fragment"),
        ("", "not a base URL"),
    ] {
        let mut model = model();
        assert_eq!(press(&mut model, &format!("c<up><up>{typed}<enter>")), [], "{typed}");
        let (entry, why) = fault(&model);
        assert!(entry == Entry::BaseUrl && why.contains(words), "{typed}: {why}");
        assert_eq!(form(&model).base_url.text(), typed);
    }
    let mut model = model();
    press(&mut model, "c<up><up>x<enter><backspace>");
    assert_eq!(form(&model).fault, None, "mended, it is no fault any more");
}

#[test]
fn a_new_token_is_used_without_another_connection() {
    let mut model = model();
    assert_eq!(press(&mut model, "c<up>two words<enter>"), []);
    assert!(matches!(fault(&model), (Entry::Token, why) if why.contains("space")));
    assert!(!format!("{:?}", model.overlay).contains("two"));
    let token = crate::client::Token::new("canary").unwrap();
    assert_eq!(press(&mut model, "<c-u>canary<enter>"), [Effect::UseToken(token)]);
    assert_eq!((model.overlay, model.facts.origin), (None, 1));
}

#[test]
fn a_store_that_cannot_be_opened_leaves_everything_as_it_was() {
    let mut model = model();
    press(&mut model, "c<up><up>http://10.0.0.9<enter>");
    assert_eq!(form(&model).connecting, Some(Entry::BaseUrl));
    // Meanwhile nothing of it changes.
    assert_eq!(press(&mut model, "x<tab><enter>"), []);
    let _ = update(&mut model, Msg::Connected(Err("in clear".to_owned())));
    assert_eq!(fault(&model), (Entry::BaseUrl, "in clear"));
    assert_eq!((form(&model).connecting, form(&model).base_url.text()), (None, "http://10.0.0.9"));
    assert_eq!((model.table.window.total, model.facts.origin), (1, 1));
}

#[test]
fn esc_gives_up_waiting_and_what_comes_late_is_not_wanted() {
    for key in ["<esc>", "<c-c>"] {
        let mut model = model();
        press(&mut model, "c<down><enter>");
        assert_eq!(press(&mut model, key), [Effect::StopConnecting]);
        assert_eq!(form(&model).connecting, None);
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
    assert_eq!(fault(&model), (Entry::Known(1), "something is in flight: wait for it, or cancel it"));
    assert_eq!(model.facts.origin, 1);
}

#[test]
fn what_is_let_go_is_asked_about_first_and_the_safe_answer_comes_first() {
    let mut model = model();
    let fern = sent(&press(&mut model, "aFern<tab><tab>t<enter>")).remove(0);
    update(&mut model, failed(&fern, FailureKind::NotConnected));
    assert_eq!(press(&mut model, "c<down><enter>"), []);
    assert_eq!(dialog(&model).lines, ["1 operation was not sent and would be let go."]);
    assert_eq!(dialog(&model).act(), Act::Leave);
    // Left, the dialog is as it was.
    assert_eq!(press(&mut model, "<enter>"), []);
    assert_eq!((form(&model).focus, form(&model).connecting), (Entry::Known(1), None));
    assert_eq!(press(&mut model, "<enter><tab><enter>"), [Effect::Connect(elsewhere())]);
    assert_eq!(form(&model).connecting, Some(Entry::Known(1)));
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
    assert_eq!(form(&model).focus, Entry::Known(2));
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
    assert_eq!(form(&model).focus, Entry::Known(0), "the store is open, so there is one above");
    press(&mut model, "<enter>");
    let facts = Facts { read_only: true, ..arrival().facts };
    let _ = arrives(&mut model, Arrival { facts, token_held: false, ..arrival() });
    assert_eq!(model.overlay, None);
    press(&mut model, "c");
    assert!(!model.connection_entries().contains(&Entry::Token));
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
    assert_eq!(press(&mut model, "c<enter>"), [Effect::Connect(Wish::Start)]);
    let _ = arrives(&mut model, arrival());
    assert!(model.courier_alive);
}

#[test]
fn the_mouse_goes_to_an_entry_and_takes_it_with_the_second_click() {
    let mut model = model();
    press(&mut model, "c");
    let click = |model: &mut Model, entry| update(model, Msg::Clicked(Target::Entry(entry)));
    assert_eq!(click(&mut model, Entry::Known(1)), []);
    assert_eq!(form(&model).focus, Entry::Known(1));
    // A field is typed into, not taken.
    assert_eq!([click(&mut model, Entry::BaseUrl), click(&mut model, Entry::BaseUrl)], [[], []]);
    click(&mut model, Entry::Known(1));
    assert_eq!(click(&mut model, Entry::Known(1)), [Effect::Connect(elsewhere())]);
    assert_eq!(click(&mut model, Entry::Known(2)), []);
}

#[test]
fn a_paste_onto_a_store_goes_nowhere() {
    let mut model = model();
    press(&mut model, "c");
    update(&mut model, Msg::Paste("canary".to_owned()));
    assert_eq!((form(&model).base_url.text(), form(&model).secret.text()), ("", ""));
}
