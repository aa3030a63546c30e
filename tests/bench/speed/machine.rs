//! Describes the machine.

use std::fs::{self, File};
use std::io::Write as _;
use std::process::Command;
use std::time::Instant;

use crate::spread::{Spread, folder, shown};

/// Appends to a file that are synced, to time the disk.
const SYNCS: usize = 200;

/// Returns processors, kernel, compiler and disk, for the lines below the table.
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
    let compiler = output_of("rustc", &["--version"]).unwrap_or_else(|| "unknown compiler".to_owned());
    let disk = output_of("df", &["-PT", env!("CARGO_TARGET_TMPDIR")])
        .or_else(|| output_of("df", &["-P", env!("CARGO_TARGET_TMPDIR")]));
    let disk =
        disk.and_then(|text| Some(text.lines().last()?.split_whitespace().take(2).collect::<Vec<_>>().join(" ")));
    let disk = disk.unwrap_or_else(|| "unknown".to_owned());
    let sync = sync();
    format!(
        "{cores} cores, {model}; {kernel}; {compiler}\ndisk {disk}; fdatasync after 4 KiB: median {}, p90 {}",
        shown(sync.median),
        shown(sync.high)
    )
}

/// Measures the seconds that the disk takes for the data of a short append.
fn sync() -> Spread {
    let folder = folder();
    let mut file = File::create(folder.path().join("synced")).unwrap();
    let one = |_| {
        file.write_all(&[7; 4096]).unwrap();
        let begun = Instant::now();
        file.sync_data().unwrap();
        begun.elapsed().as_secs_f64()
    };
    Spread::of(&(0..SYNCS).map(one).collect::<Vec<_>>()).unwrap()
}

fn output_of(program: &str, words: &[&str]) -> Option<String> {
    let output = Command::new(program).args(words).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
