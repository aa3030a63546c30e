//! `--json` with each verb: at least one value on stdout, and nothing else.

use serde_json::Value;

use super::packaging::subcommands;
use crate::support::Home;
use crate::support::served::Served;

/// Verbs that need servers, or end only at a signal, and those without JSON.
const ELSEWHERE: [&str; 4] = ["completions", "man", "serve", "team"];

#[test]
fn every_verb_prints_json() {
    let (home, store) = (Home::new(), Served::calm());
    home.config(format!("[profile.home]\nbase_url = '{}'\n", store.base));
    home.write("a.csv", "id,name,tag\n8,Moss,shade\n");
    let lines = [
        "add Fern --id 7 --tag shade",
        "import a.csv --dry-run",
        "import a.csv",
        "list",
        "history",
        "history 1",
        "resolve",
        "export",
        "export b.csv",
        "check --gentle --yes --pace 0s",
        "journal backup copy.db",
        "journal verify copy.db",
        "journal trim --older-than 1d --dry-run",
        "journal restore copy.db --dry-run",
        "journal restore copy.db --yes",
        "profile",
        "profile show home",
        "profile use home",
        "config",
        "paths",
        "delete 7 --yes",
    ];
    for line in lines {
        let arguments: Vec<_> = line.split(' ').chain(["--json"]).collect();
        let ended = home.plants_at(&store.base, &arguments).ended().orderly(0);
        let values: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&ended.stdout).into_iter().collect();
        assert!(values.is_ok_and(|values| !values.is_empty()), "{line}: {ended:?}");
    }
    let tried = |verb: &String| lines.iter().any(|line| line.split(' ').next() == Some(verb));
    let mut untried: Vec<_> = subcommands().into_iter().filter(|verb| !tried(verb)).collect();
    untried.sort();
    assert_eq!(untried, ELSEWHERE);
}
