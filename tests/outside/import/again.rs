//! The same file again: only what the view has not goes out, and what is unknown on a word alone.

use std::time::Duration;

use serde_json::Value;

use super::store::{Reply, Store};
use super::{Told, all, import, numbered, sorted, view};
use crate::support::Home;
use crate::support::served::Served;

#[test]
fn what_is_stored_is_skipped() {
    let (home, store) = (Home::new(), Store::calm());
    home.write("a.csv", numbered(1..=30));
    home.write("b.csv", numbered(21..=50));
    let base = store.base();
    Told::by(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    let told = Told::by(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    assert_eq!((told.counts(), told.rows.len()), ([("already_stored", 30)].into(), 0));
    assert_eq!(store.came().len(), 30);
    let told = Told::by(&import(&home, &base, &["b.csv"]).ended().orderly(0));
    assert_eq!(told.counts(), [("already_stored", 10), ("accepted", 20)].into());
    assert_eq!((sorted(store.ids()), view(&home, &base)), ((1..=50).collect(), all(1..=50, "stored")));
}

#[test]
fn what_was_deleted_is_sent_again() {
    let (home, store) = (Home::new(), Served::calm());
    home.write("a.csv", numbered(1..=3));
    for counts in [[("accepted", 3)].into(), [("already_stored", 2), ("accepted", 1)].into()] {
        let told = Told::by(&home.plants_at(&store.base, &["import", "--json", "a.csv"]).ended().orderly(0));
        assert_eq!(told.counts(), counts);
        home.plants_at(&store.base, &["delete", "2", "--yes"]).ended().orderly(0);
    }
    assert_eq!(store.log().iter().filter(|line| *line == "POST /plants  201").count(), 4);
}

#[test]
fn what_is_unknown_is_told_and_not_repeated() {
    let (home, store) = (
        Home::new(),
        Store::replying(|create, count| match create.id {
            2 | 5 if count <= 6 => Reply::Lost,
            _ => Reply::Says(201),
        }),
    );
    home.write("a.csv", numbered(1..=6));
    let base = store.base();
    let told = Told::by(&import(&home, &base, &["a.csv"]).ended().orderly(4));
    assert_eq!(told.counts(), [("accepted", 4), ("unknown", 2)].into());
    assert_eq!(told.lines("unknown"), [3, 6]);
    // The same file again, and again.
    for _ in 0..2 {
        let ended = import(&home, &base, &["a.csv"]).ended().orderly(4);
        let told = Told::by(&ended);
        assert_eq!(told.counts(), [("already_stored", 4), ("unknown_before", 2)].into());
        assert_eq!((told.lines("unknown"), store.came().len()), (vec![3, 6], 6));
        let named: Vec<_> = told.rows.iter().map(|row| row["plant"]["id"].clone()).collect();
        assert_eq!(named, [Value::from(2), Value::from(5)]);
        assert!(ended.stderr.contains("line 3: ") && ended.stderr.contains("--resend-unknown"), "{ended:?}");
    }
    let told = Told::by(&import(&home, &base, &["a.csv", "--resend-unknown"]).ended().orderly(0));
    assert_eq!(told.counts(), [("already_stored", 4), ("accepted", 2)].into());
    assert_eq!(sorted(store.ids()), [1, 2, 2, 3, 4, 5, 5, 6]);
    assert_eq!(view(&home, &base), all(1..=6, "stored"));
    Told::by(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    assert_eq!(store.came().len(), 8);
}

#[test]
fn a_refusal_of_what_is_sent_again_may_be_ones_own_plant() {
    let home = Home::new();
    let store = Store::replying(|_, count| if count == 1 { Reply::Lost } else { Reply::Says(409) });
    home.write("a.csv", numbered(7..=7));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(4);
    let ended = import(&home, &store.base(), &["a.csv", "--resend-unknown"]).ended().orderly(1);
    assert!(ended.stderr.contains("An earlier add of this id ended unknown"), "{ended:?}");
    // It resolves nothing, and says so.
    assert_eq!(view(&home, &store.base()), all(7..=7, "unknown"));
    let told = Told::by(&ended);
    assert_eq!((told.count("rejected"), told.count("resent"), told.count("unresolved")), (1, 1, 1));
    assert_eq!(told.rows[0]["unresolved"], true);
    assert!(ended.stderr.contains("1 unknown plant was sent again: nothing was resolved"), "{ended:?}");
}

#[test]
fn what_sending_again_resolves_is_counted() {
    let (home, store) = (
        Home::new(),
        Store::replying(|create, count| match (create.id, count) {
            (_, ..=4) | (2, _) => Reply::Lost,
            (1, _) => Reply::Says(409),
            _ => Reply::Says(201),
        }),
    );
    home.write("a.csv", numbered(1..=4));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(4);
    let ended = import(&home, &store.base(), &["a.csv", "--resend-unknown"]).ended().orderly(4);
    let told = Told::by(&ended);
    assert_eq!(told.counts(), [("accepted", 2), ("rejected", 1), ("unknown", 1)].into());
    assert_eq!((told.count("resent"), told.count("unresolved")), (4, 2));
    let unresolved = told.rows.iter().filter(|row| row["unresolved"] == true).map(|row| row["plant"]["id"].clone());
    assert_eq!(sorted(unresolved.map(|id| id.as_i64().unwrap()).collect()), [1, 2]);
    assert!(ended.stderr.contains("4 unknown plants were sent again: 2 resolved, 2 not"), "{ended:?}");
}

#[test]
fn an_id_that_repeats_is_sent_again_once() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Lost));
    home.write("a.csv", numbered(7..=7));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(4);
    home.write("a.csv", numbered(7..=7) + "7,plant 7,t7\n7,Fern,t\n");
    let told = Told::by(&import(&home, &store.base(), &["a.csv", "--resend-unknown"]).ended().orderly(4));
    assert_eq!(told.counts(), [("unknown", 1), ("unknown_before", 2)].into());
    assert_eq!((told.count("unresolved"), store.ids()), (1, vec![7, 7]));
}

