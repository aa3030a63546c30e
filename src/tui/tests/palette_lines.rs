//! Lines of the command language in the palette.

use super::palette::{lines, new_app};
use super::resolving::unresolved;
use super::tabs::stored;
use super::*;
use crate::config::OpenStore;
use crate::domain::LocalTime;
use crate::domain::filter::List;
use crate::journal::{Column, StoredExchange};
use crate::tui::message::CommandOutput;
use crate::tui::ui_effect::Tab;

#[test]
fn a_whole_line_is_carried_out_as_in_a_shell() {
    let mut app = new_app();
    press(&mut app, ":add Ficus --tag 'in door' --id 9");
    assert!(dialog(&app).marked().ends_with("does the same as in a shell"), "{:#?}", dialog(&app));
    let plant = Plant { name: "Ficus".into(), id: PlantId(9), tag: "in door".into() };
    assert_eq!(sent(&press(&mut app, "<enter>"))[0].kind, OperationKind::add(plant));
    // What is missing is asked for, and so is what is probably a slip.
    press(&mut app, ":add Ficus --id 7 --tag t<enter>");
    assert_eq!(app.typed().unwrap(), ["Ficus", "7", "t"]);
    press(&mut app, "<esc>:add --tag t<enter>");
    assert_eq!(app.typed().unwrap()[2], "t");
    press(&mut app, "<esc>");
    assert_eq!(press(&mut app, ":delete 7 fern ivy --yes<enter>").len(), 1);
    press(&mut app, "<esc>:delete tag:x --yes<enter>");
    assert_eq!(status_line(&app), "No plant in the list is called tag:x; did you mean --match tag:x?");
    // Several are asked about together, as they are when they have been read.
    let effects = press(&mut app, "<esc>:rm 7 71<enter>");
    assert_eq!(effects, [Effect::FindListed(vec![PlantId(7), PlantId(71)])]);
    app.update(listed(&[PlantId(7), PlantId(71)], &[named(7, "Fern"), named(71, "Ivy")]));
    assert_eq!(title_of(&app), "Delete these 2 plants?");
    // Those that are not in the list can be deleted, too.
    press(&mut app, "<esc>:rm 3 4<enter>");
    app.update(listed(&[PlantId(3), PlantId(4)], &[]));
    assert!(dialog(&app).says("2 of them are not in the list"), "{:#?}", dialog(&app));
    press(&mut app, "<esc>");
    // Another plant with this name may not be on screen.
    let Msg::Window(asked, Ok(mut found)) = window(&[named(71, "Ivy")]) else { unreachable!("it is a window") };
    found.tally.stored = 2;
    app.update(Msg::Window(asked, Ok(found)));
    assert_eq!(press(&mut app, ":delete ivy --yes<enter>"), []);
    assert!(status_line(&app).contains("several may be called ivy: type an id."), "{}", status_line(&app));
    let mut app = new_app();
    let operations = sent(&answered(&mut app, "delete 71 --yes", listed(&[PlantId(71)], &[named(71, "Ivy")])));
    assert_eq!(operations[0].kind, OperationKind::Delete(PlantId(71)));
}

#[test]
fn a_whole_name_means_the_plant_with_it_and_a_part_is_completed_first() {
    let mut app = new_app();
    app.update(window(&[named(3, "Primrose"), named(4, "Tomato"), named(7, "Rose")]));
    assert_eq!(press(&mut app, ":delete --yes rose<enter>"), [Effect::FindListed(vec![PlantId(7)])]);
    app.update(listed(&[PlantId(7)], &[named(7, "Rose")]));
    assert_eq!(press(&mut app, ":resolve --delete --yes oma<enter>"), []);
    assert_eq!(app.typed().unwrap(), ["resolve --delete --yes 4"]);
    assert_eq!(press(&mut app, "<enter>"), [Effect::FindListed(vec![PlantId(4)])]);
    // With a question, a part is enough.
    assert_eq!(press(&mut app, "<esc>:delete oma<enter>"), [Effect::FindListed(vec![PlantId(4)])]);
    app.update(window(&[named(7, "Rose"), named(8, "rose")]));
    assert_eq!(press(&mut app, "<esc>:delete --yes rose<enter>"), []);
    assert!(status_line(&app).contains("Several plants are called rose"), "{}", status_line(&app));
}

