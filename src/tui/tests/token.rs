//! The prompt for the token: when it opens, and what waits for it.

use super::*;

#[test]
fn a_rejected_token_is_prompted_for_and_the_operation_is_sent_with_the_next_one() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 401));
    assert!(title(&app).starts_with("Token for"));
    let effects = press(&mut app, "bad token<enter>");
    assert!(effects.is_empty());
    let effects = press(&mut app, "<c-u>Bearer good<enter>");
    assert!(effects.contains(&Effect::UseToken(crate::client::Token::new("good").unwrap())));
    assert_eq!(sent(&effects)[0].kind, operations[0].kind);
    // It is about the plant that the question named.
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    let operations = sent(&press(&mut app, "d<tab><enter>"));
    let Msg::Report(mut report) = responded(&operations[0], 401) else { unreachable!("it is a report") };
    let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
    ended.row = Some(row(7, State::Stored));
    app.update(Msg::Report(report));
    assert!(dialog(&app).says("plant 7 (7)"), "{:#?}", dialog(&app));
    let again = sent(&press(&mut app, "better<enter>"));
    assert!(again[0].seen.is_some() && again[0].seen == operations[0].seen);
}

#[test]
fn the_prompt_names_the_source_of_the_rejected_token() {
    let origin = Some("file /home/ann/tok".to_owned());
    let mut app = App::new(StoreInfo { token_origin: origin, ..info() }, Keymap::default(), Some(token()));
    let _ = app.begin(Vec::new());
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 401));
    let words = "It came from file /home/ann/tok; one typed here lasts until you quit.";
    assert!(dialog(&app).says(words), "{:#?}", dialog(&app));
    let again = sent(&press(&mut app, "other<enter>"));
    let Msg::Report(mut report) = responded(&again[0], 401) else { panic!("a report") };
    let Report::Ended(ended) = report.as_mut() else { panic!("an end") };
    ended.token = app.cx.session.token.clone();
    app.update(Msg::Report(report));
    assert!(!dialog(&app).says("It came from"), "{:#?}", dialog(&app));
}

#[test]
fn the_prompt_fetches_the_token_again_from_its_source() {
    let origin = Some("the command pass".to_owned());
    let info = StoreInfo { token_origin: origin, token_can_change: true, ..info() };
    let mut app = App::new(info, Keymap::default(), Some(token()));
    let _ = app.begin(Vec::new());
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 401));
    assert!(dialog(&app).says("Enter on the empty field fetches it again from the command pass."));
    let rejected = app.cx.session.token.clone();
    assert_eq!(press(&mut app, "<enter><enter>"), [Effect::RenewToken(rejected)]);
    assert!(dialog(&app).says("fetching it again from the command pass …"), "{:#?}", dialog(&app));
    app.update(Msg::TokenRenewed(Err("the command pass gave the same one again".into())));
    assert!(dialog(&app).says("✗ the command pass gave the same one again"), "{:#?}", dialog(&app));
    press(&mut app, "<enter>");
    let effects = app.update(Msg::TokenRenewed(Ok(token())));
    assert_eq!(sent(&effects).len(), 1, "{effects:?}");
    assert!(!app.cx.display.has_dialog);
    // One that was typed in between is replaced.
    press(&mut app, "Ttyped<enter>T<enter>");
    app.update(Msg::TokenRenewed(Ok(token())));
    assert!(app.cx.session.stores.typed_token(&app.cx.session.info.store).is_none());
    assert!(status_line(&app).starts_with("Token set for ") && status_line(&app).contains("from the command pass"));
    // The prompt that asks for nothing stays.
    press(&mut app, "T");
    app.update(Msg::TokenRenewed(Ok(token())));
    assert!(title(&app).starts_with("Token for"));
}

#[test]
fn no_prompt_for_a_token_opens_beneath_the_fingers_of_a_person_who_went_on() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    press(&mut app, "aTul");
    app.update(responded(&operations[0], 401));
    assert!(status_line(&app).starts_with("The store rejected Fern (1): 401"), "{}", status_line(&app));
    assert_eq!(press(&mut app, "ip<tab><tab>t<enter>").len(), 1, "the next add goes on");
    let notice = app.cx.out.status.notices[0].text.clone();
    assert!(notice.contains("T takes another token."), "{notice}");
    press(&mut app, "T");
    assert!(dialog(&app).says("With it, the operation is sent."), "{:#?}", dialog(&app));
    assert_eq!(sent(&press(&mut app, "good<enter>"))[0].kind, operations[0].kind);
}

