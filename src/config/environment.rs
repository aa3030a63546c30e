//! Reads the environment variables once: without the CR of a CRLF file at the end, and paths with `~/` expanded.
//!
//! Must not know which settings have precedence.

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::clipboard::Clipboard;
use super::fault::{Fault, Located, Location};
use super::layer::{Layer, located, switch};
use super::options::{Pager, ProgressBar};
use super::path::expand;
use super::setting::{
    ASCII, BASE_URL, CLICOLOR_FORCE, DATA_DIR, FORCE_COLOR, LOG, NO_COLOR, PAGER, PLAIN, PROFILE, READ_ONLY,
    REDUCED_MOTION, SETTINGS, Setting, TEAM, TEAM_CREDENTIALS, TEAM_STORE, TOKEN,
};
use super::team_access::TeamAccess;
use super::token_source::TokenSource;
use super::value::{InvalidValue, Proxy};
use super::variable::variable;
use crate::client::Token;
use crate::domain::{Author, Language};
use crate::os::files::{CONFIG_HOME, DATA_HOME};
use crate::os::process::{USER, host_name};
use crate::os::terminal::assumed_kind;
use crate::text::similar::within;

/// Options that `less` and `lv` need to show colours, and `less` to show a short text like any other program does.
const PAGER_OPTIONS: [(&str, &str); 2] = [(LESS, "FRX"), ("LV", "-c")];

const LESS: &str = "LESS";

/// Lets `less` show colours, before the options that are set: one of those may take the rest of the text.
const COLORS_OF_LESS: &str = "-R ";

/// Columns and rows of a terminal of which nothing is known.
const SIZE: (u16, u16) = (80, 24);

/// Variables that decide where something goes, or whether it goes: a pipeline whose variable lost its value must not
/// fall back to something else.
const NEVER_EMPTY: [&str; 6] =
    [BASE_URL.variable, PROFILE.variable, TOKEN.variable, TEAM.variable, DATA_DIR.variable, READ_ONLY.variable];

/// Those that are about one store.
pub(super) const OF_A_STORE: [&str; 6] = [
    BASE_URL.variable,
    PROFILE.variable,
    TOKEN.variable,
    TEAM.variable,
    TEAM_STORE.variable,
    TEAM_CREDENTIALS.variable,
];

/// The proxy for https: the first of these that is set, as in curl.
const PROXIES: [&str; 4] = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];

const EMPTY: &str = "the variable is empty: give it a value, or unset it";
const NOT_TEXT: &str = "the value is not UTF-8: write it in UTF-8";
const NO_HOME: &str = "no home directory is known: write the path in full instead of ~/";

/// Lets debuggers and core dumps see the memory.
const DUMPABLE: &str = "PLANTS_DUMPABLE";

/// Names the shell that runs the program to complete a line.
const COMPLETE: &str = "COMPLETE";

const PREFIX: &str = "PLANTS_";

/// Letters by which a misspelt variable differs from a known one.
const MISSPELT_LETTERS: usize = 2;

