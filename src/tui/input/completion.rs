//! Path completion as plain data: what a field asks for, and what a folder has. Must not know how a folder is read.

/// What a field for a path is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PathKind {
    #[default]
    Any,
    /// A file of plants, by its extension. Other files are found only where there is none.
    Plants,
    /// Any, from the folder of the config file on.
    BesideConfig,
}

/// A typed path, up to the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathQuery {
    /// Empty, or with a slash at its end.
    pub folder: String,
    /// The beginning of a name in it.
    pub start: String,
    pub kind: PathKind,
}

impl PathQuery {
    pub fn new(typed: &str, kind: PathKind) -> Self {
        let (folder, start) = typed.split_at(typed.rfind('/').map_or(0, |slash| slash + 1));
        Self { folder: folder.to_owned(), start: start.to_owned(), kind }
    }

    /// Whether what is typed names a folder without the slash behind it: `~`, `..`, `data/..`.
    pub fn lacks_slash(typed: &str) -> bool {
        typed == "~" || typed == ".." || typed.ends_with("/..")
    }
}

/// The names that begin as typed: those in a folder, of which folders have a slash at their end, or tags.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PathMatches {
    /// The first ones, in order.
    pub names: Vec<String>,
    pub count: usize,
    /// What all of them begin with.
    pub common: String,
    /// Whether the folder has more entries than were read, so that there may be more names.
    pub is_partial: bool,
}
