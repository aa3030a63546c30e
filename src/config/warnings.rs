//! Warns of what is probably not meant in valid settings: files and folders of this program that other users of the
//! machine can change, or read although they have secrets, with the command that fixes it, misspelt variables, and
//! secrets that are not where they would be fetched.
//!
//! Must not change any permission itself: the user may want them as they are.

use std::fs;
use std::iter;
use std::path::Path;

use super::fault::shown_path;
use super::setting::TOKEN;
use super::settings::{Connection, Settings};
use super::token_source::TokenSource;
use super::variable::variable;
use crate::domain::curl::quoted;
use crate::os::files::exposure;
use crate::text::clean_fit;

/// Columns shown of the name of a variable.
const NAME_COLUMNS: usize = 60;

/// Returns a warning for each misspelt variable, for each file with secrets that other users can read or change, and for
/// the config file and the data folder, if they can change it. Blocks on the file system.
pub fn warnings(settings: &Settings) -> Vec<String> {
    let misspelt = settings.misspelt.iter().map(|(name, meant)| {
        format!("The variable {} has no effect. Did you mean {meant}?", clean_fit(name, NAME_COLUMNS))
    });
    let doubled = settings.connection.as_ref().and_then(|connection| connection.url.doubled_path());
    misspelt.chain(doubled).chain(exposures(settings)).collect()
}

/// Lists the secrets of a connection: what each is, the kind of a file that has it, and its source.
fn secrets(connection: &Connection) -> impl Iterator<Item = (String, &'static str, TokenSource)> {
    let Connection { token_source, headers, team, .. } = connection;
    let token = ("token".to_owned(), "token file", token_source.clone());
    let headers = headers.iter().map(|header| {
        let what = format!("header {}", header.name.as_str());
        (what, "header file", header.source.clone())
    });
    let access = team.iter().filter_map(|team| team.access.as_ref());
    let team = access.map(|access| ("team's secret".to_owned(), "team's key file", access.source()));
    iter::once(token).chain(headers).chain(team)
}

/// Returns a warning for each secret or certificate that is not where it would be fetched, and for a token that is not
/// used. Blocks on the file system.
pub fn absences(connection: &Connection) -> Vec<String> {
    let source = &connection.token_source;
    let certificate = connection.team.iter().filter_map(|team| team.ca_cert.clone());
    let certificate = certificate.map(|path| ("team's certificate".to_owned(), TokenSource::File(path)));
    let sources = secrets(connection).map(|(what, _, source)| (what, source)).chain(certificate);
    let absent = sources.filter_map(|(what, source)| Some(format!("There is {}.", source.absence(&what)?)));
    let is_set = variable(TOKEN.variable).is_some_and(|token| !token.is_empty());
    let unused = (is_set && !matches!(source, TokenSource::Given(_))).then(|| {
        let of_another = || format!("{}, as the token comes from {}", TOKEN.variable, source.origin());
        format!("Not used here: {}.", connection.withheld.clone().unwrap_or_else(of_another))
    });
    absent.chain(unused).collect()
}

fn exposures(settings: &Settings) -> Vec<String> {
    let config = exposed_config_file(&settings.config_file, settings.has_password_in_file);
    let Some(connection) = &settings.connection else { return config.into_iter().collect() };
    let files = secrets(connection).filter_map(|(_, kind, source)| exposed_file(kind, source.file()?));
    let key = connection.client_key_file.as_deref().and_then(|path| exposed_file("key file", path));
    let data = exposed_folder(&settings.data_dir);
    config.into_iter().chain(files).chain(key).chain(data).collect()
}

pub fn exposed_token_file(path: &Path) -> Option<String> {
    exposed_file("token file", path)
}

/// The config file can name programs to run, so that a change of it is dangerous.
fn exposed_config_file(path: &Path, has_password: bool) -> Option<String> {
    exposed("config file", path, has_password, if has_password { "600" } else { "go-w" })
}

fn exposed_file(kind: &str, path: &Path) -> Option<String> {
    exposed(kind, path, true, "600")
}

