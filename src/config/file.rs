//! Reads the config file, up to a size limit, and finds every fault in it at once.
//!
//! Must not know which keys and actions the terminal interface has: it returns the lines of `[keys]` unvalidated.

use std::cell::RefCell;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use super::custom_command::{self, CustomCommand};
use super::document;
use super::fault::{Fault, Location, quoted, shown_error, shown_path, unknown_key};
use super::layer::Layer;
use super::profile::Profile;
use super::setting::{
    ASCII, COMMAND, LANGUAGE, NOTIFY, PLAIN, PROFILE, REDUCED_MOTION, SETTINGS, Scope, THEME, TRIM_AFTER,
};
use super::settings::Remap;
use super::table::{Entry, Reader, Table};
use crate::text::similar::{did_you_mean, similar};

/// Bytes of the largest config file that is read.
const SIZE_LIMIT: u64 = 1 << 20;

#[derive(Default)]
pub(super) struct ConfigFile {
    /// The settings at the top of the file.
    pub(super) layer: Layer,
    pub(super) remaps: Vec<Remap>,
    /// In the order of the file.
    pub(super) profiles: Vec<Profile>,
    /// Whether the file could not be read: a key that is missing here may be in it.
    pub(super) is_unread: bool,
}

impl ConfigFile {
    /// Reads and validates a file. A file that does not exist counts as empty, unless the user named it. `home`
    /// replaces `~` at the beginning of a path.
    pub(super) fn read(path: &Path, is_named: bool, home: Option<&Path>) -> (Self, Vec<Fault>) {
        let mut bytes = Vec::new();
        let read = std::fs::File::open(path).and_then(|file| file.take(SIZE_LIMIT + 1).read_to_end(&mut bytes));
        let what = match read {
            Ok(_) if bytes.len() as u64 > SIZE_LIMIT => "the config file is longer than 1 MiB: check that it is one",
            Ok(_) => match std::str::from_utf8(&bytes) {
                Ok(text) => return Self::parse(path, text, home),
                Err(why) => {
                    let (valid, _) = bytes.split_at(why.valid_up_to());
                    let line = valid.split(|byte| *byte == b'\n').count();
                    return Self::unread(path, Some(line), "the config file is not UTF-8 here: save it as UTF-8");
                }
            },
            Err(why) if !matches!(why.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                let why = shown_error(&why);
                let what = format!("the config file cannot be read: {why}; check its name and its permissions");
                return Self::unread(path, None, &what);
            }
            Err(_) if is_named => "there is no such config file: check --config",
            Err(_) => return Default::default(),
        };
        Self::unread(path, None, what)
    }

    /// Validates the text of a file.
    pub(super) fn parse(path: &Path, text: &str, home: Option<&Path>) -> (Self, Vec<Fault>) {
        let (table, lines) = match document::parse(text) {
            Ok(parsed) => parsed,
            Err((line, what)) => return Self::unread(path, Some(line), &what),
        };
        let reader = Reader { file: path, home, lines, faults: RefCell::default() };
        let file = Self::of_table(reader.table("", &table));
        let mut faults = reader.faults.into_inner();
        faults.sort_by_key(|fault| fault.location.line);
        (file, faults)
    }

    fn unread(path: &Path, line: Option<usize>, what: &str) -> (Self, Vec<Fault>) {
        (Self { is_unread: true, ..Self::default() }, vec![Location::in_file(path, line, "").fault(what)])
    }

