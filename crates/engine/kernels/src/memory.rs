//! How much memory a program may still take.

use std::fs;

/// Bytes that are free, or that the control group leaves; `None` where the system does not say.
pub fn available_memory() -> Option<usize> {
    let free = in_system(&fs::read_to_string("/proc/meminfo").ok()?)?;
    let number = |file: &str| fs::read_to_string(file).ok()?.trim().parse::<usize>().ok();
    let limit = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current");
    match (limit, used) {
        (Some(limit), Some(used)) => Some(free.min(limit.saturating_sub(used))),
        _ => Some(free),
    }
}

/// From the lines of `/proc/meminfo`.
fn in_system(lines: &str) -> Option<usize> {
    let line = lines
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read_from_the_systems_lines() {
        let lines = "MemTotal:       24000 kB\nMemFree:  10 kB\nMemAvailable:   12000 kB\n";
        assert_eq!(in_system(lines), Some(12_288_000));
        assert_eq!(in_system("MemTotal: 5 kB"), None);
    }
}
