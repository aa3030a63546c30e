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
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may contain a closing parenthesis; the last one ends it.
    let fields: Vec<_> = stat.rsplit_once(") ")?.1.split_whitespace().collect();
    let ticks = [11, 12].iter().filter_map(|at| fields.get(*at)?.parse::<u64>().ok()).sum();
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

/// Returns resident bytes, now and at the peak; `None` on another system.
pub(crate) fn memory(pid: u32) -> Option<(f64, f64)> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let bytes = |name| field(&status, name).and_then(|kib| u32::try_from(kib).ok()).map(|kib| f64::from(kib) * 1024.0);
    Some((bytes("VmRSS:")?, bytes("VmHWM:")?))
}

fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
