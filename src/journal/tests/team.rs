//! Journals of four people who share a store: whatever is delayed, repeated, lost or cut off, all reach the same list.

mod snapshots;

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;
use crate::domain::filter::List;
use crate::domain::{Author, Authors, LocalTime};

/// The stream of a team, and the journals of its members.
struct Team {
    stream: Vec<TeamMessage>,
    journals: Vec<Journal>,
    /// Messages that a member publishes again later.
    lost: Vec<TeamMessage>,
    numbers: u32,
}

const MEMBERS: usize = 4;

fn other(member: usize) -> Authors {
    Authors { own: None, others: vec![author(member)] }
}

fn author(member: usize) -> Author {
    format!("member{member}@team").parse().unwrap()
}

impl Team {
    async fn new() -> Self {
        Self::of(MEMBERS).await
    }

    async fn of(members: usize) -> Self {
        let mut journals = Vec::new();
        for member in 0..members {
            let journal = Journal::open(Place::Memory, &store(), origin(member), NOW).await.unwrap().journal;
            journal.join_team(author(member), "s".into(), 1).await.unwrap();
            journals.push(journal);
        }
        Self { stream: Vec::new(), journals, lost: Vec::new(), numbers: 0 }
    }

    async fn membership(&self, member: usize) -> Membership {
        self.journals[member].membership().await.unwrap().unwrap()
    }

    /// Returns a message with up to `most` entries of a member that the stream does not have.
    async fn message(&self, member: usize, most: usize) -> Option<MemberEntries> {
        let id = self.membership(member).await.member;
        let entries = self.journals[member].to_publish(id, 0, most).await.unwrap();
        (!entries.is_empty()).then(|| MemberEntries { author: author(member), member: id, entries })
    }

    fn push(&mut self, entries: MemberEntries) {
        self.stream.push(message(self.stream.len() as u64 + 1, entries));
    }

    /// Publishes up to `most` entries of a member. After a cut, the member publishes them again.
    async fn publish(&mut self, member: usize, most: usize) {
        if let Some(message) = self.message(member, most).await {
            self.push(message);
        }
    }

    /// Publishes the second half of some entries of a member; the first half comes later.
    async fn publish_with_gap(&mut self, member: usize, most: usize) {
        let Some(mut first) = self.message(member, most).await else { return };
        let entries = first.entries.split_off(first.entries.len() / 2);
        self.push(MemberEntries { entries, ..first.clone() });
        self.lost.push(message(0, first));
    }

    fn publish_lost(&mut self) {
        for lost in std::mem::take(&mut self.lost) {
            self.push(lost.entries.unwrap());
        }
    }

    /// Folds up to `most` further messages; returns why entries are left out.
    async fn follow(&self, member: usize, most: usize) -> Vec<JournalError> {
        let Membership { member: reader, folded, .. } = self.membership(member).await;
        let messages = self.stream.iter().skip(usize::try_from(folded).unwrap()).take(most).cloned().collect();
        left_out(self.journals[member].receive(reader, messages).await.unwrap())
    }

    async fn operate(&mut self, member: usize, id: i64, is_add: bool, outcome: Option<Outcome>) {
        self.numbers += 1;
        let (origin, number) = (origin(member), self.numbers);
        let operation = if is_add { add(origin, number, id, &number.to_string()) } else { delete(origin, number, id) };
        self.journals[member].record_intent(operation.clone()).await.unwrap();
        if let Some(outcome) = outcome {
            self.journals[member].end(ended_with(&operation, outcome), NOW).await.unwrap();
        }
    }

    async fn resolve(&self, member: usize, id: i64, resolution: Resolution) {
        let journal = &self.journals[member];
        let decided = decided(journal, id).await;
        if decided.unknown.is_some() {
            let _ = journal.resolve(decided, resolution, NOW).await;
        }
    }

    /// Publishes and follows until every member has everything; returns their lists with the authors' names.
    async fn converge(&mut self) -> Vec<Vec<Row>> {
        self.publish_lost();
        for member in 0..self.journals.len() {
            while self.membership(member).await.to_publish > 0 {
                self.publish(member, 4).await;
                self.follow(member, usize::MAX).await;
            }
        }
        let mut lists = Vec::new();
        for member in 0..self.journals.len() {
            self.follow(member, usize::MAX).await;
            let whole = whole(&self.journals[member]).await;
            assert_eq!(whole.tally, recount(&whole.rows));
            assert_follows_from_entries(&self.journals[member]).await;
            let as_others = |row: Row| {
                let mut others = row.author.as_ref().map(|authors| authors.others.clone()).unwrap_or_default();
                others.extend(row.author.and_then(|authors| authors.own));
                others.sort();
                Row { author: Some(Authors { own: None, others }), ..row }
            };
            lists.push(whole.rows.into_iter().map(as_others).collect());
        }
        lists
    }
}

