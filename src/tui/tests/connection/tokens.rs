//! What was typed for one store: its token, and the text of forms.

use super::*;

#[test]
fn text_of_another_store_is_replaced_by_what_is_typed() {
    for (keys, name) in [("Moss", "Moss"), ("<tab><tab>x", "Ivy")] {
        let mut app = new_app();
        press(&mut app, "aIvy<esc>c<down><enter>");
        let _ = arrives(&mut app, arrival());
        press(&mut app, "a");
        press(&mut app, keys);
        assert_eq!(dialog(&app).field("name"), name, "{keys}");
    }
}

#[test]
fn a_typed_token_is_kept_for_its_store_until_the_program_ends() {
    let mut app = new_app();
    press(&mut app, "c<down><enter>");
    let _ = arrives(&mut app, Arrival { token: None, ..arrival() });
    press(&mut app, "canary<enter>c<up><enter>");
    let here = StoreInfo { origin: 3, ..info() };
    let effects = arrives(&mut app, Arrival { info: here, token: None, ..arrival() });
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::UseToken(_))), "another store's");
    press(&mut app, "<esc>c<down><enter>");
    let effects = arrives(&mut app, Arrival { token: None, ..arrival() });
    assert!(effects.contains(&Effect::UseToken(Token::new("canary").unwrap())));
    assert!(app.cx.session.token.is_some() && !app.cx.display.has_dialog);
}

#[test]
fn the_prompt_to_replace_the_token_names_the_store() {
    let mut app = new_app();
    press(&mut app, "T");
    assert!(title(&app).starts_with("Token for"), "the token is asked for");
    assert!(dialog(&app).text().starts_with("http://127.0.0.1:4000/api asks for"), "{:#?}", dialog(&app));
    assert_eq!(press(&mut app, "two words<enter>"), []);
    assert!(!app.debugged_dialog().contains("two"));
    let token = Token::new("canary").unwrap();
    assert_eq!(press(&mut app, "<c-u>canary<enter>"), [Effect::UseToken(token)]);
    let status_line = status_line(&app);
    assert!(status_line.starts_with("Token set for http://127.0.0.1:4000/api, until you quit;"), "{status_line}");
    assert_eq!((!app.cx.display.has_dialog, app.cx.session.info.origin), (true, 1));
}

#[test]
fn another_store_prompts_for_a_missing_token_unless_it_is_read_only() {
    let mut app = new_app();
    press(&mut app, "c<down><enter>");
    let _ = arrives(&mut app, Arrival { token: None, ..arrival() });
    assert!(title(&app).starts_with("Token for") && dialog(&app).text().starts_with(ELSEWHERE), "{:#?}", dialog(&app));
    press(&mut app, "<esc>c<up>");
    assert_eq!(marked(&app), "staging", "the store is open, so there is one above");
    press(&mut app, "<enter>");
    let info = StoreInfo { read_only: true, ..arrival().info };
    let _ = arrives(&mut app, Arrival { info, token: None, ..arrival() });
    assert!(!app.cx.display.has_dialog);
    press(&mut app, "T");
    assert!(!app.cx.display.has_dialog);
    let status_line = message(&app);
    assert_eq!(
        status_line,
        Some(
            "T does nothing now: the store is read-only here, by --read-only, its variable, the config file or the journal."
        )
    );
}
