//! The arguments of `profile`.

use clap::{Args, Subcommand};

use super::values::Values;

#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct ProfileArguments {
    /// What to do; if left out, list the profiles
    #[command(subcommand)]
    pub verb: Option<ProfileVerb>,
    /// Name of a profile to use, as with `use`
    #[arg(add = Values::Profiles)]
    pub name: Option<String>,
}

impl ProfileArguments {
    /// Whether it chooses the default.
    pub fn chooses(&self) -> bool {
        self.name.is_some() || matches!(self.verb, Some(ProfileVerb::Use { .. }))
    }

    pub fn verb(self) -> ProfileVerb {
        let used = self.name.map(|name| ProfileVerb::Use { name });
        used.or(self.verb).unwrap_or(ProfileVerb::List)
    }
}

#[derive(Debug, Clone, Subcommand)]
pub enum ProfileVerb {
    /// List the profiles, as without a command
    List,
    /// Show the settings of a profile, and where each comes from
    Show {
        /// Name of the profile
        #[arg(add = Values::Profiles)]
        name: String,
    },
    /// Use a profile where none is named: writes `default` into the config file
    Use {
        /// Name of the profile
        #[arg(add = Values::Profiles)]
        name: String,
    },
}