fn message(sequence: u64, entries: MemberEntries) -> TeamMessage {
    TeamMessage { sequence, at: Some(Timestamp(5)), entries: Some(entries) }
}

fn left_out(all: Vec<LeftOut>) -> Vec<JournalError> {
    all.into_iter().map(|left_out| left_out.why).collect()
}

fn origin(member: usize) -> u64 {
    100 + member as u64
}

#[derive(Debug, Clone)]
enum Step {
    Operate {
        member: usize,
        id: i64,
        is_add: bool,
        outcome: Option<Outcome>,
    },
    Resolve {
        member: usize,
        id: i64,
        resolution: Resolution,
    },
    Publish {
        member: usize,
        most: usize,
    },
    Follow {
        member: usize,
        most: usize,
    },
    /// The first half comes later.
    PublishWithGap {
        member: usize,
        most: usize,
    },
    PublishLost,
    /// Nothing is left in the cache.
    Restart {
        member: usize,
    },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let outcome = prop::option::weighted(0.8, prop::sample::select(Outcome::ALL.to_vec()));
    let resolution = prop::sample::select(vec![Resolution::MarkStored, Resolution::Forget]);
    let (member, id, most) = (0..MEMBERS, 0..3_i64, 1..4_usize);
    let step = prop_oneof![
        4 => (member.clone(), id.clone(), any::<bool>(), outcome)
            .prop_map(|(member, id, is_add, outcome)| Step::Operate { member, id, is_add, outcome }),
        1 => (member.clone(), id, resolution).prop_map(|(member, id, resolution)| Step::Resolve { member, id, resolution }),
        3 => (member.clone(), most.clone()).prop_map(|(member, most)| Step::Publish { member, most }),
        3 => (member.clone(), most.clone()).prop_map(|(member, most)| Step::Follow { member, most }),
        1 => (member.clone(), most).prop_map(|(member, most)| Step::PublishWithGap { member, most }),
        1 => Just(Step::PublishLost),
        1 => member.prop_map(|member| Step::Restart { member }),
    ];
    prop::collection::vec(step, 0..40)
}

/// Carries out the steps, then lets every member read everything, and compares their lists.
fn assert_same_list(steps: Vec<Step>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let lists = runtime.block_on(async {
        let mut team = Team::new().await;
        for step in steps {
            match step {
                Step::Operate { member, id, is_add, outcome } => team.operate(member, id, is_add, outcome).await,
                Step::Resolve { member, id, resolution } => team.resolve(member, id, resolution).await,
                Step::Publish { member, most } => team.publish(member, most).await,
                Step::Follow { member, most } => drop(team.follow(member, most).await),
                Step::PublishWithGap { member, most } => team.publish_with_gap(member, most).await,
                Step::PublishLost => team.publish_lost(),
                Step::Restart { member } => drop(team.journals[member].trim(Timestamp(0), false).await.unwrap()),
            }
        }
        team.converge().await
    });
    for list in &lists {
        assert_eq!(list, &lists[0]);
    }
}

proptest! {
    #[test]
    fn every_member_reaches_the_same_list(steps in steps()) {
        assert_same_list(steps);
    }
}

#[tokio::test]
async fn an_add_is_shown_with_its_author_while_it_is_in_flight() {
    let mut team = Team::new().await;
    team.operate(0, 7, true, None).await;
    team.publish(0, 10).await;
    team.follow(1, 10).await;
    let rows = whole(&team.journals[1]).await.rows;
    assert_eq!(
        rows.iter().map(|row| (row.state, row.author.clone())).collect::<Vec<_>>(),
        [(State::Adding, Some(other(0)))]
    );
    let own = Authors { own: Some(author(0)), others: Vec::new() };
    assert_eq!(whole(&team.journals[0]).await.rows[0].author, Some(own));
    assert_eq!(team.journals[1].next_free_id().await.unwrap(), PlantId(8));
}

