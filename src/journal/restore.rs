//! Replaces the journal by a copy of it. The journal before is kept under another name.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tempfile::NamedTempFile;

use super::backup::{self, Contents, CopyError};
use super::error::JournalError;
use super::{files, locks, process_locks};

/// The time-out for programs that open or rebuild the journal.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A verified copy of a journal, in the folder of the journal that it is to replace. Dropping it removes
/// the copy.
#[derive(Debug)]
pub struct Restorable {
    copy: NamedTempFile,
    folder: PathBuf,
    pub contents: Contents,
}

impl Restorable {
    /// Copies the journal at `from` into a folder, which is created if it is missing, and verifies the
    /// copy. Blocks. `cancelled` may be set at any time.
    ///
    /// # Errors
    ///
    /// Nothing was changed. [`JournalError::InUse`]: another program has the journal of the folder open.
    pub fn prepare(folder: &Path, from: &Path, cancelled: &Arc<AtomicBool>) -> Result<Self, CopyError> {
        let source = backup::open(from, false)?;
        files::make_private_folder(folder)?;
        reject_open(folder)?;
        let copy = {
            // Until it is locked, another program could take the file for one that was left.
            let _gate = process_locks::gate(folder, File::try_lock, TIMEOUT)?;
            files::remove_leftover_copies(folder);
            files::begin_copy(folder)?
        };
        let log = files::log_beside(from);
        backup::copy(&source, from, copy.path(), cancelled)?;
        drop(source);
        copy.as_file().sync_all().map_err(|_| CopyError::NotWritten)?;
        let contents = Contents { log, ..backup::verify(copy.path(), cancelled)? };
        Ok(Self { copy, folder: folder.to_path_buf(), contents })
    }

    /// Replaces the journal; returns the path of the one before, if there was one. Blocks.
    ///
    /// A kill at any point leaves the journal before, or the restored one.
    ///
    /// # Errors
    ///
    /// The journal was not replaced; after [`CopyError::Unfinished`], the next start replaces it.
    pub fn install(self) -> Result<Option<PathBuf>, CopyError> {
        let path = files::file_in(&self.folder);
        // No program can open the journal from here on.
        let _gate = process_locks::gate(&self.folder, File::try_lock, TIMEOUT)?;
        reject_open(&self.folder)?;
        if process_locks::remove_dead_locks(&self.folder, None) {
            return Err(JournalError::InUse { path, holder: "another plants program".to_owned() }.into());
        }
        if files::is_rebuilt(&path) {
            files::install_rebuilt(&path)?;
        }
        if files::has_content(&path)? {
            // A log alone is set aside with a file.
            files::prepare(&self.folder)?;
        } else {
            files::companions(&path).chain([path.clone()]).try_for_each(|path| files::remove(&path))?;
        }
        files::install(&path, self.copy.path())
            .map_err(|error| if files::is_rebuilt(&path) { CopyError::Unfinished(error) } else { error.into() })
    }
}

/// # Errors
///
/// [`JournalError::InUse`] if another program has the journal of a folder open; or what is there is no file.
fn reject_open(folder: &Path) -> Result<(), JournalError> {
    let path = files::file_in(folder);
    files::reject_special(&path)?;
    let opener = locks::opener(&path);
    opener.map_or(Ok(()), |holder| Err(JournalError::InUse { path, holder }))
}
