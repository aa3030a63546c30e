//! What a person sees of the team that shares the journal.

use super::frame::screen;
use super::*;
use crate::domain::Authors;
use crate::team::{Cause, Status};

fn online(read: u64) -> Status {
    Status { online: true, is_in_sync: true, people: 3, read, last: read, ..Status::default() }
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
    let not_joined = Status { cause: Cause::NotJoined, problem: Some("join".to_owned()), ..Status::default() };
    app.update(Msg::Team(Box::new(not_joined)));
    assert!(screen(&app).join("\n").contains("team not joined"));
    // A message goes with the state that it is about.
    app.update(Msg::Team(Box::new(online(0))));
    assert_eq!(message(&app), None);
    // What the stream has is read first, and what it does not take waits.
    let behind = Status { is_in_sync: false, last: 1_203, ..online(0) };
    app.update(Msg::Team(Box::new(behind)));
    assert!(screen(&app).join("\n").contains("team · 1,203 messages to read"));
    let refusal = Some("the team's stream takes no entries: it is full".to_owned());
    app.update(Msg::Team(Box::new(Status { refusal, to_publish: 7, ..online(0) })));
    assert!(screen(&app).join("\n").contains("team takes no entries · 7 to send"));
    assert_eq!(message(&app), Some("Team: the team's stream takes no entries: it is full"));
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
    let author = Some(Authors { own: None, others: vec!["bob@b".parse().unwrap()] });
    app.update(window(&[Row { author, ..row(7, State::Adding) }]));
    let shown = screen(&app).join("\n");
    assert!(shown.contains("adding bob@b"), "{shown}");
    // Its member may be gone, so a person can decide about it.
    assert!(press(&mut app, "<space>u").contains(&Effect::FindListed(vec![PlantId(7)])));
}