#[tokio::test]
async fn plants_and_requests_are_found_by_their_author() {
    let mut team = Team::new().await;
    team.operate(0, 7, true, Some(Outcome::Accepted)).await;
    team.publish(0, 10).await;
    team.follow(1, 10).await;
    for (typed, member, found) in [("author:MEMBER0", 1, 1), ("author:member1", 1, 0), ("author:member0", 0, 1)] {
        let [plants, requests] = [List::Plants, List::Requests].map(|list| list.parse(typed, &LocalTime::default()).0);
        let journal = &team.journals[member];
        let plants = journal.fitting(plants, None, 9).await.unwrap().len();
        let requests = journal.exchanges(requests, None, 9).await.unwrap().len();
        assert_eq!((plants, requests), (found, found), "{typed}");
    }
}

#[tokio::test]
async fn a_fold_is_stored_where_more_than_the_entries_of_one_operation_made_it() {
    let mut team = Team::new().await;
    for (is_add, folds, listed) in [(true, 0, 1), (false, 1, 0), (true, 1, 1)] {
        team.operate(0, 7, is_add, Some(Outcome::Accepted)).await;
        team.publish(0, 10).await;
        let journal = &team.journals[1];
        // Nothing is left in the cache.
        journal.trim(Timestamp(0), false).await.unwrap();
        team.follow(1, 10).await;
        let stored = journal.read(|store, _| sql::count(store.conn, "SELECT count(*) FROM shared", []));
        assert_eq!((stored.await.unwrap(), whole(journal).await.rows.len()), (folds, listed));
    }
    team.converge().await;
}

#[tokio::test]
async fn a_plant_whose_only_entry_is_left_out_is_not_shared() {
    let mut team = Team::new().await;
    team.operate(0, 5, true, None).await;
    team.publish(0, 10).await;
    team.follow(1, 10).await;
    let mut repeated = team.stream[0].entries.clone().unwrap();
    let Event::Intent(operation) = &repeated.entries[0].event else { unreachable!() };
    let other_plant = Operation { kind: OperationKind::Delete(PlantId(7)), ..operation.clone() };
    let entry = Entry { number: 2, event: Event::Intent(other_plant), ..repeated.entries[0].clone() };
    repeated.entries = vec![entry];
    let journal = &team.journals[1];
    let reader = team.membership(1).await.member;
    let found = left_out(journal.receive(reader, vec![message(2, repeated)]).await.unwrap());
    assert!(matches!(found.as_slice(), [JournalError::Repeated(_)]), "{found:?}");
    let own = delete(origin(1), 1, 7);
    journal.record_intent(own.clone()).await.unwrap();
    // Nothing is left in the cache.
    journal.trim(Timestamp(0), false).await.unwrap();
    journal.end(ended_with(&own, Outcome::Rejected), NOW).await.unwrap();
    assert_eq!(ids(&whole(journal).await.rows), [5]);
}

#[tokio::test]
async fn what_a_journal_knew_is_published_when_it_joins() {
    let mut team = Team::new().await;
    let older = in_memory().await;
    record_and_end(&older, add(1, 1, 1, "stored"), Outcome::Accepted).await;
    record_and_end(&older, add(1, 2, 2, "unknown"), Outcome::Unknown).await;
    record_and_end(&older, add(1, 3, 3, "gone"), Outcome::Rejected).await;
    record_and_end(&older, add(1, 4, 4, "deleted"), Outcome::Accepted).await;
    record_and_end(&older, delete(1, 5, 4), Outcome::Accepted).await;
    let before = whole(&older).await.rows;
    older.join_team(author(2), "s".into(), 1).await.unwrap();
    team.journals[2] = older;
    assert_eq!(team.membership(2).await.to_publish, 10);
    team.publish(2, 10).await;
    for member in 0..3 {
        team.follow(member, 10).await;
        let rows = whole(&team.journals[member]).await.rows;
        let rows: Vec<_> = rows.into_iter().map(|row| Row { author: None, ..row }).collect();
        assert_eq!(rows, before);
    }
    assert_eq!(team.membership(2).await.to_publish, 0);
}

#[tokio::test]
async fn a_gap_concerns_its_member_alone_and_can_be_filled() {
    let mut team = Team::new().await;
    team.operate(0, 7, true, Some(Outcome::Accepted)).await;
    team.operate(1, 8, true, Some(Outcome::Accepted)).await;
    team.publish_with_gap(0, 2).await;
    team.publish(1, 2).await;
    let missing = JournalError::MissingEntries { author: author(0), from: 1, to: 1 };
    let of_the_end = JournalError::NotRequested(OperationId { origin: origin(0), number: 1 });
    assert_eq!(team.follow(2, 10).await, [missing, of_the_end]);
    assert_eq!(ids(&whole(&team.journals[2]).await.rows), [8]);
    // Its member has noticed that the stream lacks the first one.
    team.follow(0, 10).await;
    assert_eq!(team.membership(0).await.to_publish, 2);
    let lists = team.converge().await;
    assert_eq!(
        lists[2].iter().map(|row| (row.id.0, row.state)).collect::<Vec<_>>(),
        [(7, State::Stored), (8, State::Stored)]
    );
}

