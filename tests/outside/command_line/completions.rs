//! Completions at a Tab, in real shells: what is offered, from what, and that no value is interpreted.

use std::path::Path;

use super::packaging::{options, printed, subcommands};
use crate::support::extent::step;
use crate::support::raw::RawStore;
use crate::support::served::Served;
use crate::support::{Home, Run, files_below, tool};

/// A tag that a shell would run, or split, or expand.
const HOSTILE: &str = "rose $(touch owned)`touch owned`;touch owned|* it's {a,b} \\ ~ !! #";

/// A home with plants of a store, and a shell's surroundings.
struct Shell {
    home: Home,
    base: String,
}

impl Shell {
    fn new(base: &str) -> Self {
        Self { home: Home::new(), base: base.to_owned() }
    }

    /// Returns one with plants: 7 with the tag desert, 70 with that of moss, -3 with the hostile one, 8 with a line break.
    fn with_plants() -> Self {
        let store = Served::calm();
        let shell = Self::new(&store.base);
        for (id, name, tag) in
            [("7", "Fern", "desert"), ("70", "Ivy", "moss"), ("-3", "X", HOSTILE), ("8", "Y", "de\nx")]
        {
            let add = ["add", name, "--id", id, "--tag", tag];
            shell.home.plants_at(&store.base, &add).ended().orderly(0);
        }
        shell.home.config(format!(
            "[profile.local]\nbase_url = \"{}\"\n[profile.far]\nbase_url = \"https://p.example\"\n",
            store.base
        ));
        shell
    }

