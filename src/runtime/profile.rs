//! Writes a profile into the config file, whole or not at all; links and permissions stay.
//!
//! Must not know the text of the file.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use super::new_file::{Existing, NewFile, error_text};
use crate::config::new_profile::{NewProfile, SaveFault};
use crate::tui::Msg;

/// The most links that are followed.
const MAX_LINKS: usize = 16;

pub(super) async fn save(file: PathBuf, profile: NewProfile, replace: bool) -> Msg {
    let (new, path) = (profile.clone(), file.clone());
    let writing = tokio::task::spawn_blocking(move || write(&path, &new, replace));
    let written = writing.await.unwrap_or_else(|panic| Err(SaveFault::Other(panic.to_string())));
    Msg::ProfileSaved(Box::new(profile), file, written)
}

fn write(file: &Path, profile: &NewProfile, replace: bool) -> Result<(), SaveFault> {
    let fault = |why: &std::io::Error| SaveFault::Other(error_text(why));
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(why) if why.kind() == ErrorKind::NotFound => String::new(),
        Err(why) if why.kind() == ErrorKind::InvalidData => {
            return Err(SaveFault::Other("the config file is not UTF-8: save it as UTF-8".to_owned()));
        }
        Err(why) => return Err(fault(&why)),
    };
    let text = profile.added_to(&text, replace)?;
    let replace_file = || {
        let target = link_target(file);
        if let Some(folder) = target.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        let mut new = NewFile::begin(&target, Existing::Replaced)?;
        if !new.is_regular() {
            return Err(std::io::Error::other("the config file is no regular file"));
        }
        new.write_all(text.as_bytes())?;
        new.end()
    };
    replace_file().map_err(|why| fault(&why))
}

/// Follows links, also to a file that does not exist yet, so that the links are not replaced.
fn link_target(file: &Path) -> PathBuf {
    let mut path = file.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::new_profile::TokenFrom;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn profile() -> NewProfile {
        let (name, base_url) = ("new".to_owned(), "https://new.example".parse().unwrap());
        NewProfile { name, base_url, token: TokenFrom::Prompt }
    }

    #[test]
    fn a_link_and_the_mode_of_its_file_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("real.toml"), folder.path().join("config.toml"));
        fs::write(&file, "# mine\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.toml", &link).unwrap();
        write(&link, &profile(), false).unwrap();
        assert!(link.is_symlink());
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("# mine\n") && text.contains("[profile.new]"), "{text}");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(write(&link, &profile(), false), Err(SaveFault::Exists));
        write(&link, &profile(), true).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
    }

    #[test]
    fn a_missing_file_is_created_also_behind_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("config.toml");
        symlink("dots/plants.toml", &link).unwrap();
        write(&link, &profile(), false).unwrap();
        assert!(link.is_symlink() && folder.path().join("dots/plants.toml").is_file());
    }

    #[test]
    fn a_file_that_cannot_be_changed_stays() {
        let folder = tempfile::tempdir().unwrap();
        let Err(SaveFault::Other(why)) = write(folder.path(), &profile(), false) else { panic!("it is a folder") };
        assert!(!why.is_empty());
        let file = folder.path().join("config.toml");
        fs::write(&file, "broken = \n").unwrap();
        assert!(matches!(write(&file, &profile(), false), Err(SaveFault::Other(_))));
        fs::write(&file, b"\xff").unwrap();
        assert!(matches!(write(&file, &profile(), false), Err(SaveFault::Other(why)) if why.contains("UTF-8")));
        assert_eq!(fs::read(&file).unwrap(), b"\xff");
    }
}
