//! Journals of three people who share a store: whatever is delayed, repeated or cut off, all reach the same list.

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;
use crate::domain::{Author, MemberId};

/// The stream of a team, and the journals of its members.
struct Team {
    stream: Vec<TeamMessage>,
    journals: Vec<Journal>,
    members: [MemberId; 3],
    numbers: u32,
}

fn author(member: usize) -> Author {
    Author::new(["ann@a", "bob@b", "cleo@c"][member]).unwrap()
}

impl Team {
    async fn new() -> Self {
        let mut team = Self { stream: Vec::new(), journals: Vec::new(), members: [MemberId(0); 3], numbers: 0 };
        for member in 0..3 {
            team.journals.push(Journal::open(Place::Memory, &store(), origin(member), NOW).await.unwrap().journal);
            team.join(member).await;
        }
        team
    }

    /// Makes a journal a new member, also if it is one already.
    async fn join(&mut self, member: usize) {
        self.numbers += 1;
        self.members[member] = MemberId(self.numbers.into());
        self.journals[member].join_team(self.members[member], author(member), "s".into()).await.unwrap();
    }

    /// Publishes up to `most` entries of a member. After a cut, the member publishes them again.
    async fn publish(&mut self, member: usize, most: usize) {
        let found = self.journals[member].to_publish(self.members[member], most).await.unwrap();
        let Some((first, _)) = found.first() else { return };
        let entries = MemberEntries {
            author: author(member),
            member: self.members[member],
            first: *first,
            entries: found.iter().map(|(_, entry)| entry.clone()).collect(),
        };
        assert!(found.iter().zip(*first..).all(|((number, _), expected)| *number == expected));
        self.stream.push(message(self.stream.len() as u64 + 1, entries));
    }

    /// Folds up to `most` further messages.
    async fn follow(&self, member: usize, most: usize) {
        let folded = self.journals[member].membership().await.unwrap().unwrap().folded;
        let messages = self.stream.iter().skip(usize::try_from(folded).unwrap()).take(most).cloned();
        let messages = messages.map(|message| TeamMessage { reader: self.members[member], ..message }).collect();
        let results = self.journals[member].fold_team(messages).await.unwrap();
        assert!(results.iter().all(Result::is_ok), "{results:?}");
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
        if let Some(unknown) = unknown_operation(journal, id).await {
            let _ = journal.resolve(PlantId(id), Some(unknown), resolution, NOW).await;
        }
    }

    /// Publishes and follows until every member has everything; returns their lists with the authors' names.
    async fn converge(&mut self) -> Vec<Vec<Row>> {
        for member in 0..3 {
            while self.journals[member].membership().await.unwrap().unwrap().to_publish > 0 {
                self.publish(member, 4).await;
                self.follow(member, usize::MAX).await;
            }
        }
        let mut lists = Vec::new();
        for member in 0..3 {
            self.follow(member, usize::MAX).await;
            let whole = whole(&self.journals[member]).await;
            assert_eq!(whole.tally, recount(&whole.rows));
            let with_author = |row: Row| Row { author: row.author.or_else(|| Some(author(member))), ..row };
            lists.push(whole.rows.into_iter().map(with_author).collect());
        }
        lists
    }
}

fn message(sequence: u64, entries: MemberEntries) -> TeamMessage {
    TeamMessage { reader: MemberId(0), sequence, folded: sequence, is_after_purge: false, entries: Some(entries) }
}

fn origin(member: usize) -> u64 {
    100 + member as u64
}