    fn of_table(mut table: Table<'_>) -> Self {
        let layer = Layer {
            profile: table.read(PROFILE.key, |entry| {
                Some(entry.located(entry.text("the name of a profile in quotes")?.to_owned()))
            }),
            theme: table.read(THEME.key, |entry| entry.choice("a theme in quotes, like \"dark\"")),
            notify: table.read(NOTIFY.key, |entry| entry.choice("a way in quotes, like \"bell\"")),
            language: table.read(LANGUAGE.key, |entry| entry.choice("a language in quotes, like \"de\"")),
            reduced_motion: table.read(REDUCED_MOTION.key, Entry::switch),
            ascii: table.read(ASCII.key, Entry::switch),
            plain: table.read(PLAIN.key, Entry::switch),
            trim_after: table.read(TRIM_AFTER.key, |entry| entry.parsed("an age in quotes, like \"90d\"")),
            command: table.read(COMMAND.key, |entry| {
                let commands = entry.items(custom_command::WANTED)?;
                Some(commands.iter().filter_map(CustomCommand::read).collect())
            }),
            ..Layer::default()
        };
        let remap = |entry: Entry<'_>| {
            let keys = entry.text_or_texts("a key in quotes, or an array of them, like [\"a\", \"F2\"]")?;
            Some(Remap { action: entry.name.to_owned(), keys, line: entry.line })
        };
        let remaps = table.entries_of("keys", "a table: write [keys]").into_iter().filter_map(remap).collect();
        let wanted = "a table: write [profile.NAME]";
        let profile = |entry: Entry<'_>| {
            if entry.name.is_empty() {
                entry.fault("a profile needs a name: write it like [profile.staging]");
                return None;
            }
            Some(Profile::read(&entry, entry.table(wanted)?))
        };
        let profiles = table.entries_of("profile", wanted).into_iter().filter_map(profile).collect();
        let of_profiles =
            || SETTINGS.iter().filter(|setting| setting.scope == Scope::Profile && !setting.key.is_empty());
        table.report_unknown(|key, meant| {
            let near = similar(key, of_profiles().map(|setting| setting.key)).filter(|_| meant.is_empty());
            match near {
                _ if of_profiles().any(|setting| setting.key == key) => {
                    "this key belongs under a [profile.NAME]".to_owned()
                }
                Some(near) => format!("unknown key; did you mean {near}, under a [profile.NAME]?"),
                None => unknown_key(meant),
            }
        });
        Self { layer, remaps, profiles, is_unread: false }
    }

    pub(super) fn profile(&self, name: &str) -> Option<&Profile> {
        self.profiles.iter().find(|profile| profile.name == name)
    }

    /// Whether the file itself has a secret, the password of a proxy.
    pub(super) fn has_password(&self) -> bool {
        let mut proxies = self.profiles.iter().filter_map(|profile| profile.layer.proxy.as_ref());
        proxies.any(|proxy| proxy.0.password().is_some())
    }
}

/// Says that there is no profile of this name, in which file if the place of the fault does not say so, and which ones there
/// are.
pub fn no_such_profile<'p>(name: &str, file: Option<&Path>, known: impl Iterator<Item = &'p str> + Clone) -> String {
    let (name, meant) = (quoted(name), did_you_mean(name, known.clone()));
    let known: Vec<_> = known.map(quoted).collect();
    if known.is_empty() {
        let file = file.map_or_else(|| "the config file".to_owned(), shown_path);
        return format!("there is no profile {name}: {file} has none; add it, or name another file with --config");
    }
    let of_file = file.map(|file| format!(" in {}", shown_path(file))).unwrap_or_default();
    format!("there is no profile {name}{of_file}; there are: {}{meant}", known.join(", "))
}

