//! Members that begin with a snapshot, and streams that were cut.

use super::*;

/// Reads a snapshot of a member's journal, with few plants in each part.
async fn snapshot_of(team: &Team, member: usize) -> Vec<SnapshotPart> {
    let (parts, found) = std::sync::mpsc::channel();
    team.journals[member].snapshot(2, move |part| parts.send(part).is_ok()).await.unwrap();
    found.into_iter().collect()
}

#[tokio::test]
async fn a_member_that_cannot_read_the_entries_goes_on_from_a_snapshot() {
    let mut team = Team::new().await;
    for (member, id, outcome) in [
        (0, 1, Some(Outcome::Accepted)),
        (1, 2, Some(Outcome::Accepted)),
        (0, 3, None),
        (1, 4, Some(Outcome::Unknown)),
        (0, i64::MIN, Some(Outcome::Accepted)),
    ] {
        team.operate(member, id, true, outcome).await;
    }
    team.converge().await;
    team.operate(1, 1, false, Some(Outcome::Accepted)).await;
    team.publish(1, 10).await;
    team.follow(1, 10).await;
    // One has read less than the snapshot, and has entries that it does not know; another one is new.
    team.operate(3, 1, true, Some(Outcome::Accepted)).await;
    team.operate(3, 9, true, Some(Outcome::Accepted)).await;
    team.journals[2] = Journal::open(Place::Memory, &store(), 500, NOW).await.unwrap().journal;
    team.journals[2].join_team(author(2), "s".into(), 1).await.unwrap();
    let parts = snapshot_of(&team, 1).await;
    assert_eq!(parts.iter().map(|part| part.plants.len()).collect::<Vec<_>>(), [2, 2, 1]);
    let whole_stream = team.stream.clone();
    for message in &mut team.stream {
        message.entries = None;
    }
    for member in [2, 3] {
        for part in parts.clone() {
            assert_eq!(team.journals[member].take_over(part).await.unwrap(), None);
        }
        team.follow(member, usize::MAX).await;
    }
    // A snapshot of one who began with a snapshot says the same.
    let again = snapshot_of(&team, 2).await;
    let folds = |parts: &[SnapshotPart]| -> Vec<_> {
        parts.iter().flat_map(|part| part.plants.iter().map(|(_, fold)| fold.clone())).collect()
    };
    assert_eq!(folds(&again), folds(&parts));
    assert!(parts[0].members.iter().all(|member| again[0].members.contains(member)), "{:?}", again[0].members);
    team.stream = whole_stream;
    let lists = team.converge().await;
    for list in &lists {
        assert_eq!(list, &lists[0]);
    }
    let of = |id: i64| lists[2].iter().find(|row| row.id.0 == id).map(|row| (row.state, row.author.clone().unwrap()));
    let both = Authors { own: None, others: vec![author(1), author(3)] };
    assert_eq!(of(1), Some((State::Unknown, both)), "an add that did not know of the delete");
    assert_eq!((of(3), of(4)), (Some((State::Adding, other(0))), Some((State::Unknown, other(1)))));
    assert_eq!(of(9), Some((State::Stored, other(3))));
}

/// The entries keep the positions that they had in the lost stream, before all of the one that continues it.
#[tokio::test]
async fn a_new_member_of_a_stream_that_continues_a_lost_one_has_the_plants_of_its_snapshot() {
    let mut team = Team::new().await;
    team.operate(0, 1, true, Some(Outcome::Accepted)).await;
    team.operate(1, 2, true, Some(Outcome::Unknown)).await;
    team.converge().await;
    let first = team.stream.len() as u64 + 100;
    team.stream = (1..first).map(|sequence| TeamMessage { sequence, at: None, entries: None }).collect();
    for member in [2, 3] {
        team.journals[member] = Journal::open(Place::Memory, &store(), origin(member), NOW).await.unwrap().journal;
    }
    for member in [0, 1] {
        team.journals[member].join_team(author(member), "new".into(), first).await.unwrap();
    }
    for member in [0, 1, 0] {
        team.publish(member, 10).await;
        team.follow(member, usize::MAX).await;
    }
    let parts = snapshot_of(&team, 0).await;
    for message in &mut team.stream {
        message.entries = None;
    }
    // Two are new, and one has read all and joins once more.
    for member in [1, 2, 3] {
        team.journals[member].join_team(author(member), "new".into(), first).await.unwrap();
        for part in parts.clone() {
            assert_eq!(team.journals[member].take_over(part).await.unwrap(), None);
        }
    }
    let lists = team.converge().await;
    assert_eq!(lists, vec![lists[0].clone(); MEMBERS]);
    let listed: Vec<_> = lists[0].iter().map(|row| (row.id.0, row.state)).collect();
    assert_eq!(listed, [(1, State::Stored), (2, State::Unknown)]);
}

