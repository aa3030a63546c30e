//! Merges flags, environment and config file into settings, and reports every fault at once.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::fault::{Fault, Location};
use super::file::ConfigFile;
use super::flags::Flags;
use super::given::in_force;
use super::layer::Layer;
use super::options::{Colors, Motion};
use super::profile::Profile;
use super::setting::{BASE_URL, CONFIG, DATA_DIR, DEMO, PROFILE, TOKEN, TOKEN_FILE};
use super::settings::{KeySettings, Settings};
use super::sources::Sources;
use super::target::{ConnectionTarget, KnownStore};
use super::withheld::is_named;

/// Reads the config file and the certificate file, and no other.
///
/// `validate_keys` returns the faults in the keys that the config file at this path names.
///
/// # Errors
///
/// Returns every fault that there is.
pub fn resolve(
    flags: &Flags,
    environment: &Environment,
    validate_keys: impl FnOnce(&KeySettings, &Path) -> Vec<Fault>,
) -> Result<Settings, Vec<Fault>> {
    let mut faults = conflicts(flags);
    let unusable = environment.unusable.iter().filter(|fault| !flags.override_variable(&fault.location.key));
    faults.extend(unusable.cloned());
    let (config_file, file) = read_file(flags, environment, &mut faults);
    let commands = file.layer.command.clone().unwrap_or_default();
    let keys = KeySettings { remaps: file.remaps.clone(), commands };
    faults.extend(validate_keys(&keys, &config_file));
    // In the order of the file; keys can be anywhere in it.
    faults.sort_by_key(|fault| fault.location.line);

    // `--demo` overrides every other store, and the faults in its settings.
    let of_demo = flags.demo.then(|| (flags.without_store(), environment.without_store()));
    let (used_flags, variables) =
        of_demo.as_ref().map_or((flags, environment), |(flags, variables)| (flags, variables));
    let sources = Sources::read(used_flags, variables, &file, &mut faults);
    let address = if flags.demo { None } else { sources.address(&config_file, &mut faults) };
    let layers = sources.layers(address.as_ref(), &config_file, &mut faults);
    let given = in_force(layers.iter().map(|(origin, layer)| (*origin, layer.given())));
    let merged = layers.into_iter().map(|(_, layer)| layer).fold(Layer::default(), Layer::over);
    let data_dir = data_dir(flags, environment);
    if data_dir.is_none() {
        let what = "no home directory is known for the default directory: set HOME, or name the directory";
        faults.push(Location::named(DATA_DIR.flag).fault(what));
    }
    let settings = Settings {
        timeout: merged.timeout.unwrap_or_default().0,
        read_only: merged.read_only.unwrap_or_default(),
        trim_after: merged.trim_after.map(|age| age.0),
        theme: merged.theme.unwrap_or_default(),
        language: merged.language.unwrap_or_default(),
        ascii: merged.ascii.unwrap_or_else(|| environment.lacks_unicode()),
        colors: if merged.no_color.unwrap_or_default() { Colors::Off } else { Colors::OfTheme },
        pager: environment.pager.clone().filter(|_| !flags.no_pager),
        clipboard: environment.clipboard.clone(),
        plain: merged.plain,
        motion: if merged.reduced_motion.unwrap_or_default() { Motion::Still } else { Motion::Animated },
        notify: merged.notify.unwrap_or_default(),
        data_dir: data_dir.unwrap_or_default(),
        config_file: config_file.clone(),
        profiles: file.profiles.iter().map(known_store).collect(),
        misspelt: environment.misspelt.iter().filter(|(name, _)| !is_named(name)).cloned().collect(),
        connection: address.and_then(|address| sources.connection(address, merged, &mut faults)).map(Box::new),
        keys,
        has_password_in_file: file.has_password(),
        given,
    };
    if faults.is_empty() { Ok(settings) } else { Err(faults) }
}

/// Returns the folder of the journal, which no config file names; `None` without a home directory.
pub fn data_dir(flags: &Flags, environment: &Environment) -> Option<PathBuf> {
    let named = flags.data_dir.as_ref().or(environment.layer.data_dir.as_ref());
    named.cloned().or_else(|| Some(environment.data_home.as_ref()?.join("plants")))
}

/// Finds conflicting flags on different sides of a subcommand, which the argument parser does not see.
fn conflicts(flags: &Flags) -> Vec<Fault> {
    [
        (flags.token_file.is_some() && flags.token_stdin, TOKEN.flag, TOKEN_FILE.flag),
        (flags.demo && flags.base_url.is_some(), DEMO.flag, BASE_URL.flag),
        (flags.demo && flags.profile.is_some(), DEMO.flag, PROFILE.flag),
    ]
    .into_iter()
    .filter(|(both, _, _)| *both)
    .map(|(_, one, other)| Location::named(one).fault(format_args!("conflicts with {other}: give one of the two")))
    .collect()
}

/// Returns the path of the config file; `None` if no home directory is known.
pub fn config_file(flags: &Flags, environment: &Environment) -> Option<PathBuf> {
    let by_default = || Some(environment.config_home.as_ref()?.join("plants").join("config.toml"));
    flags.config.clone().or_else(by_default)
}

fn read_file(flags: &Flags, environment: &Environment, faults: &mut Vec<Fault>) -> (PathBuf, ConfigFile) {
    let Some(path) = config_file(flags, environment) else {
        let what = "no home directory is known for the default file: set HOME, or name the file";
        faults.push(Location::named(CONFIG.flag).fault(what));
        return (PathBuf::new(), ConfigFile::default());
    };
    let (file, found) = ConfigFile::read(&path, flags.config.is_some(), environment.home.as_deref());
    faults.extend(found);
    (path, file)
}

fn known_store(profile: &Profile) -> KnownStore {
    KnownStore {
        target: ConnectionTarget::Profile(profile.name.clone()),
        name: profile.name.clone(),
        base_url: profile.url().map(ToString::to_string),
        color: profile.layer.color,
        read_only: profile.layer.read_only.unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests;
