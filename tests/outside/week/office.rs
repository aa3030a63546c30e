//! The people of a working week, their stores and the server of their team; what was reported to them, and what is true.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Child;

use fastrand::Rng;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::check::faults::{Fault, Faults};
use crate::check::odd::{OddStore, Oddity};
use crate::secrets::{CANARY, SAFE, assert_no_token_in};
use crate::support::nats::Nats;
use crate::support::{Ended, Home, Run, end_of};

/// The stores, by their names in profiles and in the team.
pub(super) const STORES: [&str; 2] = ["staging", "production"];
pub(super) const PEOPLE: [&str; 3] = ["ann", "bob", "cleo"];
pub(super) const ANN: usize = 0;
pub(super) const BOB: usize = 1;
pub(super) const CLEO: usize = 2;

/// Ids from here on are those of strangers.
pub(super) const STRANGERS: i64 = 900_000;

/// Ids below are used by everybody, those from here on by one person each.
const SHARED: i64 = 40;

/// Of 1000 requests, what happens to how many.
const BAD_DAY: &[(u32, Fault)] = &[
    (30, Fault::LosesResponse),
    (15, Fault::LosesRequest),
    (20, Fault::FailsAfter),
    (10, Fault::FailsBefore),
    (30, Fault::Repeats),
    (40, Fault::Delays),
    (3, Fault::Hangs),
    (15, Fault::IsBusy),
];
pub(super) const STORM: &[(u32, Fault)] = &[(500, Fault::LosesResponse), (500, Fault::LosesRequest)];

/// A server of a team that is not there.
const NOWHERE: &str = "nats://127.0.0.1:1";

/// How an operation ended: whether it is an add, the id, and the outcome.
pub(super) type End = (bool, i64, String);

/// How often each end occurs in these values of `--json`.
pub(super) fn ends<'a>(values: impl IntoIterator<Item = &'a Value>) -> BTreeMap<End, usize> {
    let mut ends = BTreeMap::new();
    for value in values {
        if let (Some(outcome), Some(id)) = (value["outcome"].as_str(), value["plant"]["id"].as_i64()) {
            *ends.entry((value["operation"] == "add", id, outcome.to_owned())).or_default() += 1;
        }
    }
    ends
}

pub(super) struct Person {
    pub(super) home: Home,
    name: &'static str,
    /// Whether the team's server cannot be reached from there.
    pub(super) is_away: Cell<bool>,
    next_id: Cell<i64>,
}

impl Person {
    pub(super) fn new(who: usize, stores: &[OddStore; 2]) -> Self {
        let home = Home::new();
        let profile = |at: usize| {
            let token = home.write(&format!("{SAFE}/{}", STORES[at]), token(at));
            let base = stores[at].base();
            format!(
                "[profile.{}]\nbase_url = '{base}'\ntoken_file = '{}'\ntimeout = '2s'\n",
                STORES[at],
                token.display()
            )
        };
        home.config([0, 1].map(profile).concat());
        let next_id = Cell::new((i64::try_from(who).unwrap() + 1) * 100_000);
        Self { home, name: PEOPLE[who], is_away: Cell::new(false), next_id }
    }
}

impl Person {
    /// Takes no id that this person had on a laptop before.
    pub(super) fn continue_after(&self, lost: &Self) {
        self.next_id.set(lost.next_id.get());
    }
}

/// The token of a store.
pub(super) fn token(at: usize) -> String {
    format!("{CANARY}{}", STORES[at])
}

pub(super) struct Office {
    pub(super) people: [Person; 3],
    pub(super) stores: [OddStore; 2],
    pub(super) streams: TempDir,
    pub(super) server: RefCell<Option<Nats>>,
    port: u16,
    pub(super) random: RefCell<Rng>,
    /// Operations that people have requested.
    pub(super) operations: Cell<usize>,
    /// How operations ended, as people were told, at each store.
    pub(super) reported: RefCell<[BTreeMap<End, usize>; 2]>,
    /// Ids at each store that those who are away have operations on.
    touched: RefCell<BTreeSet<(usize, i64)>>,
    pub(super) figures: RefCell<BTreeMap<&'static str, usize>>,
}

impl Office {
    /// `None` where there is no server for a team.
    pub(super) fn new(seed: u64) -> Option<Self> {
        let streams = tempfile::tempdir().unwrap();
        let server = Nats::in_folder(streams.path())?;
        let stores = [0, 1].map(|at| OddStore::with(Oddity::None, &token(at)));
        for store in &stores {
            store.keep_connections();
            store.has(STRANGERS..STRANGERS + 5);
        }
        Some(Self {
            people: [ANN, BOB, CLEO].map(|who| Person::new(who, &stores)),
            stores,
            streams,
            port: server.port,
            server: RefCell::new(Some(server)),
            random: RefCell::new(Rng::with_seed(seed)),
            operations: Cell::new(0),
            reported: RefCell::default(),
            touched: RefCell::default(),
            figures: RefCell::default(),
        })
    }

