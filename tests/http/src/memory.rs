//! How much memory a process has had at most.

/// The peak resident size of a process in KiB; 0 where that cannot be told, as for one that has ended.
pub fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")).and_then(|kib| kib.trim().parse().ok()).unwrap_or(0)
}