/// The variables that this program uses. An empty variable counts as not set, except that of the pager, and those that
/// must not be empty.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    pub(super) layer: Layer,
    /// The name of the user.
    pub user: Option<String>,
    /// Whether there are colours also where stdout is no terminal.
    pub force_color: bool,
    pub progress_bar: ProgressBar,
    /// The name of the variable that has the proxy for https, and its value.
    pub proxy: Option<(&'static str, Result<Proxy, InvalidValue>)>,
    /// The hosts that are reached without that proxy.
    pub no_proxy: Option<String>,
    /// The locale of characters: the first that is set of `LC_ALL`, `LC_CTYPE` and `LANG`.
    pub locale: Option<String>,
    /// The language of messages: that of the first that is set of `LC_ALL`, `LC_MESSAGES` and `LANG`.
    pub language: Language,
    /// The colours of the terminal's text and background.
    pub colorfgbg: Option<String>,
    /// Set by terminals with more than 256 colours.
    pub colorterm: Option<String>,
    pub term: Option<String>,
    pub columns: Option<u16>,
    pub lines: Option<u16>,
    /// `None` if the variables switch it off.
    pub pager: Option<Pager>,
    pub clipboard: Clipboard,
    pub home: Option<PathBuf>,
    /// The system's [`CONFIG_HOME`].
    pub config_home: Option<PathBuf>,
    /// The system's [`DATA_HOME`].
    pub data_home: Option<PathBuf>,
    /// The faults of variables that are empty or no text, unless a flag overrides them.
    pub(super) unusable: Vec<Fault>,
    /// The faults of the other values.
    pub(super) invalid: Vec<Fault>,
    /// Unknown variables that are named almost like a known one, with its name.
    pub misspelt: Vec<(String, &'static str)>,
}

/// Returns the shell that runs the program to complete a line, if one does.
pub fn completing_shell() -> Option<OsString> {
    variable(COMPLETE)
}

impl Environment {
    pub fn read() -> Self {
        let names: Vec<_> = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
        Self { misspelt: misspelt(names.iter().map(String::as_str)), ..Self::from_variables(variable) }
    }

    /// Returns an empty environment with XDG's default directories in `home`.
    pub fn at_home(home: &Path) -> Self {
        Self {
            home: Some(home.to_owned()),
            config_home: Some(home.join(".config")),
            data_home: Some(home.join(".local/share")),
            ..Self::default()
        }
    }

    #[cfg(test)]
    pub(crate) fn with(self, variables: &[(&str, &str)]) -> Self {
        let Self { home, config_home, data_home, .. } = self;
        let value_of = |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, value)| value.into());
        Self { home, config_home, data_home, ..Self::from_variables(value_of) }
    }

    pub fn log(&self) -> Option<&Path> {
        self.layer.log.as_deref()
    }

    pub fn token(&self) -> Option<&Token> {
        if let Some(TokenSource::Given(token)) = &self.layer.token_source { Some(token) } else { None }
    }

    /// Says why the variable of the token cannot be used.
    pub fn fault_of_token(&self) -> Option<&Fault> {
        self.unusable.iter().chain(&self.invalid).find(|fault| fault.location.key == TOKEN.variable)
    }

    /// Returns the environment without the settings of one store.
    pub(super) fn without_store(&self) -> Self {
        let mut others = self.clone();
        others.layer = Layer {
            base_url: None,
            profile: None,
            token_source: None,
            team: None,
            team_store: None,
            team_access: None,
            ..others.layer
        };
        for faults in [&mut others.unusable, &mut others.invalid] {
            faults.retain(|fault| !OF_A_STORE.contains(&fault.location.key.as_str()));
        }
        others
    }

    /// Returns the default name of an author: that of the user and the host.
    pub(super) fn author(&self) -> Author {
        let user = self.user.as_deref().unwrap_or("somebody");
        let name = format!("{user}@{}", host_name());
        let visible: String = name.chars().filter(|c| !c.is_whitespace() && !c.is_control()).take(100).collect();
        visible.parse().unwrap_or_default()
    }

    /// Whether the terminal obeys no escape sequences.
    pub fn is_dumb(&self) -> bool {
        self.term.as_deref().is_none_or(|term| term == "dumb")
    }

    /// Whether the terminal shows ASCII only: the locale says so, or it is the Linux console, whose fonts have few
    /// characters. An environment without a locale, as in containers, says nothing about the terminal.
    pub(super) fn lacks_unicode(&self) -> bool {
        let is_utf8 = |locale: &str| {
            let locale = locale.split('@').next().unwrap_or_default().to_ascii_lowercase();
            locale.ends_with("utf-8") || locale.ends_with("utf8")
        };
        self.term.as_deref() == Some("linux") || self.locale.as_deref().is_some_and(|locale| !is_utf8(locale))
    }

    /// Returns the columns and rows of a terminal that does not say how large it is, such as a serial line.
    pub fn assumed_size(&self) -> (u16, u16) {
        (self.columns.unwrap_or(SIZE.0), self.lines.unwrap_or(SIZE.1))
    }

    /// Whether the terminal is known as one that obeys no escape sequences.
    pub fn is_named_dumb(&self) -> bool {
        self.term.as_deref() == Some("dumb")
    }

    fn from_variables(look_up: impl Fn(&str) -> Option<OsString>) -> Self {
        let pager = pager(&look_up);
        let empty = NEVER_EMPTY.into_iter().filter(|name| look_up(name).is_some_and(|value| value.is_empty()));
        let faults = RefCell::new(empty.map(|name| Location::named(name).fault(EMPTY)).collect::<Vec<_>>());
        let is_unusable = |name, why| faults.borrow_mut().push(Location::named(name).fault(why));
        let look_up = |name: &str| look_up(name).filter(|value| !value.is_empty());
        let home = home_of(look_up("HOME"));
        // A relative path is invalid.
        let folder = |(name, default): (&str, &str)| {
            let named = look_up(name).and_then(|path| expand(PathBuf::from(path), home.as_deref()).ok());
            named.filter(|path| path.is_absolute()).or_else(|| Some(home.as_ref()?.join(default)))
        };
        let (config_home, data_home) = (folder(CONFIG_HOME), folder(DATA_HOME));
        let text = |Setting { variable, .. }: Setting| {
            look_up(variable)?.into_string().map_err(|_| is_unusable(variable, NOT_TEXT)).ok()
        };
        let path = |setting: Setting| {
            let path = expand(text(setting)?.into(), home.as_deref());
            path.map_err(|_| is_unusable(setting.variable, NO_HOME)).ok()
        };
        // Ignores a value that is not UTF-8: it is only a hint.
        let hint = |name| look_up(name).and_then(|value| value.into_string().ok());
        let locale_of = |name| hint("LC_ALL").or_else(|| hint(name)).or_else(|| hint("LANG"));
        let proxy = |name| look_up(name).map(|value| (name, Proxy::of_variable(&value)));
        let mut invalid = Vec::new();
        let mut token = |raw: String| {
            let token = Token::new(&Zeroizing::new(raw));
            token.map_err(|why| invalid.push(Location::named(TOKEN.variable).fault(why))).ok()
        };
        let token_source = text(TOKEN).and_then(&mut token).map(TokenSource::Given);
        let mut is_on = |setting: Setting| switch(&text(setting)?, setting.variable, &mut invalid);
        let layer = Layer {
            token_source,
            profile: text(PROFILE).map(|name| Located::named(PROFILE.variable, name)),
            data_dir: path(DATA_DIR),
            log: path(LOG),
            no_color: look_up(NO_COLOR.variable).map(|_| true),
            reduced_motion: look_up(REDUCED_MOTION.variable).map(|_| true),
            ascii: is_on(ASCII),
            read_only: is_on(READ_ONLY),
            plain: is_on(PLAIN),
            base_url: located(text(BASE_URL).as_deref(), BASE_URL.variable, &mut invalid),
            team: located(text(TEAM).as_deref(), TEAM.variable, &mut invalid),
            team_store: text(TEAM_STORE),
            team_access: path(TEAM_CREDENTIALS).map(TeamAccess::Credentials),
            ..Layer::default()
        };
        Self {
            layer,
            invalid,
            proxy: PROXIES.into_iter().find_map(proxy),
            no_proxy: hint("NO_PROXY").or_else(|| hint("no_proxy")),
            locale: locale_of("LC_CTYPE"),
            language: locale_of("LC_MESSAGES").map_or_else(Language::default, |locale| Language::of_locale(&locale)),
            user: USER.iter().copied().find_map(hint),
            force_color: [FORCE_COLOR, CLICOLOR_FORCE]
                .iter()
                .any(|setting| look_up(setting.variable).is_some_and(|value| value != "0")),
            progress_bar: if hint("WT_SESSION").is_some()
                || hint("ConEmuANSI").as_deref() == Some("ON")
                || matches!(hint("TERM_PROGRAM").as_deref(), Some("WezTerm" | "ghostty"))
            {
                ProgressBar::Shown
            } else {
                ProgressBar::Unknown
            },
            colorfgbg: hint("COLORFGBG"),
            colorterm: hint("COLORTERM"),
            term: hint("TERM").or_else(|| assumed_kind().map(str::to_owned)),
            columns: hint("COLUMNS").and_then(|columns| columns.parse().ok()).filter(|columns| *columns > 0),
            lines: hint("LINES").and_then(|lines| lines.parse().ok()).filter(|lines| *lines > 0),
            pager,
            clipboard: Clipboard::of_variables(look_up),
            home,
            config_home,
            data_home,
            unusable: faults.into_inner(),
            misspelt: Vec::new(),
        }
    }
}

