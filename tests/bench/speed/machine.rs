//! Describes the machine.

use std::fs;
use std::process::Command;

/// Returns processors, kernel and disk, for the line below the table.
pub(crate) fn description() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let model = fs::read_to_string("/proc/cpuinfo")
        .ok()
        .and_then(|text| {
            text.lines()
                .find_map(|line| line.strip_prefix("model name")?.split_once(": ").map(|(_, name)| name.to_owned()))
        })
        .or_else(|| output_of("sysctl", &["-n", "machdep.cpu.brand_string"]))
        .unwrap_or_else(|| "unknown processor".to_owned());
    let kernel = output_of("uname", &["-srm"]).unwrap_or_else(|| std::env::consts::OS.to_owned());
    let disk = output_of("df", &["-PT", env!("CARGO_TARGET_TMPDIR")])
        .or_else(|| output_of("df", &["-P", env!("CARGO_TARGET_TMPDIR")]));
    let disk =
        disk.and_then(|text| Some(text.lines().last()?.split_whitespace().take(2).collect::<Vec<_>>().join(" ")));
    format!("{cores} cores, {model}; {kernel}; disk {}", disk.unwrap_or_else(|| "unknown".to_owned()))
}

fn output_of(program: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(program).args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
