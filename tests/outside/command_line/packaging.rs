//! Completions and manual pages, as packagers generate them: without a configuration, or with a broken one.

use std::process::Command;

use crate::support::{Home, tool};

/// Returns stdout of a run without an environment.
pub(super) fn printed(arguments: &[&str]) -> String {
    let home = Home::new();
    let mut run = home.plants(arguments);
    run.command.env_clear();
    let ended = run.ended().orderly(0);
    assert!(ended.stderr.is_empty() && ended.stdout.ends_with('\n'), "{ended:?}");
    ended.stdout
}

/// The subcommands that `plants --help` lists.
pub(super) fn subcommands() -> Vec<String> {
    let help = printed(&["--help"]);
    let (_, listed) = help.split_once("Commands:\n").unwrap();
    let (listed, _) = listed.split_once("\n\n").unwrap();
    let entry = |line: &str| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')).map(str::to_owned);
    let first_word = |line: String| line.split_whitespace().next().unwrap().to_owned();
    let names = listed.lines().filter_map(entry).map(first_word);
    let names: Vec<_> = names.filter(|name| name != "help").collect();
    assert!(names.len() > 8 && names.contains(&"completions".to_owned()), "{names:?}");
    names
}

/// The long options that the help of the program, or of a subcommand, lists, without their dashes.
pub(super) fn options(subcommand: Option<&str>) -> Vec<String> {
    let help = printed(&subcommand.into_iter().chain(["--help"]).collect::<Vec<_>>());
    let listed = help.lines().filter(|line| line.starts_with("      --") || line.starts_with("  -"));
    let name = |line: &str| line.split(" --").nth(1).unwrap().split([' ', '=']).next().unwrap().to_owned();
    let names: Vec<_> = listed.map(name).collect();
    assert!(names.contains(&"base-url".to_owned()) && names.contains(&"help".to_owned()), "{names:?}");
    names
}

#[test]
fn all_pages_are_written_into_a_folder() {
    let home = Home::new();
    home.plants(&["man", "--output", "man/man1"]).ended().orderly(0);
    let folder = home.path().join("man/man1");
    let page = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(page("plants.1"), printed(&["man"]));
    for subcommand in subcommands() {
        assert_eq!(page(&format!("plants-{subcommand}.1")), printed(&["man", &subcommand]));
    }
    assert_eq!(page("plants-journal-backup.1"), printed(&["man", "journal", "backup"]));
    assert!(page("plants-journal-backup.1").contains("plants journal backup plants.db"));
    for page in std::fs::read_dir(&folder).unwrap().map(|page| page.unwrap().file_name().into_string().unwrap()) {
        assert!(!page.contains("help"), "{page}: the help of a command is its page");
    }
    home.write("file", "");
    let wrong = home.plants(&["man", "--output", "file"]).ended().orderly(2);
    assert!(wrong.stderr.contains("file was not made"), "{wrong:?}");
}

#[test]
#[cfg(unix)]
fn no_page_is_written_onto_the_journal() {
    let home = Home::new();
    let journal = home.write("data/journal.db", "entries");
    home.write("man/file", "");
    std::os::unix::fs::symlink(&journal, home.path().join("man/plants-add.1")).unwrap();
    let wrong = home.plants(&["man", "--output", "man", "--data-dir", "data"]).ended().orderly(2);
    assert!(wrong.stderr.contains("that is a file of the journal"), "{wrong:?}");
    assert_eq!(std::fs::read_to_string(journal).unwrap(), "entries");
}

#[test]
fn installed_shells_accept_their_scripts() {
    for shell in ["bash", "fish", "zsh"] {
        let script = printed(&["completions", shell]);
        if let Some(ended) = tool(Command::new(shell).args(["-n"]), &script) {
            assert!(ended.code == Some(0) && ended.stderr.is_empty(), "{shell}: {ended:?}");
        }
    }
}

#[test]
fn the_manual_has_every_subcommand_and_option() {
    let escaped = |text: &str| text.replace('-', "\\-");
    let program = printed(&["man"]);
    for subcommand in subcommands() {
        assert!(program.contains(&escaped(&format!("plants-{subcommand}(1)"))), "{subcommand}");
        let page = printed(&["man", &subcommand]);
        assert!(page.contains(&escaped(&format!("plants-{subcommand} - "))), "{subcommand}");
        assert!(page.contains("EXIT STATUS") && !page.contains("[\\fB"), "{page}");
        for option in options(Some(&subcommand)) {
            assert!(page.contains(&escaped(&format!("--{option}"))), "{subcommand}: {option}");
        }
    }
    for option in options(None) {
        assert!(program.contains(&escaped(&format!("--{option}"))), "{option}");
    }
}

#[test]
fn manual_pages_render_without_a_warning() {
    let pages = subcommands().into_iter().map(|subcommand| printed(&["man", &subcommand]));
    for page in pages.chain([printed(&["man"])]) {
        if let Some(ended) = tool(Command::new("groff").args(["-k", "-man", "-Tutf8", "-ww", "-z"]), &page) {
            assert!(ended.code == Some(0) && ended.stderr.is_empty(), "{ended:?}\n{page}");
        }
    }
    let page = printed(&["man"]);
    if let Some(ended) = tool(Command::new("groff").args(["-k", "-man", "-Tascii", "-P-cbou"]), &page) {
        // The columns of the help stay aligned.
        assert!(ended.stdout.contains("rejected  the store said no: a 3xx status"), "{}", ended.stdout);
        assert!(ended.stdout.contains("PLANTS(1)") || ended.stdout.contains("plants(1)"), "{}", ended.stdout);
    }
}

#[test]
fn completions_and_man_ignore_a_broken_configuration() {
    let home = Home::new();
    home.config("base_url = [");
    for arguments in [&["completions", "bash"][..], &["man"], &["man", "add"]] {
        let run = home.plants_at("not a URL", arguments).env("PLANTS_TOKEN", "a b");
        assert_eq!(run.ended().orderly(0).stdout, printed(arguments));
    }
}

#[test]
fn unknown_pages_and_shells_are_reported() {
    let home = Home::new();
    for (arguments, why) in [
        (&["man", "water"][..], "There is no command water. help lists the commands."),
        (&["man", "journal", "bakcup"], "journal has no command bakcup; did you mean backup? It has backup, restore,"),
        (&["man", "team", "pull"], "team has no command pull. It has "),
        (&["man", "list", "foo"], "list has no command foo. It has none."),
        (&["completions", "cmd"], "[possible values: bash, elvish, fish, powershell, zsh]"),
        (&["completions"], "<SHELL>"),
        (&["man", "--json"], "has no format json"),
        (&["completions", "zsh", "--json"], "has no format json"),
    ] {
        let ended = home.plants(arguments).ended().orderly(2);
        assert!(ended.stdout.is_empty() && ended.stderr.contains(why), "{ended:?}");
    }
}
