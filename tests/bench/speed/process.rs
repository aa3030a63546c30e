//! Reads statistics of a running process, on Linux only.

use std::fs;

/// Of all threads of a process together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Voluntary and involuntary context switches.
    pub(crate) switches: u64,
    /// Processor time in hundredths of a second.
    pub(crate) ticks: u64,
}

/// Returns `None` on another system.
pub(crate) fn effort(pid: u32) -> Option<Effort> {
    let ticks = fields_after_name(&pid.to_string(), [11, 12])?;
    let mut switches = 0;
    for thread in fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten() {
        let status = fs::read_to_string(thread.path().join("status")).ok()?;
        switches += ["voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"]
            .iter()
            .filter_map(|name| field(&status, name))
            .sum::<u64>();
    }
    Some(Effort { switches, ticks })
}

/// Bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Memory {
    pub(crate) resident: f64,
    /// Heap, stacks and data that was written; no pages of files.
    pub(crate) anonymous: f64,
}

/// Returns `None` on another system.
pub(crate) fn memory(pid: u32) -> Option<Memory> {
    let sums = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let bytes = |name| field(&sums, name).and_then(|kib| u32::try_from(kib).ok()).map(|kib| f64::from(kib) * 1024.0);
    Some(Memory { resident: bytes("Rss:")?, anonymous: bytes("Anonymous:")? })
}

/// Returns the seconds of processor time of the ended children of this process; `None` on another system.
pub(crate) fn children() -> Option<f64> {
    let ticks = u32::try_from(fields_after_name("self", [13, 14])?).ok()?;
    Some(f64::from(ticks) / 100.0)
}

/// Returns the sum of two fields of `/proc/PID/stat`, counted after the name.
fn fields_after_name(pid: &str, fields: [usize; 2]) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may contain a closing parenthesis; the last one ends it.
    let values: Vec<_> = stat.rsplit_once(") ")?.1.split_whitespace().collect();
    fields.into_iter().map(|at| values.get(at)?.parse::<u64>().ok()).sum()
}

fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