#[derive(Debug, Clone)]
enum Step {
    Operate { member: usize, id: i64, is_add: bool, outcome: Option<Outcome> },
    Resolve { member: usize, id: i64, resolution: Resolution },
    Publish { member: usize, most: usize },
    Follow { member: usize, most: usize },
    Join { member: usize },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let outcome = prop::option::weighted(0.8, prop::sample::select(Outcome::ALL.to_vec()));
    let resolution = prop::sample::select(vec![Resolution::MarkStored, Resolution::Forget]);
    let (member, id, most) = (0..3_usize, 0..3_i64, 1..4_usize);
    let step = prop_oneof![
        4 => (member.clone(), id.clone(), any::<bool>(), outcome)
            .prop_map(|(member, id, is_add, outcome)| Step::Operate { member, id, is_add, outcome }),
        1 => (member.clone(), id, resolution).prop_map(|(member, id, resolution)| Step::Resolve { member, id, resolution }),
        3 => (member.clone(), most.clone()).prop_map(|(member, most)| Step::Publish { member, most }),
        3 => (member.clone(), most).prop_map(|(member, most)| Step::Follow { member, most }),
        1 => member.prop_map(|member| Step::Join { member }),
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
                Step::Follow { member, most } => team.follow(member, most).await,
                Step::Join { member } => team.join(member).await,
            }
        }
        team.converge().await
    });
    assert_eq!(lists[0], lists[1]);
    assert_eq!(lists[1], lists[2]);
}

proptest! {
    #[test]
    fn every_member_reaches_the_same_list(steps in steps()) {
        assert_same_list(steps);
    }
}

/// Histories that chance once found to differ.
#[test]
fn members_agree_after_joining_again_and_after_rejections() {
    let operate = |member, id, is_add, outcome: Option<Outcome>| Step::Operate { member, id, is_add, outcome };
    let publish = |member, most| Step::Publish { member, most };
    let follow = |member, most| Step::Follow { member, most };
    let join = |member| Step::Join { member };
    let (accepted, rejected) = (Some(Outcome::Accepted), Some(Outcome::Rejected));
    let mark_stored = Step::Resolve { member: 0, id: 0, resolution: Resolution::MarkStored };
    for steps in [
        vec![operate(0, 0, true, rejected), publish(0, 1), join(0), follow(0, 1), join(0)],
        vec![operate(1, 0, true, accepted), publish(1, 2), follow(0, 1), join(0)],
        vec![
            operate(0, 2, false, accepted),
            operate(1, 2, true, rejected),
            publish(1, 2),
            join(1),
            publish(1, 1),
            mark_stored,
        ],
        vec![operate(2, 1, true, accepted), operate(2, 1, false, accepted), operate(2, 1, false, None)],
        vec![
            operate(1, 0, false, rejected),
            publish(1, 1),
            operate(0, 0, true, None),
            publish(0, 1),
            publish(1, 2),
            join(0),
        ],
    ] {
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
        [(State::Adding, Some(author(0)))]
    );
    assert_eq!(whole(&team.journals[0]).await.rows[0].author, None);
    assert_eq!(team.journals[1].next_free_id().await.unwrap(), PlantId(8));
}

#[tokio::test]
async fn what_a_journal_knew_is_published_when_it_joins() {
    let mut team = Team::new().await;
    let older = Journal::open(Place::Memory, &store(), 200, NOW).await.unwrap().journal;
    record_and_end(&older, add(200, 1, 1, "stored"), Outcome::Accepted).await;
    record_and_end(&older, add(200, 2, 2, "unknown"), Outcome::Unknown).await;
    record_and_end(&older, add(200, 3, 3, "gone"), Outcome::Rejected).await;
    let before = whole(&older).await.rows;
    older.join_team(MemberId(9), author(2), "s".into()).await.unwrap();
    assert_eq!(older.membership().await.unwrap().unwrap().to_publish, 3);
    team.journals[2] = older;
    team.members[2] = MemberId(9);
    let entries =
        team.journals[2].to_publish(MemberId(9), 10).await.unwrap().into_iter().map(|(_, entry)| entry).collect();
    let of_member = MemberEntries { author: author(2), member: MemberId(9), first: 1, entries };
    team.stream.push(message(1, of_member));
    for member in 0..3 {
        team.follow(member, 10).await;
        let rows = whole(&team.journals[member]).await.rows;
        let rows: Vec<_> = rows.into_iter().map(|row| Row { author: None, ..row }).collect();
        assert_eq!(rows, before);
    }
}