/// Finds the variables that are probably meant to be another one.
fn misspelt<'n>(names: impl Iterator<Item = &'n str>) -> Vec<(String, &'static str)> {
    let known = || SETTINGS.iter().map(|setting| setting.variable).chain([DUMPABLE]).filter(|name| !name.is_empty());
    let unknown = names.filter(|name| name.starts_with(PREFIX) && known().all(|other| other != *name));
    unknown.filter_map(|name| Some((name.to_owned(), within(name, known(), MISSPELT_LETTERS)?))).collect()
}

/// Chooses the pager like git does: an empty name and `cat` switch it off, and options that are set are not changed, but
/// for the colours of `less`.
fn pager(look_up: impl Fn(&str) -> Option<OsString>) -> Option<Pager> {
    let named = look_up(PAGER.variable).or_else(|| look_up("PAGER"));
    let has_terminal = look_up("TERM").is_some_and(|term| term != "dumb" && !term.is_empty());
    let is_wanted = named.as_ref().map_or(has_terminal, |name| !name.is_empty() && name != "cat");
    let variable = |(name, default): (&'static str, &str)| match look_up(name) {
        None => Some((name, default.into())),
        Some(set) if name == LESS => {
            let mut options = OsString::from(COLORS_OF_LESS);
            options.push(set);
            Some((name, options))
        }
        Some(_) => None,
    };
    let variables = PAGER_OPTIONS.into_iter().filter_map(variable).collect();
    is_wanted.then_some(Pager { command: named, variables })
}