#[test]
fn the_mark_stays_on_its_line_when_others_come_before_it() {
    let mut app = new_app();
    let rows: Vec<_> = (10..=13).map(|id| row(id, State::Stored)).collect();
    app.update(window(&rows));
    press(&mut app, ":delete --yes <down><down>");
    let marked = dialog(&app).marked().to_owned();
    app.update(window(&[vec![row(1, State::Stored)], rows.clone()].concat()));
    assert_eq!(dialog(&app).marked(), marked);
    press(&mut app, "<enter>");
    assert_eq!(app.typed().unwrap(), ["delete --yes 11"]);
    // A line that is gone is not taken by the one in its place.
    let mut app = new_app();
    app.update(window(&rows));
    press(&mut app, ":delete --yes <down><down>");
    app.update(window(&[rows[0].clone(), rows[2].clone()]));
    assert_eq!(press(&mut app, "<enter>"), []);
    assert!(status_line(&app).contains("Nothing is marked yet"), "{}", status_line(&app));
}

#[test]
fn a_plant_whose_id_was_not_shown_to_be_taken_is_compared_by_the_journal() {
    let mut app = new_app();
    let line = ":add X --id 2000 --tag t<enter>";
    let operation = sent(&press(&mut app, line)).remove(0);
    assert_eq!(operation.seen.as_deref(), Some(&crate::domain::Seen::NotListed));
    app.update(overtaken(&operation));
    assert_eq!(app.typed().unwrap(), ["X", "2000", "t"], "the form has what was typed");
    // After a warning the person has decided.
    let operation = sent(&press(&mut app, "<esc>aX<tab><c-u>7<tab>t<enter><enter>")).remove(0);
    assert_eq!(operation.seen, None);
}

#[test]
fn a_line_shows_lists_and_requests() {
    let mut app = new_app();
    press(&mut app, "3:list tag:desert --sort -since<enter>");
    assert_eq!((app.cx.display.tab, app.cx.session.plants.filter.text()), (Tab::Plants, "tag:desert"));
    assert_eq!((app.cx.session.plants.column, app.cx.session.plants.descending), (Column::Since, true));
    assert_eq!(press(&mut app, ":history 42<enter>").last(), Some(&Effect::Inspect(42)));
    assert_eq!(app.cx.display.tab, Tab::History);
    app.update(Msg::Inspected(42, Ok(None)));
    assert!(message(&app).unwrap().contains("no request #42"), "{:?}", message(&app));
    // A query is asked about, and neither filters the list nor marks plants.
    let filter = List::Plants.parse("tag:desert", &LocalTime::default()).0;
    let found = press(&mut app, "1<esc>:delete --match tag:desert<enter>");
    assert!(found.iter().any(|effect| matches!(effect, Effect::FindFitting(wanted, _) if *wanted == filter)));
    let rows = [row(3, State::Stored), row(4, State::Stored)];
    let effects = app.update(Msg::Fitting(filter.clone(), Ok(rows.to_vec())));
    assert!(effects.contains(&Effect::FindListed(vec![PlantId(3), PlantId(4)])), "{effects:?}");
    app.update(listed(&[PlantId(3), PlantId(4)], &rows));
    assert!(dialog(&app).says("sends 2 deletes"), "{:#?}", dialog(&app));
    assert_eq!((app.cx.session.plants.filter.text(), app.cx.session.plants.marked.len()), ("", 0));
    press(&mut app, "<esc>:resolve --match tag:desert<enter>");
    app.update(Msg::Fitting(filter, Ok(Vec::new())));
    assert!(message(&app).unwrap().contains("No plant in the list matches"), "{:?}", message(&app));
    press(&mut app, ":delete --match tag:<enter>");
    assert!(message(&app).unwrap().contains("tag: has no value"), "{:?}", message(&app));
    press(&mut app, ":delete 'oak tree' 3<enter>");
    assert!(message(&app).unwrap().contains("called oak tree"), "{:?}", message(&app));
}