#[tokio::test]
async fn a_message_cannot_write_as_another_member() {
    let mut team = Team::new().await;
    team.operate(0, 7, true, None).await;
    team.publish(0, 10).await;
    team.follow(1, 10).await;
    let genuine = team.stream[0].entries.clone().unwrap();
    let receive = async |entries: MemberEntries| {
        let reader = team.membership(1).await.member;
        left_out(team.journals[1].receive(reader, vec![message(2, entries)]).await.unwrap())
    };
    let found = receive(MemberEntries { author: author(2), ..genuine.clone() }).await;
    assert!(matches!(found.as_slice(), [JournalError::NotStorable { .. }]), "the journal of another: {found:?}");
    let operation = add(origin(0), 1, 7, "1");
    let end = Event::End((Arc::new(ended_with(&operation, Outcome::Accepted)), NOW));
    let entries = vec![Entry { number: 1, position: None, known: Position(u64::MAX), event: end }];
    let found = receive(MemberEntries { author: author(2), member: MemberId(77), entries }).await;
    assert_eq!(found, [JournalError::NotRequested(operation.id)], "the operation of another");
    let rows = whole(&team.journals[1]).await.rows;
    assert_eq!(
        rows.iter().map(|row| (row.state, row.author.clone())).collect::<Vec<_>>(),
        [(State::Adding, Some(other(0)))]
    );
}

#[tokio::test]
async fn a_copy_of_a_journal_becomes_another_member() {
    let folder = tempfile::tempdir().unwrap();
    let mut team = Team::new().await;
    let original = on_disk(&folder.path().join("a"), 1).await;
    original.join_team(author(3), "s".into(), 1).await.unwrap();
    original.close().await;
    std::fs::create_dir(folder.path().join("b")).unwrap();
    std::fs::copy(folder.path().join("a/journal.db"), folder.path().join("b/journal.db")).unwrap();
    let (original, copy) = (on_disk(&folder.path().join("a"), 1).await, on_disk(&folder.path().join("b"), 2).await);
    record_and_end(&original, add(1, 1, 1, "original"), Outcome::Accepted).await;
    record_and_end(&copy, add(2, 1, 2, "copy"), Outcome::Accepted).await;
    (team.journals[2], team.journals[3]) = (copy, original);
    let same = team.membership(3).await.member;
    assert_eq!(team.membership(2).await.member, same);
    team.publish(3, 10).await;
    assert_eq!(team.follow(3, 10).await, []);
    assert_eq!(team.follow(2, 10).await, [JournalError::Copied]);
    assert_ne!(team.membership(2).await.member, same);
    let id = team.membership(2).await.member;
    let entries = team.journals[2].to_publish(id, 0, 10).await.unwrap();
    team.push(MemberEntries { author: author(3), member: id, entries });
    for member in 0..4 {
        team.follow(member, 10).await;
        assert_eq!(ids(&whole(&team.journals[member]).await.rows), [1, 2]);
        assert_follows_from_entries(&team.journals[member]).await;
    }
}

#[tokio::test]
async fn a_stream_that_was_lost_is_continued_with_authors_and_deletes() {
    let mut team = Team::new().await;
    team.operate(0, 1, true, Some(Outcome::Accepted)).await;
    team.operate(0, 2, true, Some(Outcome::Accepted)).await;
    team.publish(0, 10).await;
    team.follow(1, 10).await;
    team.operate(1, 1, false, Some(Outcome::Accepted)).await;
    team.operate(1, 3, true, Some(Outcome::Accepted)).await;
    let before = team.converge().await;
    // Another stream starts after everything that was read.
    let first = team.stream.len() as u64 + 100;
    team.stream = (1..first).map(|sequence| TeamMessage { sequence, at: None, entries: None }).collect();
    let too_early = team.journals[0].join_team(author(0), "new".into(), 1).await;
    assert!(matches!(too_early, Err(JournalError::OtherStream { since: 1, .. })));
    team.journals[3] = Journal::open(Place::Memory, &store(), 500, NOW).await.unwrap().journal;
    for member in 0..MEMBERS {
        team.journals[member].join_team(author(member), "new".into(), first).await.unwrap();
    }
    assert_eq!((team.membership(0).await.to_publish, team.membership(1).await.to_publish), (4, 4));
    assert_eq!(team.converge().await, before);
}