/// Withholds the variables with secrets that the config file names now. Blocks on the file system.
pub fn withhold_variables_of(config_file: &Path) {
    drop(ConfigFile::read(config_file, false, None));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::clipboard::Clipboard;
    use crate::config::options::{HeaderColor, ThemeChoice};
    use crate::config::secret_command::composed;
    use crate::config::token_source::TokenSource;
    use crate::config::value::Timeout;
    use crate::config::withheld::is_named;
    use std::time::Duration;

    fn parsed(text: &str) -> (ConfigFile, Vec<String>) {
        let (file, faults) = ConfigFile::parse(Path::new("/etc/config.toml"), text, Some(Path::new("/home/ann")));
        let shown = faults.iter().map(|fault| fault.to_string().replace("/etc/config.toml:", "")).collect();
        (file, shown)
    }

    #[test]
    fn no_program_inherits_a_variable_that_a_config_file_names() {
        let text = "[profile.a]\ntoken_env = 'A_SECRET'\n[profile.b.headers]\nX-Key = { env = 'B_SECRET' }\n\
                    [[command]]\nkey = 'f'\nrun = ['env']\non = 'plant'\n";
        let (file, faults) = parsed(text);
        assert_eq!(faults, [""; 0]);
        let custom = file.layer.command.iter().flatten().next().and_then(CustomCommand::composed).unwrap();
        let clipboard = Clipboard::of_variables(|name| (name == "DISPLAY").then(|| "x".into()));
        let clipboards = clipboard.composed().map(|(_, command)| command);
        for command in clipboards.chain([custom, composed(&["pass".to_owned()]).unwrap()]) {
            let removed: Vec<_> = command.as_std().get_envs().collect();
            for name in ["A_SECRET", "B_SECRET", "PLANTS_TOKEN"] {
                assert!(removed.contains(&(name.as_ref(), None)), "{command:?}");
            }
        }
        assert!(is_named("A_SECRET") && !is_named("C_SECRET"));
    }

    fn faults(text: &str) -> Vec<String> {
        parsed(text).1
    }

    #[test]
    fn every_documented_key_is_read() {
        let (file, faults) = parsed(
            r#"
default = "staging"
reduced_motion = true
theme = "high-contrast"

[keys]
add = "a"
quit = ["q", "F10"]

[profile.staging]
base_url = "https://plants.staging.example/api/"
token_command = ["pass", "show", "plants/staging"]
timeout = "2m"
ca_cert = "staging-ca.pem"
color = "yellow"
read_only = true
proxy = "http://proxy.example:3128"

[profile.local]
base_url = "http://10.0.0.2"
token_file = "~/token"
allow_http = true
"#,
        );
        assert_eq!(faults, [""; 0]);
        assert_eq!(file.layer.profile.as_ref().map(|name| name.value.as_str()), Some("staging"));
        assert_eq!((file.layer.theme, file.layer.reduced_motion), (Some(ThemeChoice::HighContrast), Some(true)));
        let names: Vec<_> = file.profiles.iter().map(|profile| profile.name.as_str()).collect();
        assert_eq!(names, ["staging", "local"]);
        let bound: Vec<_> = file.remaps.iter().map(|r| (r.action.as_str(), r.keys.join(" "), r.line)).collect();
        assert_eq!(bound, [("add", "a".to_owned(), 7), ("quit", "q F10".to_owned(), 8)]);

        let staging = file.profile("staging").unwrap();
        assert_eq!(staging.url().unwrap().to_string(), "https://plants.staging.example/api");
        let staging = &staging.layer;
        assert!(matches!(&staging.token_source, Some(TokenSource::Command(words)) if words.len() == 3));
        let timeout = Some(Timeout(Duration::from_secs(120)));
        assert_eq!((staging.timeout, staging.color), (timeout, Some(HeaderColor::Yellow)));
        assert_eq!(staging.ca_cert.as_ref().unwrap().value, Path::new("/etc/staging-ca.pem"));
        assert_eq!((staging.read_only, staging.allow_http), (Some(true), None));
        assert!(staging.proxy.is_some());

        let local = &file.profile("local").unwrap().layer;
        assert!(matches!(&local.token_source, Some(TokenSource::File(path)) if path == Path::new("/home/ann/token")));
        assert_eq!((local.allow_http, local.read_only), (Some(true), None));
    }

    #[test]
    fn every_fault_of_a_file_is_reported_with_its_line() {
        let text = r#"default = "prod"
theme = "drak"
colour = "red"
[keys]
add = 7
[profile.staging]
base_url = "ftp://plants.example"
timeout = "soon"
tiemout = "3s"
color = "purple"
read_only = "yes"
token_env = "TOKEN"
token_file = "token"
[profile.staging.extra]
[profile.late]
timeout = 30
"#;
        assert_eq!(
            faults(text),
            [
                "2: theme: \"drak\" is none of auto, dark, light, high-contrast, mono; did you mean dark?",
                "3: colour: unknown key; did you mean color, under a [profile.NAME]?",
                "5: keys.add: found a number, wanted a key in quotes, or an array of them, like [\"a\", \"F2\"]",
                "7: profile.staging.base_url: a base URL is http or https, not ftp: write https://plants.example",
                "8: profile.staging.timeout: \"soon\" is no duration: write 30s or 2m",
                "9: profile.staging.tiemout: unknown key; did you mean timeout?",
                "10: profile.staging.color: \"purple\" is none of black, red, green, yellow, blue, magenta, cyan, \
                 gray, dark-gray, light-red, light-green, light-yellow, light-blue, light-magenta, light-cyan, white",
                "11: profile.staging.read_only: found a text in quotes, wanted true or false, without quotes",
                "13: profile.staging.token_file: a profile has one source of its token, and token_env is in line 12: remove one of the two",
                "14: profile.staging.extra: unknown key: remove it, or see plants config --example",
                "16: profile.late.timeout: found a number, wanted a duration in quotes, like \"30s\"",
            ]
        );
    }

    #[test]
    fn a_file_that_is_not_toml_has_one_fault() {
        let text = "defualt = 'late'\n[profile.a]\ncolor = purple\nbase_url = 'ftp://x'\n[profile.a]\n";
        let (file, faults) = parsed(text);
        assert_eq!(faults, ["3: text needs quotes around it: write \"…\""]);
        assert!(file.is_unread && file.profiles.is_empty());
    }

    #[test]
    fn the_fault_of_a_misplaced_key_says_where_it_belongs() {
        assert_eq!(
            faults(
                "base_url = 'http://h'\ntimeuot = '1s'\n'' = 1\n[profile.a]\ntoken = 'canary'\n[[profile.b]]\n[profiles.a]\n"
            ),
            [
                "1: base_url: this key belongs under a [profile.NAME]",
                "2: timeuot: unknown key; did you mean timeout, under a [profile.NAME]?",
                "3: \"\": unknown key: remove it, or see plants config --example",
                "5: profile.a.token: a token does not belong in this file: use token_command, token_file or token_env",
                "6: profile.b: found an array, wanted a table: write [profile.NAME]",
                "7: profiles: unknown key; did you mean profile?",
            ]
        );
    }

    #[test]
    fn every_misspelt_name_is_followed_by_the_one_that_was_probably_meant() {
        let text = "defualt = 'stagng'\ndefault = 'stagng'\ntheme = 'Lihgt'\n[key]\n[profile.staging]\nbase_ulr = 'x'\n\
                    color = 'grey'\nteam_bodys = true\nreduced_motion = true\n[profil.b]\n";
        assert_eq!(
            faults(text),
            [
                "1: defualt: unknown key; did you mean default?",
                "3: theme: \"Lihgt\" is none of auto, dark, light, high-contrast, mono; did you mean light?",
                "4: key: unknown key; did you mean keys?",
                "6: profile.staging.base_ulr: unknown key; did you mean base_url?",
                "7: profile.staging.color: \"grey\" is none of black, red, green, yellow, blue, magenta, cyan, gray, \
                 dark-gray, light-red, light-green, light-yellow, light-blue, light-magenta, light-cyan, white; did you \
                 mean gray?",
                "8: profile.staging.team_bodys: unknown key; did you mean team_bodies?",
                "9: profile.staging.reduced_motion: this key belongs at the top of the file, before any table",
                "10: profil: unknown key; did you mean profile?",
            ]
        );
    }

    #[test]
    fn an_age_is_at_least_one_day() {
        let why = "write an age of at least one day, like 90d, 6months or 1y";
        let wanted = "found a number, wanted an age in quotes, like \"90d\"";
        assert_eq!(
            faults("trim_after = '1h'\n[profile.a]\nteam_keep = '1m'\n[profile.b]\nteam_keep = 30\n"),
            [
                format!("1: trim_after: {why}"),
                format!("3: profile.a.team_keep: {why}"),
                format!("5: profile.b.team_keep: {wanted}"),
            ]
        );
    }

    #[test]
    fn a_token_command_is_an_array_of_words() {
        let wanted = "wanted an array of texts, like [\"pass\", \"show\", \"plants\"]";
        assert_eq!(
            faults(
                "[profile.a]\ntoken_command = 'pass canary'\n[profile.b]\ntoken_command = []\n[profile.c]\ntoken_command = [\n 'a',\n 2]\n"
            ),
            [
                format!("2: profile.a.token_command: found a text in quotes, {wanted}"),
                "4: profile.b.token_command: the command is empty: write it like [\"pass\", \"show\", \"plants\"]"
                    .to_owned(),
                format!("8: profile.c.token_command: found a number, {wanted}"),
            ]
        );
    }

    #[test]
    fn a_profile_authenticates_in_one_way_at_its_team() {
        let only_one = "a profile has one way to authenticate at its team's servers, and";
        let secret = "a secret does not belong in this file: use";
        let text = "[profile.a]\nteam_credentials = 'a'\nteam_nkey = 'b'\n[profile.b]\nteam_token_command = ['b']\n\
                    team_user = 'ann'\nteam_password_command = ['b']\n[profile.c]\nteam_user = 'ann'\n[profile.d]\n\
                    team_password_command = ['b']\nteam_password = 'canary'\nteam_token = 'canary'\n[profile.e]\n\
                    team_user = 'ann'\nteam_password_command = 'canary'\n";
        assert_eq!(
            faults(text),
            [
                format!("3: profile.a.team_nkey: {only_one} team_credentials is in line 2: remove one of the two"),
                format!("6: profile.b.team_user: {only_one} team_token_command is in line 5: remove one of the two"),
                "9: profile.c.team_user: team_password_command is missing: name the program that prints the password \
                 of this user"
                    .to_owned(),
                "11: profile.d.team_password_command: team_user is missing: name the user who has this password"
                    .to_owned(),
                format!("12: profile.d.team_password: {secret} team_password_command"),
                format!("13: profile.d.team_token: {secret} team_token_command"),
                "16: profile.e.team_password_command: found a text in quotes, wanted an array of texts, like [\"pass\", \
                 \"show\", \"plants\"]"
                    .to_owned(),
            ]
        );
    }

    #[test]
    fn how_a_profile_authenticates_at_its_team_is_shown_without_its_secrets() {
        for (lines, shown) in [
            ("team_credentials = '/ann.creds'", "credentials file /ann.creds"),
            ("team_token_command = ['pass', 'canary']", "token from the command pass"),
            (
                "team_password_command = ['pass', 'canary']\nteam_user = 'ann'",
                "user ann, password from the command pass",
            ),
            ("team_nkey = '/ann.nk'", "nkey from file /ann.nk"),
        ] {
            let (file, faults) = parsed(&format!("[profile.a]\n{lines}\n"));
            let layer = &file.profile("a").unwrap().layer;
            let given: Vec<_> = layer.given().into_iter().map(|given| (given.name, given.value)).collect();
            assert_eq!((given, faults), (vec![("team_access", shown.to_owned())], Vec::new()));
            assert!(!format!("{:?}", layer.team_access).contains("canary"));
        }
    }

    #[test]
    fn names_from_the_file_are_shown_harmlessly() {
        let shown = faults("[profile.\"a\\u001b[2J\"]\n\"x\\u202e\" = 1\n").join("");
        assert_eq!(shown, "2: profile.\"a␛[2J\".\"x‹U+202E›\": unknown key: remove it, or see plants config --example");
    }

    #[test]
    fn a_file_that_cannot_be_read_is_one_fault() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        let read = |is_named| {
            let (_, faults) = ConfigFile::read(&path, is_named, None);
            faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(read(false), "");
        assert!(read(true).ends_with("config.toml: there is no such config file: check --config"));

        std::fs::write(&path, b"a = 1\n\xff").unwrap();
        assert!(read(false).ends_with("config.toml:2: the config file is not UTF-8 here: save it as UTF-8"));
        std::fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
        assert!(read(false).contains("longer than 1 MiB"));
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(read(false).contains("the config file cannot be read: "));
    }
}