#[test]
fn what_cannot_be_done_says_why_and_movements_come_last() {
    let mut app = new_app();
    assert_eq!(press(&mut app, ":w<enter>"), []);
    assert!(dialog(&app).says("There is nothing to save") && app.cx.display.tab == Tab::Plants, "{:#?}", dialog(&app));
    press(&mut app, "<c-u>pa");
    let listed = lines(&app);
    let at = |word: &str| listed.iter().position(|line| line.contains(word)).unwrap_or(usize::MAX);
    assert!(at("pane") < at("page down") && at("page down") < usize::MAX, "{listed:#?}");
}

#[test]
fn what_has_no_screen_is_done_in_the_background_or_says_where() {
    let mut app = new_app();
    let lines = [
        "journal verify 'a copy.db'",
        "team status --json",
        "journal trim --older-than 90d --yes",
        "paths",
        "profile use staging",
        "delete 7 --dry-run",
        "export x.csv --match tag:a",
        "history 1 --as curl",
        "list -n 2",
        "export -",
        "list --json",
        "check --only create-accepted --yes",
    ];
    for line in lines {
        let words = shlex::split(line).unwrap();
        let here = app.cx.session.stores.here.clone();
        let open = OpenStore { url: info().store, profile: None, read_only: false, token: Some(token()) };
        let open =
            (!["journal verify", "paths", "profile"].iter().any(|verb| line.starts_with(verb))).then(|| open.into());
        let run = Effect::RunLine(words, here, open);
        assert_eq!(press(&mut app, &format!(":{line}<enter>")).last(), Some(&run), "{line}");
    }
    press(&mut app, "q");
    let quitting = "12 commands are running in the background. Quitting ends them. What may have reached the store";
    assert!(dialog(&app).says(quitting), "{:#?}", dialog(&app));
    for line in lines {
        app.update(line_ended(&format!("plants {line}")));
    }
    assert_eq!(press(&mut app, "<esc>q").last(), Some(&Effect::Quit));
    let mut app = new_app();
    for (line, said) in [
        ("journal restore a.db", "it needs the journal to itself: quit, and use a shell: plants journal"),
        ("team join", "it asks first: add --yes, or use a shell"),
        ("import - --dry-run", "only a shell has standard input: plants import -"),
        ("plants import - --dry-run", "standard input: plants import -"),
        ("add -", "only a shell has standard input: plants add -"),
        ("delete -", "standard input: plants delete -"),
        ("resolve -", "standard input: plants resolve -"),
        ("import -", "standard input: plants import -"),
        ("history --follow --json", "only Ctrl-C stops it with these options: use a shell: plants"),
        ("history --follow -n 5", "only Ctrl-C stops it with these options: use a shell: plants"),
        ("import a.csv --rate 5", "only Ctrl-C stops it with these options: use a shell"),
        ("delete 7 --verbose", "it asks first: add --yes"),
        ("check --gentle", "it asks first: add --yes, or use a shell: plants check"),
        ("team compact", "it asks first: add --yes, or use a shell: plants team compact"),
    ] {
        let effects = press(&mut app, &format!(":{line}<enter>"));
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::RunLine(..))), "{line}");
        assert!(message(&app).unwrap().contains(said), "{:?}", message(&app));
    }
    let mut app = App::new(StoreInfo { demo: true, ..info() }, Keymap::default(), Some(token()));
    let _ = app.begin(Vec::new());
    assert_eq!(press(&mut app, ":team status<enter>"), []);
    assert!(message(&app).unwrap().contains("the demo store has no journal on disk"), "{:?}", message(&app));
}

/// A line has ended, and printed nothing.
fn line_ended(name: &str) -> Msg {
    let printed = CommandOutput { name: name.to_owned(), printed: Vec::new(), cut_at: None, failure: None };
    Msg::LineEnded(name.to_owned(), Ok(Box::new(printed)))
}

