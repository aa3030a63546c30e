//! Copies a text with a program that reaches the system's clipboard.
//!
//! Must not know what is copied, nor what happens where no program does it.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

use super::child;
use crate::config::Clipboard;
use crate::tui::{Clip, CopyEnd, Msg};

/// How long a program may take to read the text and to end.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// Copies with the first program that is installed.
pub(super) async fn copy(clipboard: Clipboard, config_file: PathBuf, clip: Box<Clip>) -> Msg {
    if child::withhold_secrets(config_file).await.is_err() {
        return Msg::Copied(clip, CopyEnd::NoProgram);
    }
    let mut end = CopyEnd::NoProgram;
    for (name, command) in clipboard.composed() {
        end = match timeout(TIME_LIMIT, run(command, clip.text.as_bytes())).await {
            Ok(Ok(None)) => CopyEnd::By(name),
            Ok(Ok(Some(failure))) => CopyEnd::Failed(format!("{name} failed ({failure})")),
            Ok(Err(why)) if why.kind() == io::ErrorKind::NotFound => continue,
            Ok(Err(why)) => CopyEnd::Failed(format!("{name} cannot be run ({why})")),
            Err(_) => CopyEnd::Failed(format!("{name} did not end")),
        };
        break;
    }
    Msg::Copied(clip, end)
}

/// Runs a program that reads the text. Returns how it failed, if it has. A program that goes on in the background has ended
/// here; one that is dropped is killed.
async fn run(mut command: Command, text: &[u8]) -> io::Result<Option<String>> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut program = command.spawn()?;
    if let Some(stdin) = program.stdin.take() {
        child::write(stdin, text).await;
    }
    let status = program.wait().await?;
    Ok((!status.success()).then(|| child::ending(status)))
}
