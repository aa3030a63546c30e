//! What a person sees of the team that shares the journal.

use super::frame::screen;
use super::*;
use crate::domain::Author;
use crate::team::Status;

fn online(folded: u64) -> Status {
    Status { online: true, caught_up: true, people: 3, folded, ..Status::default() }
}

#[test]
fn the_header_names_the_team_and_what_waits_for_it() {
    let mut app = new_app();
    app.update(window(&[]));
    assert!(!screen(&app).join("\n").contains("team"));
    app.update(Msg::Team(Box::new(online(0))));
    assert!(screen(&app).join("\n").contains("team · 3 people"));
    let problem = Some("no server".to_owned());
    app.update(Msg::Team(Box::new(Status { to_publish: 12, problem, ..Status::default() })));
    assert!(screen(&app).join("\n").contains("team offline · 12 to send"));
    assert_eq!(message(&app), Some("Team: no server"));
}

#[test]
fn the_list_is_read_again_when_others_have_changed_it() {
    let mut app = new_app();
    app.update(window(&[row(7, State::Stored)]));
    assert_eq!(app.update(Msg::Team(Box::new(online(0)))), []);
    assert_eq!(app.update(Msg::Team(Box::new(online(1)))), [Effect::Load(around(Some(7)))]);
}

#[test]
fn what_another_member_left_open_has_the_name_of_its_author() {
    let mut app = new_app();
    let author = Some(Author::new("bob@b").unwrap());
    app.update(window(&[Row { author, ..row(7, State::Adding) }]));
    let shown = screen(&app).join("\n");
    assert!(shown.contains("adding bob@b"), "{shown}");
    // Its member may be gone, so a person can decide about it.
    assert!(press(&mut app, "<space>u").contains(&Effect::FindToResolve(vec![PlantId(7)])));
}