#[test]
fn what_runs_in_the_background_is_cancelled_and_named_as_a_shell_reads_it() {
    for key in ["<esc>", "<c-c>"] {
        let mut app = new_app();
        press(&mut app, ":list tag:x 'a b' --json<enter>:paths<enter>");
        assert!(status_line(&app).starts_with("plants paths is running."), "{}", status_line(&app));
        press(&mut app, "q");
        let question = dialog(&app);
        assert!(question.says("2 commands are running in the background. Quitting ends them."), "{question:#?}");
        assert!(!question.says("may have reached the store"), "{question:#?}");
        press(&mut app, "<esc>");
        assert!(super::sorting::footer(&app).contains("Esc cancel the commands"));
        assert_eq!(press(&mut app, key), [Effect::CancelLines], "{key}");
        assert!(status_line(&app).contains("again ends it at once"), "{}", status_line(&app));
        assert!(super::sorting::footer(&app).contains("Esc end at once what is stopping"));
        assert_eq!(press(&mut app, key), [Effect::CancelLines], "{key}");
        app.update(line_ended("plants list tag:x 'a b' --json"));
        assert_eq!(status_line(&app), "plants list tag:x 'a b' --json was cancelled.");
        app.update(line_ended("plants paths"));
        assert_eq!(press(&mut app, "q"), [Effect::Quit]);
    }
}

#[test]
fn an_add_with_a_slip_opens_the_form_also_where_it_would_run_in_the_background() {
    for (line, texts) in [
        ("add Rose --id 2 --tag '' --json", ["Rose", "2", ""]),
        ("add Rose --id 7 --tag t --verbose", ["Rose", "7", "t"]),
        ("add 'Rose ' --next-id --tag t --json", ["Rose ", "72", "t"]),
        ("add Rose --json", ["Rose", "72", ""]),
    ] {
        let mut app = new_app();
        press(&mut app, &format!(":{line}"));
        assert!(dialog(&app).marked().ends_with("opens the form with it"), "{:#?}", dialog(&app));
        let effects = press(&mut app, "<enter>");
        assert!(!effects.iter().any(|effect| matches!(effect, Effect::RunLine(..) | Effect::Send(_))), "{effects:?}");
        assert_eq!(app.typed().unwrap(), texts, "{line}");
    }
    let mut app = new_app();
    let effects = press(&mut app, ":add Rose --id 2 --tag t --json<enter>");
    assert!(matches!(effects.as_slice(), [Effect::RunLine(words, ..)] if words.len() == 7), "{effects:?}");
    // The plant of an entry is read first.
    assert_eq!(press(&mut app, ":add --from 3 --tag u --json<enter>"), [Effect::Inspect(3)]);
    let called = Some(Details { name: "Fern".into(), tag: "t".into() });
    app.update(Msg::Inspected(3, Ok(Some(Box::new(StoredExchange { called, ..stored(3) })))));
    assert_eq!(app.typed().unwrap(), ["Fern", "3", "u"]);
    press(&mut app, "<esc>:add --from 4<enter>");
    app.update(Msg::Inspected(4, Ok(None)));
    assert_eq!(status_line(&app), "The history has no request #4.");
    // Nor does a form open that was left.
    press(&mut app, ":add --from 3<enter>2");
    app.update(Msg::Inspected(3, Ok(Some(Box::new(stored(3))))));
    assert!(!app.cx.display.has_dialog);
}

/// Returns the lines that the palette offers for what is typed.
fn offered(app: &mut App, typed: &str) -> Vec<String> {
    press(app, &format!(":{typed}"));
    // A hint has no key before it.
    let line = |row: &String| {
        let row: String = row.chars().skip(2).collect();
        let line = row.strip_prefix("           ")?.split("  ").next()?;
        Some(line.to_owned())
    };
    let offered = lines(app).iter().filter_map(line).collect();
    press(app, "<esc>");
    offered
}