#[test]
fn a_late_rejection_of_a_replaced_token_prompts_for_no_other() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>aIvy<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 401));
    press(&mut app, "good<enter>");
    app.update(responded(&operations[1], 401));
    let form = draft(&app);
    assert_eq!(form.name.text(), "Ivy");
    assert!(form.reasons().iter().any(|line| line.contains("had before")));
}

#[test]
fn closing_the_token_prompt_keeps_the_form_for_the_next_add() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 403));
    press(&mut app, "<esc>");
    // No form takes the next keys.
    assert!(!app.cx.display.has_dialog);
    let said = status_line(&app);
    assert!(
        said.starts_with("Fern (1) was rejected:") && said.ends_with("rejected the token. a opens the form again."),
        "{said}"
    );
    // The journal has the rejection, and the re-add list the plant.
    assert!(app.not_sent().is_empty());
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "Fern");
    assert_eq!(app.cx.out.status.message, None, "the form is open");
    press(&mut app, "y");
    assert_eq!(app.not_sent().len(), 1, "another name was typed");
}

#[test]
fn a_plant_is_not_blamed_for_a_rejected_token() {
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 401));
    press(&mut app, "<esc>a");
    assert!(dialog(&app).says("Enter sends:"), "{:#?}", dialog(&app));
    assert_eq!(sent(&press(&mut app, "<enter>")).len(), 1);
}

#[test]
fn without_a_token_an_operation_waits_for_the_prompt() {
    let mut app = App::new(info(), Keymap::default(), None);
    let _ = app.begin(Vec::new());
    assert!(title(&app).starts_with("Token for"));
    assert_eq!(sent(&press(&mut app, "<esc>aFern<tab><tab>t<enter>")), []);
    assert_eq!(status_line(&app), "Fern (1) waits for a token: nothing was sent.");
    let effects = press(&mut app, "secret<enter>");
    assert_eq!(sent(&effects).len(), 1);
}

#[test]
fn an_add_without_a_token_waits_in_its_form_until_the_next_add() {
    let mut app = App::new(info(), Keymap::default(), None);
    let _ = app.begin(Vec::new());
    press(&mut app, "<esc>aFern<tab><tab>t<enter><esc>");
    let words = "Fern (1) was not sent. No token was given for http://127.0.0.1:4000/api. a opens the form again.";
    assert_eq!((!app.cx.display.has_dialog, status_line(&app)), (true, words));
    press(&mut app, "a");
    assert_eq!(draft(&app).name.text(), "Fern");
    assert_eq!(app.cx.out.status.message, None, "the form is open");
}

#[test]
fn the_prompt_says_that_the_token_entered_last_was_rejected() {
    let last = "That was the token entered last for http://127.0.0.1:4000/api.";
    let mut app = new_app();
    let operations = sent(&press(&mut app, "aFern<tab><tab>t<enter>"));
    app.update(responded(&operations[0], 401));
    assert!(!dialog(&app).says(last), "{:#?}", dialog(&app));
    let many =
        |count| format!("The token entered last for http://127.0.0.1:4000/api was rejected, too: {count} in a row.");
    for said in [last.to_owned(), many(2), many(3)] {
        let operations = sent(&press(&mut app, "good<enter>"));
        let Msg::Report(mut report) = responded(&operations[0], 401) else { unreachable!("it is a report") };
        let Report::Ended(ended) = report.as_mut() else { unreachable!("it has ended") };
        ended.token = app.cx.session.token.clone();
        app.update(Msg::Report(report));
        assert!(dialog(&app).says(&said), "{:#?}", dialog(&app));
    }
}

#[test]
fn a_delete_rejected_with_a_replaced_token_is_asked_about_again() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored), row(8, State::Stored)]));
    let operations = sent(&press(&mut app, "dy<down>dy"));
    app.update(responded(&operations[0], 401));
    press(&mut app, "good<enter>");
    app.update(responded(&operations[1], 401));
    assert!(title(&app).starts_with("Delete plant 8"), "{}", title(&app));
    assert!(dialog(&app).says("It was sent with the token that"), "{:#?}", dialog(&app));
}