    /// Runs a script of a shell; `None` if it is not installed.
    fn run(&self, shell: &str, arguments: &[&str], script: &str) -> Option<String> {
        let mut run = self.home.program(shell, arguments).env("PLANTS_BASE_URL", &self.base).env("TERM", "xterm");
        let folder = Path::new(env!("CARGO_BIN_EXE_plants")).parent().unwrap();
        let path = run.command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, path)| path).unwrap();
        let path = format!("{}:{}", folder.display(), path.display());
        run.command.env("PATH", path);
        let ended = tool(&mut run.command, script)?;
        assert!(ended.code == Some(0) && ended.stderr.is_empty(), "{ended:?}");
        Some(ended.stdout)
    }

    /// Returns what bash has for each line, of which the part behind the last `^` is what it replaces.
    fn bash(&self, lines: &[&str]) -> Option<Vec<Vec<String>>> {
        let ask = |line: &&str| {
            let (kept, replaced) = line.rsplit_once('^').unwrap();
            let line = format!("{kept}{replaced}");
            format!("ask {} {}\n", in_quotes(&line), in_quotes(replaced))
        };
        let script = r#"ask() {
    COMP_LINE=$1 COMP_POINT=${#1}
    _plants plants "$2" x
    printf '%s\n' "${COMPREPLY[@]}" ---
}
"#;
        let asked = lines.iter().map(ask).collect::<Vec<_>>().concat();
        let said = self.run("bash", &["--norc"], &format!("source <(plants completions bash)\n{script}{asked}"))?;
        let of_line = |said: &str| said.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
        Some(said.split_terminator("---\n").map(of_line).collect())
    }

    /// Returns each line after a Tab in zsh.
    fn zsh(&self, lines: &[&str]) -> Option<Vec<String>> {
        self.home.write(
            ".zshrc",
            r#"PS1='> '
fpath=(functions $fpath)
autoload -Uz compinit
compinit -u -D
[[ -e functions ]] || source <(plants completions zsh)
shown() { print -r -- "<<$BUFFER>>"; BUFFER= }
zle -N shown
bindkey '^G' shown
unsetopt automenu autolist
setopt nolistbeep
print READY
"#,
        );
        let script = r"zmodload zsh/zpty
zpty inner 'zsh -d -i'
zpty -r -m inner out '*READY*'
while IFS= read -r line; do
    zpty -w -n inner $line$'\t\a'
    zpty -r -m inner out '*<<*>>*'
    print -r -- ${${out##*<<}%%>>*}
done < lines
zpty -d inner
";
        self.home.write("lines", lines.join("\n") + "\n");
        Some(self.run("zsh", &["-f"], script)?.lines().map(str::to_owned).collect())
    }

    /// Returns the values that fish has for a line.
    fn fish(&self, line: &str) -> Option<Vec<String>> {
        let script = format!("plants completions fish | source\ncomplete -C {}\n", in_quotes(line));
        let said = self.run("fish", &["--no-config"], &script)?;
        Some(said.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect())
    }
}

/// Quotes a text without backslashes for bash and fish.
fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Returns what `plants` says to the script of a shell; it has tabs.
fn asked(home: &Home, shell: &str, words: &[&str]) -> String {
    said(home.plants(&[&["--"], words].concat()).env("COMPLETE", shell))
}

fn said(run: Run) -> String {
    let ended = run.ended();
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{ended:?}");
    ended.stdout
}

#[test]
fn every_shell_completes_every_subcommand_and_option() {
    let home = Home::new();
    for shell in ["elvish", "fish", "powershell", "zsh", "bash"] {
        let completed = |words: [&str; 3]| match shell {
            "bash" => asked(&home, shell, &[&words.join(" "), words[2]]),
            // PowerShell keeps empty words with a dot.
            "powershell" => asked(&home, shell, &[words[0], words[1], &format!(".{}", words[2])]),
            _ => asked(&home, shell, &words),
        };
        let has =
            |said: &str, word: &str| said.lines().any(|line| line.trim_start().split(['\t', ':']).next() == Some(word));
        for verb in subcommands().iter().step_by(step(5)) {
            let verbs = completed(["plants", "--no-color", verb]);
            assert!(has(&verbs, verb), "{shell}: {verb}: {verbs}");
            let completed = completed(["plants", verb, "--"]);
            for option in options(Some(verb)) {
                assert!(has(&completed, &format!("--{option}")), "{shell}: {verb} --{option}: {completed}");
            }
        }
    }
}

#[test]
fn bash_completes_verbs_options_and_values() {
    let shell = Shell::with_plants();
    let lines = [
        ("plants ^hist", &["history"][..]),
        ("plants history ^--foll", &["--follow"]),
        ("plants history --as ^cu", &["curl"]),
        ("plants completions ^z", &["zsh"]),
        ("plants delete ^7", &["7", "70"]),
        ("plants delete 7 ^-3", &["-3"]),
        ("plants delete ^9", &[]),
        ("plants delete ^Fe", &["Fern"]),
        ("plants resolve ^Fe", &["Fern"]),
        ("plants list tag:^de", &["desert"]),
        ("plants list '^!tag:de", &["!tag:desert"]),
        ("plants list fern 'ivy ^tag:mo", &["tag:moss"]),
        ("plants list state:^un", &["unknown"]),
        ("plants add --tag=^de", &["desert"]),
        ("plants add --tag ^mo", &["moss"]),
        ("plants --profile ^f", &["far"]),
        ("plants profile use ^lo", &["local"]),
        ("plants history ^2", &["2"]),
        ("plants add --from ^", &["4", "3", "2", "1"]),
        ("plants delete --base-url http://127.0.0.1:1 ^7", &[]),
        ("plants delete --demo ^7", &[]),
        ("plants delete --profile nowhere ^7", &[]),
    ];
    let Some(completed) = shell.bash(&lines.map(|(line, _)| line)) else { return };
    for ((line, expected), completed) in lines.iter().zip(&completed) {
        assert_eq!(completed, expected, "{line}");
    }
}

#[test]
fn zsh_completes_verbs_options_and_values() {
    let shell = Shell::with_plants();
    let lines = [
        ("plants hist", "plants history "),
        ("plants history --foll", "plants history --follow "),
        ("plants delete 70", "plants delete 70 "),
        ("plants delete -3", "plants delete -3 "),
        ("plants list tag:de", "plants list tag:desert "),
        ("plants list ta", "plants list tag:"),
        ("plants add --tag mo", "plants add --tag moss "),
        ("plants --profile f", "plants --profile far "),
        ("plants profile show lo", "plants profile show local "),
        ("plants add --from 2", "plants add --from 2 "),
        ("plants import line", "plants import lines "),
    ];
    let Some(completed) = shell.zsh(&lines.map(|(line, _)| line)) else { return };
    assert_eq!(completed, lines.map(|(_, completed)| completed));
}

#[test]
fn fish_completes_verbs_options_and_values() {
    let shell = Shell::with_plants();
    for (line, expected) in [
        ("plants hist", &["history"][..]),
        ("plants history --foll", &["--follow"]),
        ("plants delete 7", &["7", "70"]),
        ("plants delete -3", &["-3"]),
        ("plants list tag:de", &["tag:desert"]),
        ("plants list \"tag:de", &["tag:desert"]),
        ("plants add --tag mo", &["moss"]),
        ("plants --profile f", &["far"]),
        ("plants profile show lo", &["local"]),
        ("plants add --from 2", &["2"]),
    ] {
        let Some(completed) = shell.fish(line) else { return };
        assert_eq!(completed, expected, "{line}");
    }
}

#[test]
fn no_shell_interprets_a_completed_value() {
    let shell = Shell::with_plants();
    for begun in ["", "'", "\""] {
        let Some(completed) = shell.bash(&[&format!("plants add --tag {begun}^r")]) else { break };
        // Bash closes the quote.
        let word = format!("{begun}{}{begun}", completed[0][0]);
        let said = shell.run("bash", &["--norc"], &format!("printf '%s\\n' {word}\n"));
        assert_eq!(said.as_deref(), Some(format!("{HOSTILE}\n").as_str()), "{word}");
    }
    if let Some(completed) = shell.zsh(&["plants add --tag r"]) {
        let word = completed[0].strip_prefix("plants add --tag ").unwrap().trim_end();
        let said = shell.run("zsh", &["-f"], &format!("print -r -- {word}\n"));
        assert_eq!(said.as_deref(), Some(format!("{HOSTILE}\n").as_str()), "{word}");
    }
    assert_eq!(shell.fish("plants add --tag r").unwrap_or_else(|| vec![HOSTILE.to_owned()]), [HOSTILE]);
    let quoted = asked(&shell.home, "powershell", &["plants", "--profile", "local", "add", "--tag", ".r"]);
    assert_eq!(quoted, format!("'{}'\t\n", HOSTILE.replace('\'', "''")));
    assert!(!shell.home.path().join("owned").exists());
}

#[test]
fn a_tab_sends_nothing_creates_nothing_and_prints_no_fault() {
    let store = RawStore::saying("200 OK", "");
    let home = Home::new();
    let ask = |home: &Home, words: &[&str]| {
        let run = home.plants_at(&store.url(), &[&["--"], words].concat());
        said(run.env("COMPLETE", "fish").env("PLANTS_LOG", home.path().join("log")))
    };
    for words in [&["plants", "delete", ""][..], &["plants", "list", "tag:"], &["plants", "history", "1"]] {
        ask(&home, words);
        assert_eq!(files_below(home.path()), []);
    }
    let marker = home.path().join("ran");
    let command =
        format!("[profile.p]\nbase_url = \"{}\"\ntoken_command = [\"touch\", \"{}\"]\n", store.url(), marker.display());
    for config in ["base_url = [", "nonsense = 1\n", &command] {
        home.config(config);
        let before = files_below(home.path());
        assert_eq!(ask(&home, &["plants", "--profile", "p", "delete", "7"]), "");
        assert_eq!(files_below(home.path()), before);
    }
    // A damaged journal is left for a command to repair.
    home.config("");
    home.write(".local/share/plants/journal.db", "no journal");
    let before = files_below(home.path());
    assert_eq!(ask(&home, &["plants", "delete", "7"]), "");
    assert_eq!(files_below(home.path()), before);
    assert_eq!(store.arrived_so_far(), Vec::<String>::new());
}

#[test]
fn the_variable_of_a_tab_alone_changes_no_command() {
    let home = Home::new();
    for value in ["bash", "1", "nonsense"] {
        let ended = home.plants(&["paths"]).env("COMPLETE", value).ended().orderly(0);
        assert!(ended.stdout.contains("journal"), "{ended:?}");
    }
}

#[test]
fn the_script_of_zsh_completes_at_its_first_tab_from_a_directory_of_fpath() {
    let shell = Shell::new("http://127.0.0.1:1");
    shell.home.write("functions/_plants", printed(&["completions", "zsh"]));
    let Some(completed) = shell.zsh(&["plants hist"]) else { return };
    assert_eq!(completed, ["plants history "]);
}