#[test]
fn a_line_names_the_plants_that_it_is_about() {
    let mut app = new_app();
    let tagged =
        |id, name: &str, state| Row { details: Some(Details { name: name.into(), tag: "t".into() }), ..row(id, state) };
    let rows = [tagged(7, "Fern", State::Stored), tagged(8, "Ivy", State::Unknown), tagged(9, "Oak", State::Deleting)];
    app.update(window(&rows));
    for (typed, does) in [
        ("delete 7 8", "asks whether to delete Ivy (8) and 1 other"),
        ("delete 7 99", "asks whether to delete plant 99 and 1 other"),
        ("delete --match tag:t", "asks whether to delete Fern (7) and 1 other"),
        ("delete --match tag:t --yes", "deletes Fern (7) and 1 other"),
        ("delete --match tag:x", "does nothing: no plant in the list matches"),
        ("delete --match status:4xx", "asks whether to delete all that match"),
        // Not finished, and so it names no plant.
        ("delete --match tag<down>", "asks whether to delete all that match"),
        ("resolve --match tag:t", "asks how to resolve Ivy (8)"),
        ("resolve --all --stored", "asks whether to mark Ivy (8) as stored"),
        ("resolve 8 --resend --yes", "sends Ivy (8) again"),
        ("resolve --match tag:t --forget", "asks whether to forget Fern (7) and 1 other"),
    ] {
        press(&mut app, &format!(":{typed}"));
        assert!(dialog(&app).marked().ends_with(does), "{typed}: {:#?}", dialog(&app));
        press(&mut app, "<esc>");
    }
    // Of a list that is not loaded as a whole, the names are not known.
    let Msg::Window(asked, Ok(mut found)) = window(&rows) else { unreachable!("it is a window") };
    found.tally.stored = 9;
    app.update(Msg::Window(asked, Ok(found)));
    press(&mut app, ":delete --match tag:t");
    assert!(dialog(&app).marked().ends_with("asks whether to delete all that match"), "{:#?}", dialog(&app));
}

#[test]
fn a_line_is_completed_from_the_table_of_verbs() {
    let mut app = new_app();
    let details = |tag: &str| Some(Details { name: "Fern".into(), tag: tag.into() });
    let tagged = |id, tag| Row { details: details(tag), ..row(id, State::Stored) };
    app.update(window(&[tagged(7, "desert"), tagged(8, "in door"), tagged(9, "desert")]));
    for (typed, lines) in [
        ("add Fern --t", &["add Fern --tag"][..]),
        ("new Fern --tag d", &["new Fern --tag d", "new Fern --tag desert"]),
        ("new Fern --tag=i", &["new Fern --tag=i", "new Fern --tag='in door'"]),
        ("list tag:i", &["list tag:i", "list tag:\"in door\""]),
        ("history out", &["history out", "history outcome:"]),
        ("resolve --match state:u", &["resolve --match state:u", "resolve --match state:unknown"]),
        ("list --sort n", &["list --sort name"]),
        ("del 9", &["del 9"]),
        ("plants list --so", &["plants list --sort"]),
        ("list --js", &["list --json"]),
        ("conf", &["config", "theme NAME", "language NAME"]),
        ("journal v", &["journal verify"]),
        ("restore", &["journal restore"]),
        ("backup", &["journal backup"]),
        ("journal ", &["journal backup", "journal restore", "journal verify", "journal trim"]),
        ("profile s", &["profile staging", "profile show"]),
        // No word of what a value does, but of a language the name.
        ("sort by", &[]),
        ("language deutsch", &["language de"]),
        // A word that is whole completes no query that has a fault.
        ("filter state:x tag:desert", &[]),
        ("delete 7 --d", &["delete 7 --dry-run"]),
        ("delete 7 --y", &["delete 7 --yes"]),
    ] {
        assert_eq!(offered(&mut app, typed), lines, "{typed}");
    }
    for line in ["import help", "delete --help", "help delete"] {
        assert_eq!(offered(&mut app, line), [line]);
        press(&mut app, &format!(":{line}<enter>"));
        assert!(title(&app).contains(line), "{}", title(&app));
        press(&mut app, "<esc>");
    }
    // A value too many can only be taken away.
    for typed in ["add Foo bar --next-id", "add Foo bar --tag "] {
        assert_eq!(offered(&mut app, typed), [""; 0]);
        press(&mut app, &format!(":{typed}<enter>"));
        assert!(
            dialog(&app)
                .says("unexpected argument 'bar' found; add takes one NAME: quotes keep several words together.")
        );
        press(&mut app, "<esc>");
    }
    // Enter on a word that more must follow types it.
    press(&mut app, ":jour<enter>");
    assert_eq!(app.typed().unwrap(), ["journal "]);
    press(&mut app, "<esc>:list tag:i<down><enter>");
    assert_eq!((app.cx.display.tab, app.cx.session.plants.filter.text()), (Tab::Plants, "tag:\"in door\""));
}

