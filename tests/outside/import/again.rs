//! The same file again: only missing plants are sent, and unknown ones only with `--resend-unknown`.

use serde_json::Value;

use super::store::{Reply, Store};
use super::{Output, all, import, numbered, sorted};
use crate::support::served::Served;
use crate::support::{Home, end_of};

#[test]
fn stored_plants_are_skipped() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", numbered(1..=30));
    home.write("b.csv", numbered(21..=50));
    let base = store.base();
    Output::of(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    let result = Output::of(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    assert_eq!((result.counts(), result.rows.len()), ([("already_stored", 30)].into(), 0));
    assert_eq!(store.creates().len(), 30);
    let result = Output::of(&import(&home, &base, &["b.csv"]).ended().orderly(0));
    assert_eq!(result.counts(), [("already_stored", 10), ("accepted", 20)].into());
    assert_eq!((sorted(store.ids()), home.states(&base)), ((1..=50).collect(), all(1..=50, "stored")));
}

#[test]
fn deleted_plants_are_sent_again() {
    let (home, store) = (Home::new(), Served::calm());
    home.write("a.csv", numbered(1..=3));
    for counts in [[("accepted", 3)].into(), [("already_stored", 2), ("accepted", 1)].into()] {
        let result = Output::of(&home.plants_at(&store.base, &["import", "--json", "a.csv"]).ended().orderly(0));
        assert_eq!(result.counts(), counts);
        home.plants_at(&store.base, &["delete", "2", "--yes"]).ended().orderly(0);
    }
    assert_eq!(store.log().iter().filter(|line| *line == "POST /plants  201").count(), 4);
}

#[test]
fn unknown_plants_are_reported_and_not_sent_again() {
    let (home, store) = (
        Home::new(),
        Store::replying(|create, count| match create.id {
            2 | 5 if count <= 6 => Reply::Lost,
            _ => Reply::Status(201),
        }),
    );
    home.write("a.csv", numbered(1..=6));
    let base = store.base();
    let result = Output::of(&import(&home, &base, &["a.csv"]).ended().orderly(4));
    assert_eq!(result.counts(), [("accepted", 4), ("unknown", 2)].into());
    assert_eq!(result.lines("unknown"), [3, 6]);
    for _ in 0..2 {
        let ended = import(&home, &base, &["a.csv"]).ended().orderly(4);
        let result = Output::of(&ended);
        assert_eq!(result.counts(), [("already_stored", 4), ("unknown_before", 2)].into());
        assert_eq!((result.lines("unknown"), store.creates().len()), (vec![3, 6], 6));
        let named: Vec<_> = result.rows.iter().map(|row| row["plant"]["id"].clone()).collect();
        assert_eq!(named, [Value::from(2), Value::from(5)]);
        assert!(ended.stderr.contains("line 3: ") && ended.stderr.contains("--resend-unknown"), "{ended:?}");
    }
    let result = Output::of(&import(&home, &base, &["a.csv", "--resend-unknown"]).ended().orderly(0));
    assert_eq!(result.counts(), [("already_stored", 4), ("accepted", 2)].into());
    assert_eq!(sorted(store.ids()), [1, 2, 2, 3, 4, 5, 5, 6]);
    assert_eq!(home.states(&base), all(1..=6, "stored"));
    Output::of(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    assert_eq!(store.creates().len(), 8);
}

#[test]
fn a_rejected_resend_is_explained_and_stays_unresolved() {
    let home = Home::new();
    let store = Store::replying(|_, count| if count == 1 { Reply::Lost } else { Reply::Status(409) });
    home.write("a.csv", numbered(7..=7));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(4);
    let ended = import(&home, &store.base(), &["a.csv", "--resend-unknown"]).ended().orderly(1);
    assert!(ended.stderr.contains("An earlier add of this id ended unknown"), "{ended:?}");
    // The rejection resolves nothing.
    assert_eq!(home.states(&store.base()), all(7..=7, "unknown"));
    let result = Output::of(&ended);
    assert_eq!((result.count("rejected"), result.count("resent"), result.count("unresolved")), (1, 1, 1));
    assert_eq!(result.rows[0]["unresolved"], true);
    assert!(ended.stderr.contains("1 unknown plant was sent again: 0 resolved, 1 not"), "{ended:?}");
}

#[test]
fn plants_resolved_by_sending_again_are_counted() {
    let (home, store) = (
        Home::new(),
        Store::replying(|create, count| match (create.id, count) {
            (_, ..=4) | (2, _) => Reply::Lost,
            (1, _) => Reply::Status(409),
            _ => Reply::Status(201),
        }),
    );
    home.write("a.csv", numbered(1..=4));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(4);
    let ended = import(&home, &store.base(), &["a.csv", "--resend-unknown"]).ended().orderly(4);
    let result = Output::of(&ended);
    assert_eq!(result.counts(), [("accepted", 2), ("rejected", 1), ("unknown", 1)].into());
    assert_eq!((result.count("resent"), result.count("unresolved")), (4, 2));
    let unresolved = result.rows.iter().filter(|row| row["unresolved"] == true).map(|row| row["plant"]["id"].clone());
    assert_eq!(sorted(unresolved.map(|id| id.as_i64().unwrap()).collect()), [1, 2]);
    assert!(ended.stderr.contains("4 unknown plants were sent again: 2 resolved, 2 not"), "{ended:?}");
}

#[test]
fn stored_plants_are_sent_again_to_a_store_that_has_lost_them() {
    let (home, store) = (Home::new(), Store::accepting());
    let base = store.base();
    home.write("a.csv", numbered(1..=5));
    import(&home, &base, &["a.csv"]).ended().orderly(0);
    home.write("b.csv", numbered(1..=7).replace("plant 5", "another") + "1,plant 1,t1\n");
    let again = ["b.csv", "--resend-stored"];
    let dry = import(&home, &base, &[&again[..], &["--dry-run"]].concat()).ended().orderly(3);
    assert!(
        dry.stderr.contains("4 rows stored already, and sent again") && dry.stderr.contains("To send: 6."),
        "{dry:?}"
    );
    let ended = import(&home, &base, &again).ended().orderly(3);
    let [dry, done] = [&dry, &ended].map(Output::of);
    assert_eq!((dry.count("to_send"), dry.count("repeats")), (6, 1));
    assert_eq!(done.counts(), [("accepted", 6), ("differs", 1), ("repeats", 1)].into());
    assert_eq!((done.count("resent"), done.count("resent_stored")), (0, 4));
    assert_eq!(sorted(store.ids().split_off(5)), [1, 2, 3, 4, 6, 7]);
    assert_eq!(home.states(&base), all(1..=7, "stored"));
}

#[test]
fn a_stored_plant_whose_resend_is_rejected_stays_stored() {
    let home = Home::new();
    let store = Store::replying(|_, count| if count == 1 { Reply::Status(201) } else { Reply::Status(409) });
    home.write("a.csv", numbered(7..=7));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
    import(&home, &store.base(), &["a.csv", "--resend-stored"]).ended().orderly(1);
    assert_eq!(home.states(&store.base()), all(7..=7, "stored"));
}

#[test]
fn a_repeated_unknown_id_is_sent_again_once() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Lost));
    home.write("a.csv", numbered(7..=7));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(4);
    home.write("a.csv", numbered(7..=7) + "7,plant 7,t7\n7,Fern,t\n");
    let result = Output::of(&import(&home, &store.base(), &["a.csv", "--resend-unknown"]).ended().orderly(4));
    assert_eq!(result.counts(), [("unknown", 1), ("repeats", 1), ("contradicts", 1)].into());
    assert_eq!((result.count("unresolved"), store.ids()), (1, vec![7, 7]));
}