    pub(super) fn count(&self, what: &'static str, more: usize) {
        *self.figures.borrow_mut().entry(what).or_default() += more;
    }

    pub(super) fn pick(&self, below: usize) -> usize {
        self.random.borrow_mut().usize(0..below)
    }

    pub(super) fn stop_team(&self) {
        self.server.take();
    }

    pub(super) fn start_team(&self) {
        self.server.replace(Some(Nats::again(self.streams.path(), self.port)));
        self.count("restarts of the team's server", 1);
    }

    pub(super) fn bad_day(&self) {
        for store in &self.stores {
            store.set_faults(Some(Faults::new(self.random.borrow_mut().u64(..), BAD_DAY)));
        }
    }

    pub(super) fn good_day(&self) {
        for store in &self.stores {
            store.set_faults(None);
        }
    }

    /// What is at a store, of plants that people of the team may have added.
    pub(super) fn content(&self, at: usize) -> BTreeMap<i64, (String, String)> {
        let ours = self.stores[at].left().into_iter().filter(|plant| (1..STRANGERS).contains(&plant.id));
        ours.map(|plant| (plant.id, (plant.name, plant.tag))).collect()
    }

    /// Who can reach the team.
    pub(super) fn present(&self) -> impl Iterator<Item = usize> {
        (0..PEOPLE.len()).filter(|who| !self.people[*who].is_away.get())
    }

    pub(super) fn run(&self, who: usize, at: usize, words: &[&str]) -> Run {
        self.in_office(who, at, self.people[who].home.plants(words))
    }

    /// Sets what a person's shell has in its environment.
    pub(super) fn in_office(&self, who: usize, at: usize, run: Run) -> Run {
        let person = &self.people[who];
        let team = if person.is_away.get() { NOWHERE.to_owned() } else { format!("nats://127.0.0.1:{}", self.port) };
        let run = run.env("USER", person.name).env("PLANTS_PROFILE", STORES[at]).env("PLANTS_TEAM_STORE", STORES[at]);
        run.env("PLANTS_TEAM", team).env("PLANTS_LOG", person.home.path().join("log"))
    }

    /// Runs a command to its end, and notes what it reports.
    pub(super) fn does(&self, who: usize, at: usize, words: &[&str]) -> Ended {
        self.note(who, at, self.run(who, at, words).ended())
    }

    pub(super) fn note(&self, who: usize, at: usize, ended: Ended) -> Ended {
        let code = ended.code.filter(|code| [0, 1, 3, 4].contains(code));
        let ended = ended.orderly(code.unwrap_or(0));
        assert_no_token_in(&ended, PEOPLE[who]);
        let values: Vec<Value> = ended.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        // Rows of an import that were not tried took no time.
        let was_sent = |value: &&Value| {
            value["outcome"] != "not_sent"
                && value["recorded"] != false
                && value["elapsed_ms"].as_f64().is_some_and(|took| took > 0.0)
        };
        for (end, count) in ends(values.iter().filter(was_sent)) {
            self.touch(who, at, [end.1]);
            *self.reported.borrow_mut()[at].entry(end).or_default() += count;
        }
        ended
    }

    fn touch(&self, who: usize, at: usize, ids: impl IntoIterator<Item = i64>) {
        if self.people[who].is_away.get() {
            self.touched.borrow_mut().extend(ids.into_iter().map(|id| (at, id)));
        }
    }

    fn own_id(&self, who: usize) -> i64 {
        let next = &self.people[who].next_id;
        next.replace(next.get() + 1)
    }

    fn shared_id(&self) -> i64 {
        self.random.borrow_mut().i64(1..SHARED)
    }

    /// A plant with a name that a person may give.
    fn plant(&self, id: i64) -> Value {
        let names = ["Monstera", "Échevéria", "金のなる木", "Fern \"Boston\"", "Fern, tall", "=Moss", "🌵"];
        json!({"name": names[self.pick(names.len())], "id": id, "tag": format!("shelf {}", self.pick(9))})
    }

    /// Writes a file with plants of a person's own.
    pub(super) fn file(&self, who: usize, at: usize, rows: usize) -> String {
        let plants: Vec<_> = (0..rows).map(|_| self.plant(self.own_id(who))).collect();
        self.touch(who, at, plants.iter().map(|plant| plant["id"].as_i64().unwrap()));
        self.operations.set(self.operations.get() + rows);
        let name = format!("files/{}.json", self.people[who].next_id.get());
        let path = self.people[who].home.write(&name, Value::from(plants).to_string());
        path.to_str().unwrap().to_owned()
    }