#[tokio::test]
async fn an_operation_in_flight_in_a_snapshot_ends_for_a_member_that_began_with_it() {
    let mut team = Team::new().await;
    let add = add(origin(0), 1, 7, "fern");
    team.journals[0].record_intent(add.clone()).await.unwrap();
    team.publish(0, 10).await;
    team.follow(1, 10).await;
    let snapshot = snapshot_of(&team, 1).await;
    team.stream[0].entries = None;
    for member in [0, 2, 3] {
        catch_up(&team, member, 1, &snapshot).await;
    }
    // Its member had not read back what it had published, and finds it in the snapshot.
    assert_eq!(team.membership(0).await.to_publish, 0);
    team.journals[0].end(ended_with(&add, Outcome::Accepted), NOW).await.unwrap();
    for list in team.converge().await {
        assert_eq!(list.iter().map(|row| (row.id.0, row.state)).collect::<Vec<_>>(), [(7, State::Stored)]);
    }
    assert_eq!(team.stream.len(), 2);
}

/// Reads what a member can read: from a snapshot on, if messages before it were removed that it has not read.
async fn catch_up(team: &Team, member: usize, removed: usize, snapshot: &[SnapshotPart]) {
    if team.membership(member).await.folded < removed as u64 {
        for part in snapshot {
            assert_eq!(team.journals[member].take_over(part.clone()).await.unwrap(), None);
        }
    }
    team.follow(member, usize::MAX).await;
}

/// Returns the steps in which a member that has read so many plants takes over a later part of a snapshot.
async fn steps_of_a_part(plants: i64) -> usize {
    let mut team = Team::new().await;
    for id in 0..plants {
        team.operate(0, id, true, Some(Outcome::Accepted)).await;
    }
    while team.membership(0).await.to_publish > 0 {
        team.publish(0, 50).await;
        team.follow(0, usize::MAX).await;
    }
    team.follow(1, usize::MAX).await;
    let mut snapshot = snapshot_of(&team, 0).await.into_iter();
    team.journals[1].take_over(snapshot.next().unwrap()).await.unwrap();
    let count = count_steps(&team.journals[1]).await;
    team.journals[1].take_over(snapshot.next().unwrap()).await.unwrap();
    count.load(Ordering::SeqCst)
}

#[tokio::test]
async fn a_part_of_a_snapshot_takes_as_many_steps_after_a_long_history_as_after_a_short_one() {
    let (short, long) = (steps_of_a_part(20).await, steps_of_a_part(400).await);
    assert!(long < short * 3 / 2, "{short} {long}");
}