/// Where the local time zone comes from.
#[derive(Debug, PartialEq, Eq)]
pub struct ZoneSource {
    pub file: PathBuf,
    /// What `TZ` has, if it is set: without such a file, the zone in the words of POSIX, like `CET-1CEST`.
    pub rule: Option<String>,
}

/// Returns the source of the local time zone: what `TZ` names, in `TZDIR` or the usual folder, or else the system's.
pub fn zone_source() -> ZoneSource {
    zone_source_of(variable("TZ"), variable("TZDIR"))
}

fn zone_source_of(name: Option<OsString>, folder: Option<OsString>) -> ZoneSource {
    let Some(name) = name else { return ZoneSource { file: "/etc/localtime".into(), rule: None } };
    let rule = name.to_string_lossy();
    let rule = rule.strip_prefix(':').unwrap_or(&rule).to_owned();
    let folder = folder.unwrap_or_else(|| "/usr/share/zoneinfo".into());
    ZoneSource { file: Path::new(&folder).join(&rule), rule: Some(rule) }
}

/// Whether debuggers and core dumps may read the program's memory (`PLANTS_DUMPABLE`).
pub fn may_be_debugged() -> bool {
    variable(DUMPABLE).is_some_and(|value| !value.is_empty())
}

/// Returns the home directory, which replaces `~` in a path.
pub(super) fn home() -> Option<PathBuf> {
    home_of(variable("HOME"))
}