#[test]
fn a_taken_id_after_an_unknown_delete_is_explained_by_that_delete() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Says(409)));
    home.write("a.csv", numbered(7..=7));
    // It responses creates alone: of a delete nobody learns whether it worked.
    home.plants_at(&store.base(), &["delete", "7", "--yes"]).ended().orderly(4);
    let ended = import(&home, &store.base(), &["a.csv", "--resend-unknown"]).ended().orderly(1);
    assert!(ended.stderr.contains("An earlier delete of this id ended unknown"), "{ended:?}");
}

#[test]
fn a_dry_run_counts_what_is_unknown_only_as_asked() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Lost));
    home.write("a.csv", numbered(1..=2));
    import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(4);
    home.write("a.csv", numbered(1..=5));
    for (words, counts, to_send) in [
        (&["a.csv", "--dry-run"][..], &[("unknown_before", 2), ("left", 3)][..], 3),
        (&["a.csv", "--dry-run", "--resend-unknown"], &[("left", 5)], 5),
    ] {
        let told = Told::by(&import(&home, &store.base(), words).ended().orderly(0));
        assert_eq!((told.counts(), told.count("to_send")), (counts.iter().copied().collect(), to_send));
    }
    assert_eq!(store.came().len(), 2);
}

#[test]
fn another_name_or_tag_at_an_id_is_not_sent() {
    let (home, store) = (Home::new(), Store::calm());
    home.write("a.csv", numbered(1..=4));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
    home.write("a.csv", numbered(1..=4).replace("plant 2", "Plant 2").replace("t4", ""));
    let ended = import(&home, &store.base(), &["a.csv"]).ended().orderly(3);
    let told = Told::by(&ended);
    assert_eq!(told.counts(), [("already_stored", 2), ("differs", 2)].into());
    assert_eq!(told.lines("not_sent"), [3, 5]);
    assert!(
        ended.stderr.contains("line 3: Plant 2 (2) is not sent: another name or tag is stored at that id"),
        "{ended:?}"
    );
    assert_eq!(store.came().len(), 4);
}

#[test]
fn a_row_that_stands_twice_in_a_file_is_sent_once() {
    let (home, store) = (Home::new(), Store::calm());
    let rows = "7,Fern,shade\n".repeat(1500);
    home.write("a.csv", format!("id,name,tag\n{rows}8,Moss,shade\n{rows}"));
    let told = Told::by(&import(&home, &store.base(), &["a.csv"]).ended().orderly(0));
    assert_eq!(told.counts(), [("accepted", 2), ("already_stored", 2999)].into());
    assert_eq!(sorted(store.ids()), [7, 8]);
}