/// Each day some are offline. Each night one of them writes a snapshot, and removes all messages up to those of two nights
/// before.
#[tokio::test]
#[ignore = "takes minutes"]
async fn a_week_of_fifty_members_with_offline_days_and_snapshots_ends_with_one_list() {
    const PEOPLE: usize = 50;
    let mut random = fastrand::Rng::with_seed(1);
    let (mut team, mut nights, mut removed) = (Team::of(PEOPLE).await, [0; 2], 0);
    let mut snapshot = Vec::new();
    for _ in 0..7 {
        let is_online: Vec<bool> = (0..PEOPLE).map(|_| random.u8(0..10) < 7).collect();
        for _ in 0..300 {
            let member = random.usize(0..PEOPLE);
            match random.u8(0..10) {
                0 => team.resolve(member, random.i64(0..60), Resolution::MarkStored).await,
                1 => team.resolve(member, random.i64(0..60), Resolution::Forget).await,
                _ => {
                    let outcome = random.choice(
                        [Some(Outcome::Accepted); 4]
                            .into_iter()
                            .chain(Outcome::ALL.map(Some))
                            .chain([None])
                            .collect::<Vec<_>>(),
                    );
                    team.operate(member, random.i64(0..60), random.u8(0..3) > 0, outcome.flatten()).await;
                }
            }
            if is_online[member] && random.bool() {
                catch_up(&team, member, removed, &snapshot).await;
                team.publish(member, 10).await;
            }
        }
        let keeper = random.usize(0..PEOPLE);
        catch_up(&team, keeper, removed, &snapshot).await;
        snapshot = snapshot_of(&team, keeper).await;
        removed = nights[0];
        nights = [nights[1], team.stream.len()];
        for message in team.stream.iter_mut().take(removed) {
            message.entries = None;
        }
    }
    for member in 0..PEOPLE {
        catch_up(&team, member, removed, &snapshot).await;
    }
    let lists = team.converge().await;
    assert!(lists[0].len() > 20, "{}", lists[0].len());
    for (member, list) in lists.iter().enumerate() {
        let others: Vec<_> = list.iter().filter(|row| !lists[0].contains(row)).collect();
        assert_eq!((others, list.len()), (vec![], lists[0].len()), "member {member}, not as {:?}", lists[0]);
    }
}

/// A server was killed and has lost what others had read; its stream has grown again, and was compacted.
#[tokio::test]
async fn what_a_snapshot_lacks_is_published_again_by_its_author() {
    let mut team = Team::new().await;
    team.operate(0, 1, true, Some(Outcome::Accepted)).await;
    team.converge().await;
    let kept = team.stream.len();
    team.operate(0, 2, true, Some(Outcome::Accepted)).await;
    team.operate(0, 1, false, Some(Outcome::Accepted)).await;
    team.publish(0, 10).await;
    for member in [0, 1] {
        team.follow(member, 10).await;
        assert_eq!(ids(&whole(&team.journals[member]).await.rows), [2]);
    }
    team.stream.truncate(kept);
    for id in [3, 4] {
        team.operate(2, id, true, Some(Outcome::Accepted)).await;
        team.publish(2, 10).await;
    }
    team.follow(2, 10).await;
    let parts = snapshot_of(&team, 2).await;
    for message in &mut team.stream {
        message.entries = None;
    }
    for member in [0, 1, 3] {
        for part in parts.clone() {
            team.journals[member].take_over(part).await.unwrap();
        }
        team.follow(member, usize::MAX).await;
        assert_follows_from_entries(&team.journals[member]).await;
    }
    // Its author has it at once, and the others follow the snapshot until it is published again.
    assert_eq!(team.membership(0).await.to_publish, 4);
    assert_eq!(ids(&whole(&team.journals[0]).await.rows), [2, 3, 4]);
    assert_eq!(ids(&whole(&team.journals[1]).await.rows), [1, 3, 4]);
    for list in team.converge().await {
        assert_eq!(ids(&list), [2, 3, 4]);
    }
}

#[tokio::test]
async fn a_snapshot_that_differs_from_the_entries_is_noticed() {
    let mut team = Team::new().await;
    team.operate(0, 1, true, Some(Outcome::Accepted)).await;
    team.converge().await;
    let mut parts = snapshot_of(&team, 0).await;
    let (position, mut wrong) = parts[0].plants[0].clone();
    wrong.apply(&PlantEvent::Resolution(Resolution::Forget, NOW).of(ME, position));
    parts[0].plants = vec![(position, wrong)];
    assert_eq!(team.journals[1].take_over(parts.remove(0)).await.unwrap(), Some(PlantId(1)));
    assert_eq!(ids(&whole(&team.journals[1]).await.rows), [1]);
}