#[tokio::test]
async fn a_gap_holds_back_the_entries_after_it() {
    let mut team = Team::new().await;
    team.operate(0, 7, true, Some(Outcome::Accepted)).await;
    team.publish(0, 1).await;
    team.publish(0, 2).await;
    let to_bob = |message: &TeamMessage| TeamMessage { reader: team.members[1], ..message.clone() };
    let mut later = to_bob(&team.stream[1]);
    let entries = later.entries.as_mut().unwrap();
    (entries.first, entries.entries) = (2, entries.entries.split_off(1));
    let result = team.journals[1].fold_team(vec![later.clone()]).await.unwrap();
    let missing = JournalError::MissingEntries { author: author(0), from: 1, to: 1 };
    assert_eq!(result, [Err(missing)]);
    assert_eq!(team.journals[1].membership().await.unwrap().unwrap().folded, 0);
    // What follows the gap counts, and what waits is read again after a restart.
    let garbage = TeamMessage { sequence: 3, folded: 3, entries: None, ..later.clone() };
    let results = team.journals[1].fold_team(vec![later.clone(), garbage]).await.unwrap();
    assert!(results[0].is_err() && results[1].is_ok());
    assert_eq!(team.journals[1].membership().await.unwrap().unwrap().folded, 1);
    let results = team.journals[1].fold_team(vec![to_bob(&team.stream[0]), later]).await.unwrap();
    assert!(results.iter().all(Result::is_ok));
    assert_eq!(whole(&team.journals[1]).await.tally.stored, 1);
}

#[tokio::test]
async fn a_message_cannot_write_as_another_member() {
    let mut team = Team::new().await;
    team.operate(0, 7, true, Some(Outcome::Accepted)).await;
    team.publish(0, 10).await;
    team.follow(1, 10).await;
    let genuine = team.stream[0].entries.clone().unwrap();
    let refused = async |entries: MemberEntries| {
        let result = team.journals[1]
            .fold_team(vec![TeamMessage { reader: team.members[1], ..message(2, entries) }])
            .await
            .unwrap();
        matches!(result.as_slice(), [Err(JournalError::NotStorable { .. })])
    };
    assert!(refused(MemberEntries { author: author(2), first: 3, ..genuine.clone() }).await, "the journal of another");
    assert!(
        refused(MemberEntries { author: author(2), member: MemberId(77), ..genuine }).await,
        "the operation of another"
    );
}

#[tokio::test]
async fn a_program_that_has_not_noticed_a_join_neither_folds_nor_publishes() {
    let mut team = Team::new().await;
    team.operate(0, 7, true, Some(Outcome::Accepted)).await;
    team.publish(0, 10).await;
    let (message, before) = (team.stream[0].clone(), team.members[1]);
    team.join(1).await;
    let folded = team.journals[1].fold_team(vec![TeamMessage { reader: before, ..message }]).await.unwrap();
    assert_eq!(folded, [Err(JournalError::JoinedAgain)]);
    assert_eq!(team.journals[1].to_publish(before, 10).await, Err(JournalError::JoinedAgain));
    assert_eq!(team.journals[1].membership().await.unwrap().unwrap().folded, 0);
}

#[tokio::test]
async fn leftovers_of_a_check_by_another_member_are_shown_and_not_deleted() {
    let mut team = Team::new().await;
    for (number, id, outcome) in [(1, 5, Outcome::Accepted), (2, 6, Outcome::Unknown), (3, 7, Outcome::Rejected)] {
        let operation = Operation { probe: Some(Probe::default()), ..add(origin(1), number, id, "Plants Check") };
        record_and_end(&team.journals[1], operation, outcome).await;
    }
    // A person's plant is no leftover.
    record_and_end(&team.journals[1], add(origin(1), 4, 8, "Fern"), Outcome::Accepted).await;
    team.publish(1, 10).await;
    team.follow(0, 10).await;
    let found = team.journals[0].before_check().await.unwrap();
    assert_eq!((found.leftovers, &*found.of_others), (vec![], &[(PlantId(5), author(1)), (PlantId(6), author(1))][..]));
    let own = team.journals[1].before_check().await.unwrap();
    assert_eq!((own.leftovers.len(), own.sentence_about_others()), (2, None));
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
        while team.journals[0].membership().await.unwrap().unwrap().to_publish > 0 {
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