    /// Imports at the same time: of each person at each store, a file.
    pub(super) fn import_all(&self, rows: usize) -> Vec<(usize, usize, String, Child)> {
        let one = |who, at| {
            let file = self.file(who, at, rows);
            let child = self.run(who, at, &["import", "--json", "--keep-going", &file]).begun();
            (who, at, file, child)
        };
        (0..PEOPLE.len()).flat_map(|who| [(who, 0), (who, 1)]).map(|(who, at)| one(who, at)).collect()
    }

    /// Waits for imports, and returns how they were started.
    pub(super) fn finish(&self, imports: Vec<(usize, usize, String, Child)>) -> Vec<(usize, usize, String)> {
        let finish = |(who, at, file, child)| {
            self.note(who, at, end_of(child));
            (who, at, file)
        };
        imports.into_iter().map(finish).collect()
    }

    /// Kills a program with -9 while its request of this number from now on is under way, and has taken effect.
    pub(super) fn kill(&self, who: usize, at: usize, words: &[&str], number: usize) {
        let held = self.stores[at].holds(self.stores[at].requests().len() + number);
        let mut child = self.run(who, at, words).begun();
        held.arrives();
        child.kill().unwrap();
        child.wait().unwrap();
        self.count("kills", 1);
    }

    /// Kills an import of so many rows, and imports the rest.
    pub(super) fn killed_import(&self, who: usize, at: usize, rows: usize) {
        let file = self.file(who, at, rows);
        self.kill(who, at, &["import", "-q", "--keep-going", &file], 1 + self.pick(rows / 2));
        self.does(who, at, &["import", "--json", "--keep-going", &file]);
    }

    /// Lets people work until so many operations were requested.
    pub(super) fn work(&self, until: usize) {
        while self.operations.get() < until {
            self.act(self.pick(PEOPLE.len()), self.pick(STORES.len()));
        }
    }

    fn act(&self, who: usize, at: usize) {
        let more = |count: usize| self.operations.set(self.operations.get() + count);
        let any_id = || if self.pick(3) == 0 { self.shared_id() } else { self.own_id(who) };
        match self.pick(10) {
            0..4 => {
                let plant = self.plant(any_id());
                let (id, tag) = (plant["id"].to_string(), plant["tag"].as_str().unwrap());
                let name = format!("--name={}", plant["name"].as_str().unwrap());
                self.does(who, at, &["add", "--json", &name, "--tag", tag, "--id", &id]);
                more(1);
            }
            4..6 => {
                let there: Vec<i64> = self.content(at).into_keys().collect();
                let count = 1 + self.pick(3);
                let any = |_| if there.is_empty() { self.shared_id() } else { there[self.pick(there.len())] };
                let ids: BTreeSet<i64> = (0..count).map(any).chain([self.shared_id()]).collect();
                more(ids.len());
                let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
                let words = ["delete", "--json", "--yes"].into_iter().chain(ids.iter().map(String::as_str));
                self.does(who, at, &words.collect::<Vec<_>>());
            }
            6..8 => {
                let count = 3 + self.pick(8);
                let plants: Value = (0..count).map(|_| self.plant(any_id())).collect();
                let run = self.run(who, at, &["add", "-", "--json", "--keep-going"]).stdin(plants.to_string());
                self.note(who, at, run.ended());
                more(count);
            }
            8 => self.resolve(who, at),
            _ => {
                let history = self.does(who, at, &["history", "--json", "-n", "5"]).json();
                let mut entries = history.as_array().unwrap().iter();
                if let Some(entry) = entries.find(|entry| entry["plant"]["name"].is_string()) {
                    self.does(who, at, &["add", "--json", "--from", &entry["number"].to_string()]);
                    more(1);
                }
            }
        }
    }

    /// Resolves what is unknown as a person does who has looked at the store.
    pub(super) fn resolve(&self, who: usize, at: usize) {
        let (unknown, content) = (self.does(who, at, &["resolve", "--json"]).json(), self.content(at));
        let mut by_word: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for plant in unknown.as_array().unwrap() {
            let id = plant["id"].as_i64().unwrap();
            let word = match content.get(&id) {
                None if plant["operation"] == "add" && self.pick(2) == 0 => "--resend",
                None => "--forget",
                Some((name, tag)) if *name == plant["name"] && *tag == plant["tag"] => "--stored",
                Some(_) => "--delete",
            };
            by_word.entry(word).or_default().push(id.to_string());
            self.touch(who, at, [id]);
        }
        for (word, ids) in by_word {
            let words = ["resolve", word, "--json", "--yes", "--keep-going"].into_iter();
            self.does(who, at, &words.chain(ids.iter().map(String::as_str)).collect::<Vec<_>>());
            self.count("resolved", ids.len());
        }
    }