#[tokio::test]
async fn a_program_that_has_not_noticed_a_join_neither_folds_nor_publishes() {
    let mut team = Team::new().await;
    team.operate(0, 7, true, Some(Outcome::Accepted)).await;
    team.publish(0, 10).await;
    let (message, before) = (team.stream[0].clone(), team.membership(1).await.member);
    team.journals[1].join_team(author(2), "s".into(), 1).await.unwrap();
    assert_eq!(team.journals[1].receive(before, vec![message]).await, Err(JournalError::JoinedAgain));
    assert_eq!(team.journals[1].to_publish(before, 0, 10).await, Err(JournalError::JoinedAgain));
    assert_eq!(team.membership(1).await.folded, 0);
}

#[tokio::test]
async fn no_other_member_reads_the_probes_of_a_check() {
    let mut team = Team::new().await;
    let probe = |number, id| Operation { probe: Some(Probe::default()), ..add(origin(1), number, id, "Plants Check") };
    record_and_end(&team.journals[1], probe(1, 5), Outcome::Accepted).await;
    record_and_end(&team.journals[1], add(origin(1), 2, 8, "Fern"), Outcome::Accepted).await;
    record_and_end(&team.journals[1], probe(3, 6), Outcome::Unknown).await;
    team.publish(1, 10).await;
    team.follow(0, 10).await;
    team.follow(1, 10).await;
    assert_eq!(whole(&team.journals[0]).await.rows.iter().map(|row| row.id).collect::<Vec<_>>(), [PlantId(8)]);
    let left = async |member: usize| team.journals[member].before_check().await.unwrap().leftovers.len();
    assert_eq!((left(0).await, left(1).await), (0, 2));
    assert_eq!(team.membership(1).await.to_publish, 0);
}

/// Counts the steps that `SQLite` takes for the writer of a journal, from here on.
async fn count_steps(journal: &Journal) -> Arc<AtomicUsize> {
    let count = Arc::new(AtomicUsize::new(0));
    let (counted, (reply, begun)) = (Arc::clone(&count), oneshot::channel());
    let work = move |database: &mut database::Database| {
        let step = move || {
            counted.fetch_add(1, Ordering::SeqCst);
            false
        };
        database.access.conn.progress_handler(1, Some(step)).unwrap();
        reply.send(()).unwrap();
    };
    journal.requests.send(Request::Do(Box::new(work))).unwrap();
    begun.await.unwrap();
    count
}

/// Returns the steps in which a journal publishes each of its plants and finds it in the stream, and those of one add
/// afterwards.
async fn steps_of(plants: i64) -> (usize, usize) {
    let mut team = Team::new().await;
    for id in 0..plants {
        team.operate(0, id, true, Some(Outcome::Accepted)).await;
    }
    let count = count_steps(&team.journals[0]).await;
    let publish = async |team: &mut Team| {
        while team.membership(0).await.to_publish > 0 {
            team.publish(0, 50).await;
            team.follow(0, usize::MAX).await;
        }
        count.swap(0, Ordering::SeqCst)
    };
    let all = publish(&mut team).await;
    team.operate(0, plants, true, Some(Outcome::Accepted)).await;
    (all / usize::try_from(plants).unwrap(), publish(&mut team).await)
}

#[tokio::test]
async fn an_entry_takes_as_many_steps_after_a_long_history_as_after_a_short_one() {
    let (short, long) = (steps_of(100).await, steps_of(1000).await);
    assert!(long.0 < short.0 * 3 / 2 && long.1 < short.1 * 3 / 2, "{short:?} {long:?}");
}

/// They are folded at once, which the program that starts next cannot know from the other members: there are none yet.
#[test]
fn own_entries_that_came_late_are_folded_also_after_a_restart() {
    use Step::*;
    assert_same_list(vec![
        Operate { member: 2, id: 0, is_add: false, outcome: Some(Outcome::Accepted) },
        Operate { member: 2, id: 0, is_add: false, outcome: Some(Outcome::Unknown) },
        PublishWithGap { member: 2, most: 3 },
        Publish { member: 2, most: 1 },
        Follow { member: 2, most: 2 },
        Restart { member: 2 },
        Publish { member: 2, most: 1 },
        Operate { member: 0, id: 0, is_add: false, outcome: Some(Outcome::Accepted) },
    ]);
}
