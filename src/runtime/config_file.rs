//! Changes the config file, whole or not at all; links and permissions stay, and so does what another program changes.
//!
//! Must not know the text of the file.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use super::new_file::{Existing, NewFile, Readers, error_text};
use crate::config::Patience;
use crate::config::new_profile::{NewProfile, SaveFault, with_default};
use crate::config::preference::Preference;
use crate::journal::{link_target, parent_of};
use crate::os::files::create_private_folder;
use crate::tui::Msg;

/// How often a file is read again that another program keeps changing, and its folder's lock is tried, with a pause.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(20);

pub(super) struct ConfigFile {
    pub(super) path: PathBuf,
    /// The folder of the journal, whose files are not written.
    pub(super) data_dir: PathBuf,
}

/// Saves a profile whose source gives a token, or `without_token`, if that is confirmed.
pub(super) async fn save_profile(
    file: ConfigFile,
    profile: NewProfile,
    without_token: bool,
    home: Option<PathBuf>,
) -> Msg {
    let written = match fetch_token(&file.path, &profile, without_token, home.as_deref()).await {
        Ok(()) => {
            let new = profile.clone();
            save(&file, move |text| new.added_to(text)).await
        }
        Err(fault) => Err(fault),
    };
    Msg::ProfileSaved(Box::new(profile), file.path, written)
}

/// Fetches the token of a profile once, as the next start would.
async fn fetch_token(
    file: &Path,
    profile: &NewProfile,
    without_token: bool,
    home: Option<&Path>,
) -> Result<(), SaveFault> {
    let text = profile.added_to(&read(file)?)?;
    match profile.token_source(file, &text, home) {
        Some(source) if !without_token => {
            source.fetch(&mut Patience::default()).await.map(drop).map_err(|why| SaveFault::NoToken(why.to_string()))
        }
        Some(_) | None => Ok(()),
    }
}

pub(super) async fn save_preference(file: ConfigFile, preference: Preference) -> Msg {
    let written = save(&file, move |text| preference.set_in(text)).await;
    Msg::PreferenceSaved(preference, file.path, written)
}

/// Makes a profile the one that is used where none is named.
///
/// # Errors
///
/// The file was not changed.
pub async fn use_profile(path: PathBuf, data_dir: PathBuf, name: String) -> Result<(), SaveFault> {
    save(&ConfigFile { path, data_dir }, move |text| with_default(text, &name)).await
}

async fn save(
    file: &ConfigFile,
    change: impl Fn(&str) -> Result<String, SaveFault> + Send + 'static,
) -> Result<(), SaveFault> {
    let ConfigFile { path, data_dir } = file;
    let (path, data_dir) = (path.clone(), data_dir.clone());
    let writing = tokio::task::spawn_blocking(move || write(&path, &data_dir, change));
    writing.await.unwrap_or_else(|panic| Err(SaveFault::Other(panic.to_string())))
}

/// Replaces the text of a file by a change of it. Creates the file, and its folder, if there is none: both for this user
/// alone.
fn write(file: &Path, data_dir: &Path, change: impl Fn(&str) -> Result<String, SaveFault>) -> Result<(), SaveFault> {
    // The links stay, also one to a file that does not exist yet.
    let target = link_target(file);
    let failed = |why: io::Error| SaveFault::Other(error_text(&why));
    let folder = parent_of(&target);
    if !folder.exists() {
        // A change that is not made leaves no folder.
        change(&read(file)?)?;
        create_private_folder(folder).map_err(failed)?;
    }
    let _lock = locked(folder);
    for _ in 0..TRIES {
        let text = read(file)?;
        let changed = change(&text)?;
        if changed == text && file.exists() {
            return Ok(());
        }
        if replace(&target, &changed, data_dir, || read(file).as_ref() == Ok(&text)).map_err(failed)? {
            return Ok(());
        }
    }
    Err(SaveFault::Other("another program keeps changing it: try again".to_owned()))
}

/// Locks a folder against other programs of plants, where the system can; after a second it goes on without the lock, as
/// what was read is compared.
fn locked(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    for _ in 0..TRIES {
        match folder.try_lock() {
            Err(TryLockError::WouldBlock) => sleep(PAUSE),
            _ => break,
        }
    }
    Some(folder)
}