    /// Publishes what everybody has, then reads it everywhere.
    pub(super) fn sync(&self, at: usize) {
        for who in self.present().chain(self.present()) {
            let synced = self.does(who, at, &["team", "sync", "--json"]).orderly(0).json();
            assert_eq!((&synced["to_publish"], &synced["to_read"]), (&0.into(), &0.into()), "{synced}");
        }
    }

    /// What a person's list has: name, tag and state.
    pub(super) fn list(&self, who: usize, at: usize) -> BTreeMap<i64, [String; 3]> {
        let list = self.does(who, at, &["list", "--complete", "--json"]).orderly(0).json();
        let text = |plant: &Value, key: &str| plant[key].as_str().unwrap_or_default().to_owned();
        let row = |plant: &Value| (plant["id"].as_i64().unwrap(), ["name", "tag", "state"].map(|key| text(plant, key)));
        list.as_array().unwrap().iter().map(row).collect()
    }

    /// Asserts that all lists are the same, and none is more certain than the truth. Returns how many plants are unknown.
    pub(super) fn assert_lists(&self, at: usize) -> usize {
        let (content, touched) = (self.content(at), self.touched.borrow());
        let mut lists = self.present().map(|who| (who, self.list(who, at)));
        let (first, list) = lists.next().unwrap();
        for (who, other) in lists {
            assert_eq!(other, list, "{} and {} at {}", PEOPLE[who], PEOPLE[first], STORES[at]);
        }
        for (id, [name, tag, state]) in list.iter().filter(|(id, _)| !touched.contains(&(at, **id))) {
            let there = content.get(id);
            let is_so = state != "stored" || there == Some(&(name.clone(), tag.clone()));
            assert!(
                is_so,
                "{id} is {name} {tag} {state}, and at {} {there:?}: {}",
                STORES[at],
                self.story(first, at, *id)
            );
        }
        for id in content.keys().filter(|id| !touched.contains(&(at, **id))) {
            assert!(list.contains_key(id), "{id} is at {} only: {}", STORES[at], self.story(first, at, *id));
        }
        list.values().filter(|[_, _, state]| state != "stored").count()
    }

    /// What is known about a plant, for the message of a failed test.
    pub(super) fn story(&self, who: usize, at: usize, id: i64) -> String {
        let asked = format!("id:{id}");
        let known = self.run(who, at, &["history", &asked]).ended().stdout;
        let is_its = |text: &str| text.ends_with(&format!("/{id}")) || text.contains(&format!("\"id\":{id},"));
        let requests = self.stores[at].requests().into_iter();
        let received = requests.filter(|request| is_its(&request.path) || is_its(&request.body));
        let received: Vec<_> = received.map(|request| (request.method, request.body, request.responded)).collect();
        format!("\n{known}\n{received:#?}")
    }

    /// Ends a day: what was under way ends, everybody reads the team, one resolves, and the stores are checked.
    pub(super) fn evening(&mut self) {
        self.good_day();
        for at in 0..STORES.len() {
            self.stores[at].stop();
            self.stores[at].start();
            self.sync(at);
            self.count("unknown in the evening", self.assert_lists(at));
            let somebody = self.present().nth(self.pick(self.present().count())).unwrap();
            self.resolve(somebody, at);
            self.sync(at);
            self.assert_lists(at);
            self.check(at);
        }
    }

    /// Checks a store: it passes, and has the plants that it had.
    fn check(&self, at: usize) {
        let before = self.stores[at].left();
        let report = self.does(ANN, at, &["check", "--yes", "--pace", "0s", "--json"]).orderly(0).json();
        let passed = report["rules"].as_array().unwrap().iter().filter(|rule| rule["verdict"] == "pass").count();
        assert_eq!((passed, report["undocumented"].as_array().unwrap().len()), (15, 36), "{report:#}");
        assert_eq!(report["leftovers"], json!([]));
        let before: Vec<_> = before.into_iter().filter(|plant| (1..STRANGERS + 5).contains(&plant.id)).collect();
        assert_eq!(self.stores[at].left(), before, "a check deletes nobody's plants, and leaves none");
        self.count("checks", 1);
    }

    /// Forgets which plants those touched who were away: they are back, and everybody has read what they did.
    pub(super) fn everybody_is_back(&self) {
        for person in &self.people {
            person.is_away.set(false);
        }
        for at in 0..STORES.len() {
            self.sync(at);
        }
        self.touched.borrow_mut().clear();
    }
}