/// `mode` is what makes the file or folder safe, for `chmod`.
fn exposed(kind: &str, path: &Path, has_secret: bool, mode: &str) -> Option<String> {
    let metadata = fs::metadata(path).ok().filter(|found| found.is_file() || found.is_dir())?;
    let (shown, argument) = (shown_path(path), shell_argument(path));
    let exposure = exposure(&metadata);
    if exposure.is_of_another {
        let all = if metadata.is_dir() { " -R" } else { "" };
        return Some(format!(
            "Another user owns the {kind} {shown}, and can change it. To fix it: sudo chown{all} \"$(id -u)\" {argument}"
        ));
    }
    let can = match (exposure.others_read && has_secret, exposure.others_change) {
        (false, false) => return None,
        (true, false) => "read",
        (false, true) => "change",
        (true, true) => "read and change",
    };
    Some(format!("Other users can {can} the {kind} {shown}. To fix it: chmod {mode} {argument}"))
}

fn exposed_folder(path: &Path) -> Option<String> {
    exposed("data folder", path, false, "700")
}

/// Quotes a path for a shell if needed.
fn shell_argument(path: &Path) -> String {
    let shown = shown_path(path);
    let is_plain = shown.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c)) && !shown.starts_with('-');
    if is_plain { shown } else { quoted(&shown) }
}

#[cfg(test)]
#[cfg(unix)]
mod on_unix {
    use super::*;
    use crate::os::files::testing::{give_away, set_mode};

    #[test]
    fn a_file_that_others_can_read_or_change_is_reported_with_a_fix() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("it's a token");
        assert_eq!(exposed_token_file(&path), None, "no such file");
        fs::write(&path, "").unwrap();
        for (mode, can) in [
            (0o600, None),
            (0o400, None),
            (0o711, None),
            (0o640, Some("read")),
            (0o604, Some("read")),
            (0o602, Some("change")),
            (0o666, Some("read and change")),
        ] {
            set_mode(&path, mode);
            let shown = path.display().to_string();
            let warning = can.map(|can| {
                let command = format!("chmod 600 {}", quoted(&shown));
                format!("Other users can {can} the token file {shown}. To fix it: {command}")
            });
            assert_eq!(exposed_token_file(&path), warning, "{mode:o}");
        }
        assert_eq!(exposed_token_file(Path::new("/dev/null")), None, "not a regular file");
    }

    #[test]
    fn a_config_file_that_others_can_read_is_reported_only_if_it_has_a_password() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        fs::write(&path, "").unwrap();
        for (mode, without, with) in [
            (0o600, None, None),
            (0o644, None, Some(("read", "600"))),
            (0o664, Some(("change", "go-w")), Some(("read and change", "600"))),
            (0o602, Some(("change", "go-w")), Some(("change", "600"))),
        ] {
            set_mode(&path, mode);
            let shown = path.display();
            let warning = |found: Option<(&str, &str)>| {
                found.map(|(can, mode)| {
                    format!("Other users can {can} the config file {shown}. To fix it: chmod {mode} {shown}")
                })
            };
            assert_eq!(exposed_config_file(&path, false), warning(without), "{mode:o}");
            assert_eq!(exposed_config_file(&path, true), warning(with), "{mode:o}");
        }
    }

    #[test]
    fn a_folder_that_others_can_write_in_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        for (mode, is_exposed) in [(0o700, false), (0o755, false), (0o775, true), (0o777, true)] {
            set_mode(folder.path(), mode);
            let warning = exposed_folder(folder.path());
            assert_eq!(warning.is_some(), is_exposed, "{mode:o}: {warning:?}");
            let command = format!("chmod 700 {}", folder.path().display());
            assert!(warning.is_none_or(|warning| warning.ends_with(&command)));
        }
    }

    #[test]
    fn a_file_or_folder_of_another_user_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        fs::write(&path, "").unwrap();
        set_mode(&path, 0o600);
        assert_eq!(exposed_token_file(&path), None);
        // Only the administrator may.
        if !give_away(&path) || !give_away(folder.path()) {
            return;
        }
        let warning = exposed_token_file(&path).unwrap();
        assert!(warning.starts_with("Another user owns the token file "), "{warning}");
        assert!(warning.contains("sudo chown \"$(id -u)\" /"), "{warning}");
        assert!(exposed_folder(folder.path()).unwrap().starts_with("Another user owns the data folder "));
    }
}
