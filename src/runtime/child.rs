//! What is the same for every program that is started: the variables that it does not get, what it reads, how it ended.

use std::path::PathBuf;
use std::process::ExitStatus;

use tokio::io::AsyncWriteExt as _;
use tokio::process::ChildStdin;
use tokio::task::JoinError;

use crate::config::withhold_variables_of;
use crate::os::process;

/// Withholds the variables with secrets that the config file names now from the programs that follow.
pub(super) async fn withhold_secrets(config_file: PathBuf) -> Result<(), JoinError> {
    tokio::task::spawn_blocking(move || withhold_variables_of(&config_file)).await
}

/// Writes what a program reads; it may end, or close its input, before it has read everything.
pub(super) async fn write(mut stdin: ChildStdin, text: &[u8]) {
    let _ = stdin.write_all(text).await;
}

pub(super) fn ending(status: ExitStatus) -> String {
    match status.code() {
        _ if process::was_interrupted(status) => "interrupted".to_owned(),
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}