#[test]
fn another_plant_with_the_id_of_an_unknown_one_is_not_sent() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Lost));
    home.write("a.csv", numbered(1..=1));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(4);
    home.write("a.csv", "id,name,tag\n1,OTHER,zzz\n1,plant 1,t1\n");
    for options in [&["a.csv"][..], &["a.csv", "--resend-unknown"]] {
        for options in [options, &[options, &["--dry-run"]].concat()] {
            let ended = import(&home, &store.base(), options).ended().orderly(3);
            let result = Output::of(&ended);
            assert_eq!(result.counts(), [("differs", 1), ("contradicts", 1)].into(), "{options:?}");
            assert!(ended.stderr.contains("line 2: OTHER (1) is not sent: the id is in the list with"), "{ended:?}");
        }
    }
    assert_eq!((store.ids(), home.states(&store.base())), (vec![1], all(1..=1, "unknown")));
}

#[test]
fn a_409_after_an_unknown_delete_is_explained() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Status(409)));
    home.write("a.csv", numbered(7..=7));
    // This store handles creates only, so the delete is unknown.
    home.plants_at(&store.base(), &["delete", "7", "--yes"]).ended().orderly(4);
    let ended = import(&home, &store.base(), &["a.csv", "--resend-unknown"]).ended().orderly(1);
    assert!(ended.stderr.contains("An earlier delete of this id ended unknown"), "{ended:?}");
}

#[test]
fn a_dry_run_counts_unknown_plants_with_and_without_resend() {
    let (home, store) = (Home::new(), Store::replying(|_, _| Reply::Lost));
    home.write("a.csv", numbered(1..=2));
    import(&home, &store.base(), &["a.csv", "--concurrency", "1"]).ended().orderly(4);
    home.write("a.csv", numbered(1..=5));
    for (arguments, counts, to_send, exit) in [
        (&["a.csv", "--dry-run"][..], &[("unknown_before", 2), ("left", 3)][..], 3, 4),
        (&["a.csv", "--dry-run", "--resend-unknown"], &[("left", 5)], 5, 0),
    ] {
        let result = Output::of(&import(&home, &store.base(), arguments).ended().orderly(exit));
        assert_eq!((result.counts(), result.count("to_send")), (counts.iter().copied().collect(), to_send));
    }
    assert_eq!(store.creates().len(), 2);
}

