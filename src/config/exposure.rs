//! Files and folders of this program that other users of the machine can get at, and how to mend that.
//!
//! It only looks at permissions and owners, and changes none: they may be meant so.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::process::geteuid;

use super::fault::shown_path;
use super::settings::{Settings, StoreChoice};
use super::token_source::TokenSource;
use crate::domain::curl::quoted;

/// What others can read or change of the config file, the token file and the data folder that these
/// settings use: a sentence each, with the command that mends it. Blocks for a moment.
pub fn exposed(settings: &Settings) -> Vec<String> {
    let config = exposed_file("config file", &settings.config_file);
    let (token, data) = match &settings.store {
        StoreChoice::Demo => (None, None),
        StoreChoice::Deployed(connection) => {
            let token = match &connection.token_source {
                TokenSource::File(path) => exposed_token_file(path),
                TokenSource::Stdin
                | TokenSource::Given(_)
                | TokenSource::Env(_)
                | TokenSource::Command(_)
                | TokenSource::OperationKind => None,
            };
            (token, exposed_folder(&settings.data_dir))
        }
    };
    [config, token, data].into_iter().flatten().collect()
}

/// The same of a token file alone.
pub fn exposed_token_file(path: &Path) -> Option<String> {
    exposed_file("token file", path)
}

fn exposed_file(what: &str, path: &Path) -> Option<String> {
    let found = fs::metadata(path).ok().filter(Metadata::is_file)?;
    let shown = shown_path(path);
    if is_of_another(&found) && found.uid() != 0 {
        let command = format!("sudo chown \"$(id -u)\" {}", in_command(path));
        return Some(format!("Another user owns the {what} {shown}, and can change it. To mend it: {command}"));
    }
    let can = match (found.mode() & 0o044 != 0, found.mode() & 0o022 != 0) {
        (false, false) => return None,
        (true, false) => "read",
        (false, true) => "change",
        (true, true) => "read and change",
    };
    Some(format!("Other users can {can} the {what} {shown}. To mend it: chmod 600 {}", in_command(path)))
}

fn exposed_folder(path: &Path) -> Option<String> {
    let found = fs::metadata(path).ok().filter(Metadata::is_dir)?;
    let shown = shown_path(path);
    if is_of_another(&found) {
        let command = format!("sudo chown -R \"$(id -u)\" {}", in_command(path));
        return Some(format!(
            "Another user owns the data folder {shown}, and can change the journal in it. To mend it: {command}"
        ));
    }
    (found.mode() & 0o022 != 0).then(|| {
        format!(
            "Other users can write in the data folder {shown}, and take the journal away. To mend it: chmod 700 {}",
            in_command(path)
        )
    })
}

fn is_of_another(found: &Metadata) -> bool {
    found.uid() != geteuid().as_raw()
}

/// A path as a shell takes it.
fn in_command(path: &Path) -> String {
    let shown = shown_path(path);
    let is_plain = shown.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c)) && !shown.starts_with('-');
    if is_plain { shown } else { quoted(&shown) }
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::{PermissionsExt as _, chown};

    use super::*;

    #[test]
    fn what_others_can_do_to_a_file_is_said_with_the_command_that_mends_it() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("it's a token");
        assert_eq!(exposed_token_file(&path), None, "there is none");
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
            set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let shown = path.display().to_string();
            let said = can.map(|can| {
                let command = format!("chmod 600 {}", quoted(&shown));
                format!("Other users can {can} the token file {shown}. To mend it: {command}")
            });
            assert_eq!(exposed_token_file(&path), said, "{mode:o}");
        }
        assert_eq!(exposed_token_file(Path::new("/dev/null")), None, "no file of anybody");
    }

    #[test]
    fn a_folder_that_others_can_write_in_is_named() {
        let place = tempfile::tempdir().unwrap();
        for (mode, is_said) in [(0o700, false), (0o755, false), (0o775, true), (0o777, true)] {
            set_permissions(place.path(), Permissions::from_mode(mode)).unwrap();
            let said = exposed_folder(place.path());
            assert_eq!(said.is_some(), is_said, "{mode:o}: {said:?}");
            let command = format!("chmod 700 {}", place.path().display());
            assert!(said.is_none_or(|said| said.ends_with(&command)));
        }
    }

    #[test]
    fn what_another_user_owns_is_named() {
        if !geteuid().is_root() {
            return;
        }
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("token");
        fs::write(&path, "").unwrap();
        set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(exposed_token_file(&path), None);
        chown(&path, Some(54_987), None).unwrap();
        chown(place.path(), Some(54_987), None).unwrap();
        let said = exposed_token_file(&path).unwrap();
        assert!(said.starts_with("Another user owns the token file ") && said.contains("sudo chown \"$(id -u)\" /"));
        assert!(exposed_folder(place.path()).unwrap().starts_with("Another user owns the data folder "));
    }
}
