//! Which machine this is.

use std::fs;
use std::process::Command;

/// Its processors, its kernel and its disk, for the line below the table.
pub(crate) fn told() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            text.lines()
                .find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name.to_owned()))
        })
        .or_else(|| said("sysctl", &["-n", "machdep.cpu.brand_string"]))
        .unwrap_or_else(|| "processor not told".to_owned());
    let kernel = said("uname", &["-srm"]).unwrap_or_else(|| std::env::consts::OS.to_owned());
    let disk =
        said("df", &["-PT", env!("CARGO_TARGET_TMPDIR")]).or_else(|| said("df", &["-P", env!("CARGO_TARGET_TMPDIR")]));
    let disk =
        disk.and_then(|text| Some(text.lines().last()?.split_whitespace().take(2).collect::<Vec<_>>().join(" ")));
    format!("{cores} cores, {model}; {kernel}; disk {}", disk.unwrap_or_else(|| "not told".to_owned()))
}

fn said(program: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(program).args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