/// Reads a file; one that is not there is empty.
fn read(file: &Path) -> Result<String, SaveFault> {
    if fs::metadata(file).is_ok_and(|found| !found.is_file()) {
        // Reading a pipe could wait forever.
        return Err(SaveFault::Other("it is no regular file".to_owned()));
    }
    match fs::read_to_string(file) {
        Ok(text) => Ok(text),
        Err(why) if why.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(why) if why.kind() == ErrorKind::InvalidData => {
            Err(SaveFault::Other("the config file is not UTF-8: save it as UTF-8".to_owned()))
        }
        Err(why) => Err(SaveFault::Other(error_text(&why))),
    }
}

/// Returns whether the file was replaced: not if it is no longer as it was read.
fn replace(file: &Path, text: &str, data_dir: &Path, is_as_read: impl Fn() -> bool) -> io::Result<bool> {
    // A rename needs no permission for the file itself, and the administrator needs none at all.
    for (path, words) in [(file, "the file is read-only"), (parent_of(file), "its folder is read-only")] {
        if fs::metadata(path).is_ok_and(|found| found.permissions().readonly()) {
            return Err(io::Error::new(ErrorKind::PermissionDenied, words));
        }
    }
    let mut new = NewFile::begin_regular(file, Existing::Replaced, Readers::OwnerOfNew, data_dir)?;
    new.write_all(text.as_bytes())?;
    new.end_if(is_as_read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::TokenSource;

    const NO_JOURNAL: &str = "/nowhere";

    fn config(path: &Path) -> ConfigFile {
        ConfigFile { path: path.to_owned(), data_dir: NO_JOURNAL.into() }
    }

    fn profile() -> NewProfile {
        let (name, base_url) = ("new".to_owned(), "https://new.example".parse().unwrap());
        NewProfile { name, base_url, token: TokenSource::Prompt, read_only: false, is_default: false }
    }

    fn add(file: &Path) -> Result<(), SaveFault> {
        write(file, NO_JOURNAL.as_ref(), |text| profile().added_to(text))
    }

    #[tokio::test]
    async fn a_profile_is_saved_with_a_source_that_gives_a_token_or_once_more() {
        let folder = tempfile::tempdir().unwrap();
        let (file, home) = (folder.path().join("config.toml"), Some(folder.path().to_owned()));
        let save = async |token, without_token| {
            let profile = NewProfile { token, ..profile() };
            let Msg::ProfileSaved(_, _, saved) =
                save_profile(config(&file), profile, without_token, home.clone()).await
            else {
                unreachable!("it reports the profile")
            };
            saved
        };
        let source = |path: &str| TokenSource::File(path.into());
        let missing = save(source("~/token"), false).await;
        let Err(SaveFault::NoToken(why)) = missing else { panic!("{missing:?}") };
        assert!(why.contains(&format!("file {}: it cannot be read", folder.path().join("token").display())), "{why}");
        assert!(!file.exists());
        assert_eq!(save(source("~/token"), true).await, Ok(()));
        // An existing profile is reported before a missing token, and a path is beside the config file.
        fs::write(folder.path().join("token"), "canary").unwrap();
        assert_eq!(save(source("token"), false).await, Err(SaveFault::Exists));
        fs::remove_file(&file).unwrap();
        assert_eq!(save(source("token"), false).await, Ok(()));
        assert!(fs::read_to_string(&file).unwrap().contains("token_file = \"token\""));
        let this_program = std::env::current_exe().unwrap().display().to_string();
        let fails = TokenSource::Command(vec![this_program, "--no-such-flag".to_owned()]);
        fs::remove_file(&file).unwrap();
        assert!(matches!(save(fails, false).await, Err(SaveFault::NoToken(why)) if why.contains("it failed")));
    }

    fn light(file: &Path) -> Result<(), SaveFault> {
        write(file, NO_JOURNAL.as_ref(), |text| Preference::Theme(crate::config::ThemeChoice::Light).set_in(text))
    }

    #[test]
    fn a_file_that_cannot_be_changed_stays() {
        let folder = tempfile::tempdir().unwrap();
        let Err(SaveFault::Other(why)) = add(folder.path()) else { panic!("it is a folder") };
        assert!(!why.is_empty());
        let file = folder.path().join("config.toml");
        fs::write(&file, "broken = \n").unwrap();
        assert!(matches!(add(&file), Err(SaveFault::Other(_))));
        assert!(matches!(light(&file), Err(SaveFault::Other(_))));
        fs::write(&file, b"\xff").unwrap();
        assert!(matches!(add(&file), Err(SaveFault::Other(why)) if why.contains("UTF-8")));
        assert_eq!(fs::read(&file).unwrap(), b"\xff");
    }

    #[test]
    fn a_change_of_another_program_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        fs::write(&file, "# one\n").unwrap();
        let times = std::cell::Cell::new(0);
        let change = |text: &str| {
            times.set(times.get() + 1);
            if times.get() < 3 {
                fs::write(&file, format!("# {}\n", times.get())).unwrap();
            }
            Preference::Theme(crate::config::ThemeChoice::Light).set_in(text)
        };
        write(&file, NO_JOURNAL.as_ref(), change).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains("# 2\n") && text.contains("theme = \"light\"\n"), "{text}");
        // One that never stops wins.
        let changes = |text: &str| {
            times.set(times.get() + 1);
            fs::write(&file, format!("# {}\n", times.get())).unwrap();
            Ok(format!("{text}more"))
        };
        let why = write(&file, NO_JOURNAL.as_ref(), changes);
        assert_eq!(why, Err(SaveFault::Other("another program keeps changing it: try again".to_owned())));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[cfg(unix)]
    mod on_unix {
        use super::*;
        use crate::os::files::testing::{mode, set_mode, symlink};

        #[test]
        fn only_a_regular_file_is_read() {
            assert_eq!(light("/dev/zero".as_ref()), Err(SaveFault::Other("it is no regular file".to_owned())));
        }

        #[test]
        fn programs_that_save_at_once_lose_nothing() {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("config.toml");
            std::thread::scope(|scope| {
                for name in ["a", "b", "c", "d"] {
                    let new = NewProfile { name: name.to_owned(), ..profile() };
                    scope.spawn(|| write(&file, NO_JOURNAL.as_ref(), move |text| new.added_to(text)).unwrap());
                }
            });
            let text = fs::read_to_string(&file).unwrap();
            assert!(["a", "b", "c", "d"].iter().all(|name| text.contains(&format!("[profile.{name}]"))), "{text}");
        }

        #[test]
        fn a_link_and_the_mode_of_its_file_stay() {
            let folder = tempfile::tempdir().unwrap();
            let (file, link) = (folder.path().join("real.toml"), folder.path().join("config.toml"));
            fs::write(&file, "# mine\n").unwrap();
            set_mode(&file, 0o640);
            symlink("real.toml", &link).unwrap();
            add(&link).unwrap();
            light(&link).unwrap();
            assert!(link.is_symlink());
            let text = fs::read_to_string(&file).unwrap();
            assert!(text.starts_with("# mine\n") && text.contains("[profile.new]"), "{text}");
            assert!(text.contains("theme = \"light\"\n"), "{text}");
            assert_eq!(mode(&file), 0o640);
            assert_eq!(add(&link), Err(SaveFault::Exists));
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no temporary file is left");
        }

        #[test]
        fn a_missing_file_is_created_for_this_user_alone_also_behind_a_link() {
            let folder = tempfile::tempdir().unwrap();
            let (link, file) = (folder.path().join("config.toml"), folder.path().join("dots/plants.toml"));
            symlink("dots/plants.toml", &link).unwrap();
            add(&link).unwrap();
            assert!(link.is_symlink());
            assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
            let other = folder.path().join("a/b/config.toml");
            light(&other).unwrap();
            assert_eq!(fs::read_to_string(&other).unwrap(), "theme = \"light\"\n");
            assert_eq!((mode(&other), mode(other.parent().unwrap())), (0o600, 0o700));
        }

        #[test]
        fn a_read_only_file_or_folder_stays() {
            let folder = tempfile::tempdir().unwrap();
            let inner = folder.path().join("plants");
            let file = inner.join("config.toml");
            fs::create_dir(&inner).unwrap();
            fs::write(&file, "# mine\n").unwrap();
            let refused = |words: &str| Err(SaveFault::Other(words.to_owned()));
            set_mode(&file, 0o444);
            assert_eq!(light(&file), refused("the file is read-only"));
            set_mode(&file, 0o644);
            set_mode(&inner, 0o555);
            assert_eq!(add(&file), refused("its folder is read-only"));
            set_mode(&inner, 0o755);
            assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\n");
            assert_eq!(fs::read_dir(&inner).unwrap().count(), 1);
        }
    }
}