fn home_of(variable: Option<OsString>) -> Option<PathBuf> {
    let named = variable.filter(|path| !path.is_empty()).map(PathBuf::from);
    named.or_else(|| etcetera::home_dir().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::os::files::testing::os_string;

    fn of(variables: &[(&str, &[u8])]) -> Environment {
        Environment::from_variables(|name| {
            variables.iter().find(|(set, _)| *set == name).map(|(_, value)| os_string(value))
        })
    }

    #[test]
    fn the_zone_is_a_file_in_the_folder_of_zones_or_a_rule() {
        let source = |name: &str, folder: Option<&str>| zone_source_of(Some(name.into()), folder.map(OsString::from));
        assert_eq!(zone_source_of(None, Some("/zones".into())).file, Path::new("/etc/localtime"));
        for (name, folder, file) in [
            ("Europe/Berlin", None, "/usr/share/zoneinfo/Europe/Berlin"),
            (":Europe/Berlin", None, "/usr/share/zoneinfo/Europe/Berlin"),
            ("UTC", Some("/zones"), "/zones/UTC"),
            ("/etc/zone", Some("/zones"), "/etc/zone"),
        ] {
            assert_eq!(source(name, folder).file, Path::new(file), "{name}");
        }
        assert_eq!(source("CET-1CEST", None).rule.as_deref(), Some("CET-1CEST"));
    }

    #[test]
    fn every_variable_is_read_into_its_field() {
        let read = of(&[
            ("PLANTS_BASE_URL", b"http://h"),
            ("PLANTS_TOKEN", b"canary"),
            ("PLANTS_PROFILE", b"staging"),
            ("PLANTS_DATA_DIR", b"/data"),
            ("NO_COLOR", b"1"),
            ("NO_MOTION", b"1"),
            ("COLORFGBG", b"15;0"),
            ("TERM", b"xterm"),
        ]);
        assert_eq!(read.layer.base_url.as_ref().unwrap().value, "http://h".parse().ok());
        assert_eq!(read.token().unwrap().reveal(), "canary");
        assert_eq!(read.layer.profile.as_ref().unwrap().value, "staging");
        assert_eq!(read.layer.data_dir.as_deref(), Some(Path::new("/data")));
        assert_eq!((read.layer.no_color, read.layer.reduced_motion), (Some(true), Some(true)));
        assert_eq!((read.colorfgbg.as_deref(), read.term.as_deref()), (Some("15;0"), Some("xterm")));
        assert!(!format!("{read:?}").contains("canary"));
    }

    #[test]
    fn an_empty_variable_counts_as_not_set_or_is_a_fault() {
        let read = of(&[("PLANTS_BASE_URL", b""), ("PLANTS_TOKEN", b""), ("NO_COLOR", b""), ("PLANTS_LOG", b"")]);
        assert_eq!(read.layer.given().len(), 0);
        assert_eq!(read.unusable, ["PLANTS_BASE_URL", "PLANTS_TOKEN"].map(|name| Location::named(name).fault(EMPTY)));
        assert_eq!(read.without_store().unusable, []);
        let empty = Location::named("PLANTS_DATA_DIR").fault(EMPTY);
        assert_eq!(of(&[("PLANTS_DATA_DIR", b"")]).without_store().unusable, [empty]);
    }

    #[test]
    fn a_tilde_is_expanded_in_every_variable_with_a_path() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, home) = (folder.path(), ("HOME", folder.path().as_os_str().as_encoded_bytes()));
        let read =
            of(&[home, ("PLANTS_DATA_DIR", b"~/d"), ("PLANTS_LOG", b"~/l"), ("PLANTS_TEAM_CREDENTIALS", b"~/c")]);
        let credentials = read.layer.team_access.map(|access| access.source());
        assert_eq!(credentials, Some(TokenSource::File(folder.join("c"))));
        let paths = [read.layer.data_dir, read.layer.log].map(Option::unwrap);
        assert_eq!(paths, ["d", "l"].map(|name| folder.join(name)));
        let ((config, _), (data, usual)) = (CONFIG_HOME, DATA_HOME);
        let read = of(&[home, (config, b"~/conf"), (data, b"relative")]);
        assert_eq!((read.config_home, read.data_home), (Some(folder.join("conf")), Some(folder.join(usual))));
    }

    #[test]
    fn an_unknown_variable_within_two_letters_of_a_known_one_is_misspelt() {
        let names = ["PLANTS_BASE_ULR", "PLANTS_TOKEN", "PLANTS_READONLY", "PLANTS_GARDEN", "PLANT_TOKEN", "LANG"];
        assert_eq!(
            misspelt(names.into_iter()),
            [("PLANTS_BASE_ULR".to_owned(), "PLANTS_BASE_URL"), ("PLANTS_READONLY".to_owned(), "PLANTS_READ_ONLY")]
        );
    }

    #[test]
    fn the_proxy_is_that_of_the_first_variable_that_is_set() {
        let name = |variables: &[(&str, &[u8])]| of(variables).proxy.map(|(name, proxy)| (name, proxy.is_ok()));
        let proxy = b"http://proxy:3128";
        assert_eq!(name(&[("ALL_PROXY", proxy), ("https_proxy", proxy)]), Some(("https_proxy", true)));
        assert_eq!(name(&[("ALL_PROXY", proxy), ("HTTPS_PROXY", b"")]), Some(("ALL_PROXY", true)));
        assert_eq!(name(&[("all_proxy", b"\xff")]), Some(("all_proxy", false)));
        assert_eq!(name(&[("HTTP_PROXY", proxy)]), None);
        let with_password = of(&[("HTTPS_PROXY", b"http://u:canary@proxy"), ("ALL_PROXY", b"http://u:canary@ x")]);
        assert!(!format!("{with_password:?}").contains("canary"));
    }

    #[test]
    fn a_terminal_of_no_size_is_as_large_as_the_variables_say() {
        let size = |variables: &[(&str, &[u8])]| of(variables).assumed_size();
        assert_eq!(size(&[("COLUMNS", b"132"), ("LINES", b"43")]), (132, 43));
        assert_eq!(size(&[("COLUMNS", b"132")]), (132, 24));
        for invalid in ["", "0", "-1", "wide", "70000"] {
            assert_eq!(size(&[("COLUMNS", invalid.as_bytes()), ("LINES", invalid.as_bytes())]), (80, 24), "{invalid}");
        }
    }

    #[test]
    fn only_a_locale_or_a_console_that_says_so_lacks_unicode() {
        let lacks = |variables: &[(&str, &[u8])]| of(variables).lacks_unicode();
        assert!(!lacks(&[]) && !lacks(&[("LANG", b""), ("TERM", b"xterm")]));
        for utf8 in ["C.UTF-8", "en_US.utf8", "de_DE.UTF-8@euro"] {
            assert!(!lacks(&[("LANG", utf8.as_bytes())]), "{utf8}");
        }
        for other in ["C", "POSIX", "en_US", "de_DE.ISO-8859-1", "de_DE@euro"] {
            assert!(lacks(&[("LANG", other.as_bytes())]), "{other}");
        }
        // The first that is set decides.
        assert!(lacks(&[("LC_ALL", b"C"), ("LANG", b"C.UTF-8")]));
        assert!(!lacks(&[("LC_CTYPE", b"C.UTF-8"), ("LANG", b"C")]));
        assert!(lacks(&[("TERM", b"linux"), ("LANG", b"C.UTF-8")]));
    }

    #[test]
    fn the_first_locale_that_is_set_decides_the_language() {
        let language = |variables: &[(&str, &[u8])]| of(variables).language;
        assert_eq!(language(&[]), Language::En);
        assert_eq!(language(&[("LANG", b"de_DE.UTF-8"), ("LC_CTYPE", b"es_ES.UTF-8")]), Language::De);
        assert_eq!(language(&[("LC_MESSAGES", b"es_ES.UTF-8"), ("LANG", b"de_DE.UTF-8")]), Language::Es);
        assert_eq!(language(&[("LC_ALL", b""), ("LC_MESSAGES", b"ja_JP"), ("LANG", b"de")]), Language::Ja);
        assert_eq!(language(&[("LC_ALL", b"C.UTF-8"), ("LC_MESSAGES", b"ja_JP")]), Language::En);
    }

    #[test]
    fn the_pager_is_chosen_like_by_git() {
        let pager_of = |variables: &[(&str, &[u8])]| of(variables).pager.map(|pager| pager.command);
        let term: (&str, &[u8]) = ("TERM", b"xterm");
        assert_eq!(pager_of(&[term]), Some(None));
        assert_eq!(pager_of(&[term, ("PAGER", b"more")]), Some(Some("more".into())));
        assert_eq!(pager_of(&[term, ("PAGER", b"more"), ("PLANTS_PAGER", b"less -S")]), Some(Some("less -S".into())));
        for off in [&[("PAGER", &b""[..])][..], &[("PAGER", b"cat")], &[("PAGER", b"more"), ("PLANTS_PAGER", b"")]] {
            assert_eq!(pager_of(&[&[term], off].concat()), None, "{off:?}");
        }
        // Without cursor movements only a pager that was asked for.
        assert_eq!(pager_of(&[("TERM", b"dumb")]), None);
        assert_eq!(pager_of(&[]), None);
        assert_eq!(pager_of(&[("TERM", b"dumb"), ("PAGER", b"more")]), Some(Some("more".into())));
    }

    #[test]
    fn options_of_the_pager_are_set_only_where_there_are_none() {
        let term: (&str, &[u8]) = ("TERM", b"xterm");
        let variables_of = |variables: &[(&str, &[u8])]| of(variables).pager.unwrap().variables;
        let variables = |less: &str, lv: Option<&str>| {
            let lv = lv.map(|lv| ("LV", lv.into()));
            [("LESS", OsString::from(less))].into_iter().chain(lv).collect::<Vec<_>>()
        };
        assert_eq!(variables_of(&[term]), variables("FRX", Some("-c")));
        // Those that are set stay, and show colours.
        assert_eq!(variables_of(&[term, ("LESS", b"-S")]), variables("-R -S", Some("-c")));
        assert_eq!(variables_of(&[term, ("LESS", b"FX"), ("LV", b"")]), variables("-R FX", None));
        assert_eq!(variables_of(&[term, ("LESS", b""), ("LV", b"")]), variables("-R ", None));
    }

    #[test]
    fn only_the_name_of_a_variable_that_is_not_utf_8_is_stored() {
        let read = of(&[("PLANTS_TOKEN", b"canary\xff"), ("PLANTS_PROFILE", b"\xff"), ("TERM", b"\xff")]);
        let fault = |name| Location::named(name).fault(NOT_TEXT);
        assert_eq!(read.unusable, ["PLANTS_TOKEN", "PLANTS_PROFILE"].map(fault));
        assert!(!format!("{read:?}").contains("canary"));
    }

    #[test]
    fn colours_are_forced_by_either_variable_unless_it_is_empty_or_0() {
        let forces = |variables: &[(&str, &[u8])]| of(variables).force_color;
        assert!(forces(&[("FORCE_COLOR", b"1")]) && forces(&[("CLICOLOR_FORCE", b"yes")]));
        assert!(forces(&[("FORCE_COLOR", b"0"), ("CLICOLOR_FORCE", b"1")]));
        assert!(!forces(&[]) && !forces(&[("FORCE_COLOR", b""), ("CLICOLOR_FORCE", b"0")]));
    }

    #[test]
    fn the_environment_of_this_process_has_directories() {
        let read = Environment::read();
        assert!(read.home.is_some() && read.config_home.is_some() && read.data_home.is_some());
    }
}