#[test]
fn a_row_with_another_name_or_tag_for_a_stored_id_is_not_sent() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", numbered(1..=4));
    import(&home, &store.base(), &["a.csv"]).ended().orderly(0);
    home.write("a.csv", numbered(1..=4).replace("plant 2", "Plant 2").replace("t4", ""));
    let ended = import(&home, &store.base(), &["a.csv"]).ended().orderly(3);
    let result = Output::of(&ended);
    assert_eq!(result.counts(), [("already_stored", 2), ("differs", 2)].into());
    assert_eq!(result.lines("not_sent"), [3, 5]);
    assert!(
        ended.stderr.contains("line 3: Plant 2 (2) is not sent: the id is in the list with another name or tag"),
        "{ended:?}"
    );
    assert_eq!(store.creates().len(), 4);
}

#[test]
fn a_repeated_row_is_sent_once() {
    let (home, store) = (Home::new(), Store::accepting());
    let rows = "7,Fern,shade\n".repeat(1500);
    home.write("a.csv", format!("id,name,tag\n{rows}8,Moss,shade\n{rows}"));
    let result = Output::of(&import(&home, &store.base(), &["a.csv"]).ended().orderly(0));
    assert_eq!(result.counts(), [("accepted", 2), ("repeats", 2999)].into());
    assert_eq!(sorted(store.ids()), [7, 8]);
}

#[test]
fn the_first_of_two_plants_with_one_id_is_sent() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", "id,name,tag\n7,Fern,shade\n8,Moss,shade\n7,Monstera,shade\n7,Fern,shade\n");
    for counts in [
        [("accepted", 2), ("repeats", 1), ("contradicts", 1)],
        [("already_stored", 2), ("repeats", 1), ("contradicts", 1)],
    ] {
        let ended = import(&home, &store.base(), &["a.csv"]).ended().orderly(3);
        let result = Output::of(&ended);
        assert_eq!((result.counts(), result.lines("not_sent")), (counts.into(), vec![4]));
        let why = "line 4: Monstera (7) is not sent: line 2 has the same id, with another name or tag.";
        assert!(ended.stderr.contains(why), "{ended:?}");
    }
    let received = store.creates();
    assert_eq!(received.iter().find(|create| create.id == 7).unwrap().name, "Fern");
}

#[test]
fn a_plant_that_another_program_adds_is_not_sent() {
    let (home, store) = (
        Home::new(),
        Store::replying(|create, _| match create.id {
            7 => Reply::Held,
            _ => Reply::Status(201),
        }),
    );
    let base = store.base();
    let add = home.plants_at(&base, &["add", "--id", "7", "--name", "plant 7", "--tag", "t7"]).begun();
    store.wait_for(1);
    home.write("a.csv", numbered(6..=8));
    let ended = import(&home, &base, &["a.csv"]).ended().orderly(3);
    let result = Output::of(&ended);
    assert_eq!(result.counts(), [("accepted", 2), ("busy", 1)].into());
    assert!(ended.stderr.contains("line 3: plant 7 (7) is not sent: the plant is being added"), "{ended:?}");
    store.release();
    end_of(add).orderly(0);
    let result = Output::of(&import(&home, &base, &["a.csv"]).ended().orderly(0));
    assert_eq!(result.counts(), [("already_stored", 3)].into());
    assert_eq!(sorted(store.ids()), [6, 7, 8]);
}

#[test]
fn two_imports_of_one_file_at_once_send_each_row_once() {
    let (home, store) = (Home::new(), Store::accepting());
    home.write("a.csv", numbered(1..=200));
    let both = [(); 2].map(|()| import(&home, &store.base(), &["a.csv"]).begun());
    for child in both {
        // Chance decides which program sends a row, and whether the other finds it busy.
        let ended = end_of(child);
        assert!(matches!(ended.code, Some(0 | 3)), "{ended:?}");
        Output::of(&ended);
    }
    assert_eq!(home.states(&store.base()), all(1..=200, "stored"));
    assert_eq!(sorted(store.ids()), (1..=200).collect::<Vec<_>>());
    Output::of(&import(&home, &store.base(), &["a.csv"]).ended().orderly(0));
    assert_eq!(store.ids().len(), 200);
}

#[test]
fn many_rows_of_one_id_do_not_hold_up_the_rows_after_them() {
    let home = Home::new();
    let store = Store::replying(|create, _| if create.id == 7 { Reply::Held } else { Reply::Status(201) });
    home.write("a.csv", format!("id,name,tag\n{}8,Moss,shade\n", "7,Fern,shade\n".repeat(5000)));
    let importing = import(&home, &store.base(), &["a.csv", "--timeout", "1h"]).begun();
    // The first row has no response yet.
    store.wait_for(2);
    assert_eq!(store.ids(), [7, 8]);
    store.release();
    let result = Output::of(&end_of(importing).orderly(0));
    assert_eq!(result.counts(), [("accepted", 2), ("repeats", 4999)].into());
}