#[test]
fn an_option_that_a_verb_does_not_have_is_named_at_once() {
    let mut app = new_app();
    for (typed, said) in [
        ("list --bogus", "'--bogus' found; list takes --limit, --sort, --no-heading or --complete."),
        ("list --bogus tag:x", "'--bogus' found; list takes --limit"),
        ("journal verify --bogus", "'--bogus' found; verify has no options of its own."),
        ("resolve 7 --stord", "'--stord' found"),
        ("resolve 7 --stord", "'--stored'"),
        ("list --demo", "--demo is given when the program starts"),
        ("resolve --all --stored --delete", "'--stored' cannot be used with '--delete'"),
        ("resolve --all 7", "cannot be used with"),
        ("journal trim --older-than 0s --dry-run", "'0s'"),
        ("journal trim --older-than 0s ", "'0s'"),
    ] {
        press(&mut app, &format!(":{typed}"));
        assert!(dialog(&app).says(said) && !dialog(&app).says("▸"), "{typed}: {:#?}", dialog(&app));
        assert_eq!(press(&mut app, "<enter>"), [], "{typed}");
        press(&mut app, "<esc>");
    }
}

#[test]
fn the_question_of_a_line_leaves_the_marks_as_they_are() {
    let mut app = new_app();
    assert_eq!(press(&mut app, ":delete 7 9<enter>"), [Effect::FindListed(vec![PlantId(7), PlantId(9)])]);
    assert!(app.cx.session.plants.marked.is_empty());
}

/// Types a line, and returns the effects that follow once the journal has said that these plants are as `found`.
fn answered(app: &mut App, line: &str, found: Msg) -> Vec<Effect> {
    press(app, &format!(":{line}<enter>"));
    app.update(found)
}

#[test]
fn yes_answers_the_question_for_one_plant_and_for_several() {
    let mut app = new_app();
    let ids = [PlantId(7), PlantId(71)];
    let rows = || listed(&ids, &[named(7, "Fern"), named(71, "Ivy")]);
    let deletes: Vec<_> =
        sent(&answered(&mut app, "delete 7 71 --yes", rows())).into_iter().map(|op| op.kind).collect();
    assert_eq!(deletes, ids.map(OperationKind::Delete));
    assert!(!app.cx.display.has_dialog);
    // A choice that the line makes is the only one of its question.
    let unknown = || Msg::Listed(vec![PlantId(3), PlantId(4)], Ok([3, 4].map(unresolved).to_vec()));
    answered(&mut app, "resolve 3 4 --stored", unknown());
    let labels: Vec<_> = question(&app).choices.iter().map(|choice| choice.label.as_str()).collect();
    assert_eq!(labels, ["Leave them", "Mark as stored"]);
    press(&mut app, "<esc>");
    let resolved = answered(&mut app, "resolve 3 4 --stored --yes", unknown());
    assert!(matches!(resolved.as_slice(), [Effect::Resolve(seen, Resolution::MarkStored)] if seen.len() == 2));
    // Stored plants can be forgotten, too.
    let stored = listed(&[PlantId(7)], &[named(7, "Fern")]);
    let forgotten = answered(&mut app, "resolve 7 --forget --yes", stored);
    assert_eq!(forgotten, [Effect::Resolve(vec![Decided::stored(&named(7, "Fern"))], Resolution::Forget)]);
}