#[test]
fn of_two_plants_with_one_id_the_first_is_sent() {
    let (home, store) = (Home::new(), Store::calm());
    home.write("a.csv", "id,name,tag\n7,Fern,shade\n8,Moss,shade\n7,Monstera,shade\n7,Fern,shade\n");
    let told = Told::by(&import(&home, &store.base(), &["a.csv"]).ended().orderly(3));
    assert_eq!(told.counts(), [("accepted", 2), ("already_stored", 1), ("differs", 1)].into());
    assert_eq!(told.lines("not_sent"), [4]);
    let came = store.came();
    assert_eq!(came.iter().find(|create| create.id == 7).unwrap().name, "Fern");
}

#[test]
fn a_row_whose_first_is_lost_is_unknown_the_second_time() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Lost));
    home.write("a.csv", "id,name,tag\n7,Fern,shade\n7,Fern,shade\n");
    let told = Told::by(&import(&home, &store.base(), &["a.csv"]).ended().orderly(4));
    assert_eq!(told.counts(), [("unknown", 1), ("unknown_before", 1)].into());
    assert_eq!((told.lines("unknown"), store.ids()), (vec![2, 3], vec![7]));
}

#[test]
fn what_another_program_is_adding_is_left_to_it() {
    let (home, store) = (
        Home::new(),
        Store::replying(|create, _| match create.id {
            7 => Reply::Waits,
            _ => Reply::Says(201),
        }),
    );
    let base = store.base();
    let add = home.plants_at(&base, &["add", "--id", "7", "--name", "plant 7", "--tag", "t7"]).begun();
    store.has_come(1);
    home.write("a.csv", numbered(6..=8));
    let ended = import(&home, &base, &["a.csv"]).ended().orderly(3);
    let told = Told::by(&ended);
    assert_eq!(told.counts(), [("accepted", 2), ("busy", 1)].into());
    assert!(ended.stderr.contains("line 3: plant 7 (7) is not sent: it is being added"), "{ended:?}");
    store.lets_go();
    crate::support::end_of(add).orderly(0);
    let told = Told::by(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    assert_eq!(told.counts(), [("already_stored", 3)].into());
    assert_eq!(sorted(store.ids()), [6, 7, 8]);
}

#[test]
fn two_imports_of_one_file_at_once_send_each_row_once() {
    let (home, store) = (Home::new(), Store::calm());
    home.write("a.csv", numbered(1..=200));
    let both = [(); 2].map(|()| import(&home, &store.base(), &["a.csv"]).begun());
    for child in both {
        // Which of them sent what is a matter of luck, and so is what one found the other at.
        let ended = crate::support::end_of(child);
        assert!(matches!(ended.code, Some(0 | 3)), "{ended:?}");
        Told::by(&ended);
    }
    assert_eq!(view(&home, &store.base()), all(1..=200, "stored"));
    assert_eq!(sorted(store.ids()), (1..=200).collect::<Vec<_>>());
    Told::by(&import(&home, &store.base(), &["a.csv"]).ended().orderly(0));
    assert_eq!(store.ids().len(), 200);
}

#[test]
fn rows_behind_many_that_wait_for_one_are_not_read_meanwhile() {
    let home = Home::new();
    let store = Store::replying(|create, _| if create.id == 7 { Reply::Waits } else { Reply::Says(201) });
    home.write("a.csv", format!("id,name,tag\n{}8,Moss,shade\n", "7,Fern,shade\n".repeat(5000)));
    let told = Told::by(&import(&home, &store.base(), &["a.csv", "--timeout", "1s"]).ended().orderly(4));
    assert_eq!(told.counts(), [("accepted", 1), ("unknown", 1), ("unknown_before", 4999)].into());
    let came = store.came();
    assert_eq!(store.ids(), [7, 8]);
    let between = came[1].came.duration_since(came[0].came);
    // They would have been held, all of them, until the first was over.
    assert!(between >= Duration::from_millis(900), "{between:?}");
}
