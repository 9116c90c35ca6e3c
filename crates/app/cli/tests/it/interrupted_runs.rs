//! Whatever happens to a run, nothing already answered is lost or asked again, and the measures are
//! the same bytes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::support::{binary, lines, refuse, run, succeed, synthetic_gest};

const ITEMS: usize = 3565;
const ANSWERS: usize = ITEMS * 4;

fn arguments(out: &str) -> Vec<String> {
    [
        "run",
        "gest",
        "--model",
        "random:5",
        "--data",
        "gest.csv",
        "--bootstrap",
        "100",
    ]
    .into_iter()
    .chain(["--format", "json", "--out", out])
    .map(str::to_owned)
    .collect()
}

fn ask(out: &str, more: &[&str], directory: &Path) -> String {
    let base = arguments(out);
    let all: Vec<&str> = base
        .iter()
        .map(String::as_str)
        .chain(more.iter().copied())
        .collect();
    succeed(&all, directory)
}

fn measures(directory: &Path, run: &str) -> Vec<u8> {
    std::fs::read(directory.join(run).join("measures.json")).unwrap()
}

/// Every whole line of the log, even while the last one is torn.
fn whole_lines(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let end = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |p| p + 1);
    let text = String::from_utf8(bytes[..end].to_vec()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn killed_at_twenty_random_moments_a_run_continues_to_the_same_bytes() {
    let directory = tempfile::tempdir().unwrap();
    synthetic_gest(&directory.path().join("gest.csv"), ITEMS);
    ask("undisturbed", &[], directory.path());
    let whole = std::fs::metadata(directory.path().join("undisturbed/log.jsonl"));
    let whole = whole.unwrap().len();
    let expected = measures(directory.path(), "undisturbed");

    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut interrupted = 0;
    for trial in 0..20 {
        let out = format!("trial{trial}");
        let mut child = Command::new(binary())
            .args(arguments(&out))
            .current_dir(directory.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        // The moment is a length of the log, not a time: it falls into the asking on any machine.
        let moment = ((state >> 33) * whole) >> 31;
        let log = directory.path().join(&out).join("log.jsonl");
        let length = || std::fs::metadata(&log).map_or(0, |facts| facts.len());
        while length() < moment && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();

        let before = whole_lines(&log);
        interrupted += usize::from(!before.is_empty() && before.len() < ANSWERS);
        ask(&out, &[], directory.path());
        assert_eq!(measures(directory.path(), &out), expected, "trial {trial}");

        // What was there stays; the rest is asked once; nothing is asked twice.
        let after = lines(&log);
        assert_eq!(after.len(), ANSWERS, "trial {trial}");
        assert_eq!(after[..before.len()], before[..], "trial {trial}");
        let distinct: BTreeSet<&String> = after.iter().collect();
        assert_eq!(distinct.len(), ANSWERS, "trial {trial}");
    }
    println!("{interrupted} of 20 kills fell into the asking");
    assert!(interrupted > 0, "no kill hit the run while it was asking");
}

/// The same for every byte at which a write can be torn, without waiting for luck.
#[test]
fn a_log_cut_anywhere_continues_to_the_same_bytes() {
    let directory = tempfile::tempdir().unwrap();
    synthetic_gest(&directory.path().join("gest.csv"), 32);
    ask("whole", &[], directory.path());
    let expected = measures(directory.path(), "whole");
    let log = std::fs::read(directory.path().join("whole/log.jsonl")).unwrap();
    for cut in [
        0,
        1,
        77,
        log.len() / 3,
        log.len() / 2,
        log.len() - 1,
        log.len(),
    ] {
        std::fs::write(directory.path().join("whole/log.jsonl"), &log[..cut]).unwrap();
        ask("whole", &[], directory.path());
        assert_eq!(
            measures(directory.path(), "whole"),
            expected,
            "cut at {cut}"
        );
        let again = std::fs::read(directory.path().join("whole/log.jsonl")).unwrap();
        assert_eq!(again, log, "cut at {cut}");
    }
}

#[test]
fn threads_and_shards_do_not_show_in_the_measures() {
    let directory = tempfile::tempdir().unwrap();
    synthetic_gest(&directory.path().join("gest.csv"), 500);
    ask("one", &["--threads", "1"], directory.path());
    let expected = measures(directory.path(), "one");
    ask("two", &["--threads", "2"], directory.path());
    assert_eq!(measures(directory.path(), "two"), expected);

    for shards in [1, 2, 3, 7] {
        let mut parts = Vec::new();
        for shard in 1..=shards {
            let out = format!("part{shard}of{shards}");
            let stdout = ask(
                &out,
                &["--shard", &format!("{shard}/{shards}")],
                directory.path(),
            );
            assert_eq!(stdout, "", "a shard is not measured");
            parts.push(out);
        }
        // The order of the parts does not matter either.
        parts.reverse();
        let whole = format!("merged{shards}");
        let mut merge = vec!["merge", "--out", &whole, "--format", "json"];
        merge.extend(parts.iter().map(String::as_str));
        let printed = succeed(&merge, directory.path());
        assert_eq!(
            measures(directory.path(), &whole),
            expected,
            "{shards} shards"
        );
        assert_eq!(printed.into_bytes(), expected);
        // A merge that is repeated changes nothing.
        succeed(&merge, directory.path());
        assert_eq!(
            lines(&directory.path().join(&whole).join("log.jsonl")).len(),
            2000
        );
    }
}

#[test]
fn merge_refuses_gaps_overlaps_and_strangers() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 64);
    ask("a", &["--shard", "1/3"], path);
    ask("b", &["--shard", "2/3"], path);
    ask("c", &["--shard", "3/3"], path);
    ask("stranger", &["--shard", "3/3", "--seed", "9"], path);

    let gap = refuse(&["merge", "a", "c", "--out", "x"], path);
    assert!(
        gap.contains("84 of 256 observations are missing, first: gest:2"),
        "{gap}"
    );
    assert!(
        gap.contains("hint:") && gap.contains("--allow-gaps"),
        "{gap}"
    );
    let overlap = refuse(&["merge", "a", "b", "c", "b", "--out", "x"], path);
    assert!(
        overlap.contains("84 observations are in more than one"),
        "{overlap}"
    );
    let strange = refuse(&["merge", "a", "b", "stranger", "--out", "x"], path);
    assert!(strange.contains("seed was 0, now 9"), "{strange}");
    let itself = refuse(&["merge", "a", "b", "c", "--out", "a"], path);
    assert!(itself.contains("is one of the runs to merge"), "{itself}");
    assert!(!path.join("x").exists(), "a refused merge writes nothing");

    let (code, stdout, stderr) = run(
        &[
            "merge",
            "a",
            "c",
            "--out",
            "gaps",
            "--allow-gaps",
            "--format",
            "json",
        ],
        path,
    );
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("84 answers are missing"), "{stderr}");
    assert!(stdout.contains("|answered:172/256|"), "{stdout}");
    let merged = [
        "merge",
        "a",
        "b",
        "c",
        "b",
        "--out",
        "all",
        "--allow-overlap",
    ];
    let (code, _, stderr) = run(&merged, path);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.contains("84 answers were in more than one run, 0 of them different"),
        "{stderr}"
    );
    ask("whole", &[], path);
    assert_eq!(measures(path, "all"), measures(path, "whole"));
}

#[test]
fn another_command_is_refused_and_fresh_starts_over() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 48);
    ask("r", &[], path);
    let before = measures(path, "r");
    let log = lines(&path.join("r/log.jsonl"));
    let again = |more: &[&str]| {
        let base = arguments("r");
        let all: Vec<&str> = base
            .iter()
            .map(String::as_str)
            .chain(more.iter().copied())
            .collect();
        refuse(&all, path)
    };
    for (more, difference) in [
        (vec!["--seed", "3"], "seed was 0, now 3"),
        (vec!["--limit", "5"], "limit was none, now 5"),
        (vec!["--convention", "true"], "convention=published"),
        (vec!["--model", "always:he"], "systems was random:5"),
        (vec!["--shard", "1/2"], "shard was none, now 1/2"),
    ] {
        let stderr = again(&more);
        assert!(
            stderr.contains("was made by a different command"),
            "{stderr}"
        );
        assert!(stderr.contains(difference), "{stderr}");
        assert!(stderr.contains("--fresh"), "{stderr}");
    }
    // Other data under the same name is noticed too.
    synthetic_gest(&path.join("gest.csv"), 47);
    assert!(again(&[]).contains("data was gest-custom@"));
    assert_eq!(measures(path, "r"), before, "a refusal changes nothing");
    assert_eq!(lines(&path.join("r/log.jsonl")), log);

    ask("r", &["--fresh"], path);
    assert_eq!(lines(&path.join("r/log.jsonl")).len(), 47 * 4);
}

#[test]
fn a_directory_of_other_peoples_files_is_never_touched() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 16);
    std::fs::create_dir(path.join("thesis")).unwrap();
    std::fs::write(path.join("thesis/chapter1.tex"), "words").unwrap();
    for fresh in [&[][..], &["--fresh"]] {
        let base = arguments("thesis");
        let all: Vec<&str> = base
            .iter()
            .map(String::as_str)
            .chain(fresh.iter().copied())
            .collect();
        let stderr = refuse(&all, path);
        assert!(stderr.contains("is not empty and holds no run"), "{stderr}");
    }
    assert_eq!(lines(&path.join("thesis/chapter1.tex")), ["words"]);
}

#[test]
fn a_run_that_is_being_written_is_locked() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 16);
    ask("r", &[], path);
    let lock = std::fs::File::open(path.join("r/lock")).unwrap();
    lock.lock().unwrap();
    let base = arguments("r");
    let all: Vec<&str> = base.iter().map(String::as_str).collect();
    assert!(refuse(&all, path).contains("another process is writing"));
    lock.unlock().unwrap();
    ask("r", &[], path);
}

#[test]
fn the_default_directory_is_found_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 16);
    let command = ["run", "gest", "--model", "always:he", "--data", "gest.csv"];
    let (_, _, first) = run(&command, path);
    assert!(first.contains("64 answers\n"), "{first}");
    let (_, _, second) = run(&command, path);
    assert!(
        second.contains("64 of 64 answers are there already"),
        "{second}"
    );
    let runs: Vec<_> = std::fs::read_dir(path.join("epicene-runs"))
        .unwrap()
        .collect();
    assert_eq!(runs.len(), 1);
}

#[test]
fn broken_runs_are_explained() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 16);
    ask("r", &[], path);
    let log = path.join("r/log.jsonl");
    let whole = lines(&log);
    let broken = |line: &str, message: &str| {
        let mut changed = whole.clone();
        changed[4] = line.to_owned();
        std::fs::write(&log, changed.join("\n") + "\n").unwrap();
        let stderr = refuse(&["report", "r"], path);
        assert!(stderr.contains("log.jsonl, line 5: "), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    };
    broken("{\"key\":\"x\"", "EOF");
    broken(&whole[0], "was answered before");
    for (from, to, message) in [
        ("\"item\":2", "\"item\":99", "item 99 is not in items.jsonl"),
        ("random:5", "random:6", "no system `random:6`"),
        ("\"item\":2", "\"item\":3", "does not belong to item 3"),
    ] {
        let changed = whole[4].replace(from, to);
        broken(&changed, "the checksum does not hold");
        broken(&sealed(&changed), message);
    }
    broken(&whole[4].replace("log10_ratio", "ratio"), "unknown variant");
    let (bare, _) = whole[4].split_once(",\"sum\"").unwrap();
    broken(&format!("{bare}}}"), "the line has no checksum");

    std::fs::write(&log, whole.join("\n") + "\n").unwrap();
    std::fs::write(path.join("r/manifest.json"), "{").unwrap();
    assert!(refuse(&["report", "r"], path).contains("manifest.json: EOF"));
    assert!(refuse(&["report", "nowhere"], path).contains("not a run directory"));
}

/// A line of a log that was changed, with the checksum it would have had.
fn sealed(line: &str) -> String {
    let (before, _) = line.rsplit_once(",\"sum\":").unwrap();
    let sum = epicene_io::digest::line_sum(before.as_bytes());
    format!("{before},\"sum\":\"{sum}\"}}")
}

/// Runs of 0.1.0 have no checksums: they are read, measured and merged as they are.
#[test]
fn runs_of_format_1_are_read_and_other_formats_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 16);
    let text = |name: &str| std::fs::read_to_string(path.join(name)).unwrap();
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    for (run, shard) in [("a", "1/2"), ("b", "2/2")] {
        ask(run, &["--shard", shard], path);
        let log = text(&format!("{run}/log.jsonl"));
        let old: Vec<String> = log
            .lines()
            .map(|line| line.split_once(",\"sum\"").unwrap().0.to_owned() + "}\n")
            .collect();
        crate::support::edit_manifest(&path.join(run), |manifest| manifest["format"] = 1.into());
        write(&format!("{run}/log.jsonl"), &old.concat());
    }
    ask("new", &[], path);
    succeed(&["merge", "a", "b", "--out", "whole"], path);
    assert!(!text("whole/log.jsonl").contains("\"sum\""));
    assert_eq!(measures(path, "whole"), measures(path, "new"));
    let mixed = refuse(&["merge", "a", "new", "--out", "x"], path);
    assert!(mixed.contains("run format was 1, now 3"), "{mixed}");
    let base = arguments("whole");
    let continued: Vec<&str> = base.iter().map(String::as_str).collect();
    assert!(refuse(&continued, path).contains("run format was 1, now 3"));
    for format in [4, 9] {
        let manifest = text("new/manifest.json");
        let other = manifest.replace("\"format\": 3", &format!("\"format\": {format}"));
        write("new/manifest.json", &other);
        let stderr = refuse(&["report", "new"], path);
        assert!(
            stderr.contains(&format!("run format {format}; this one reads 3 and below")),
            "{stderr}"
        );
        write("new/manifest.json", &manifest);
    }
}

/// The answers go first when a run is cleared: what is left of it has none.
#[test]
fn an_interrupted_fresh_start_does_not_bring_old_answers_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 16);
    ask("r", &[], path);
    std::fs::remove_file(path.join("r/log.jsonl")).unwrap();
    std::fs::remove_file(path.join("r/measures.json")).unwrap();
    let base = arguments("r");
    let all: Vec<&str> = base.iter().map(String::as_str).collect();
    let (code, _, stderr) = run(&all, path);
    assert_eq!(code, 0, "{stderr}");
    assert!(!stderr.contains("are there already"), "{stderr}");
    // An interrupted start leaves the items, and files that were being written.
    for name in ["manifest.json", "log.jsonl", "measures.json"] {
        std::fs::remove_file(path.join("r").join(name)).unwrap();
    }
    std::fs::write(path.join("r/measures.json.part"), "half").unwrap();
    let (code, _, stderr) = run(&all, path);
    assert_eq!(code, 0, "{stderr}");
    assert!(!path.join("r/measures.json.part").exists());
}

#[test]
fn a_merge_into_changed_answers_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 16);
    ask("a", &["--shard", "1/2"], path);
    ask("b", &["--shard", "2/2"], path);
    succeed(&["merge", "a", "b", "--out", "whole"], path);
    let log = path.join("a/log.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, text.replace("\"log10_ratio\":", "\"log10_ratio\":-")).unwrap();
    let text = std::fs::read_to_string(&log).unwrap().replace(":--", ":");
    std::fs::write(&log, &text).unwrap();
    let stderr = refuse(&["merge", "a", "b", "--out", "whole"], path);
    assert!(
        stderr.contains("log.jsonl, line 1: the checksum does not hold"),
        "{stderr}"
    );
    let lines: Vec<String> = text.lines().map(|line| sealed(line) + "\n").collect();
    std::fs::write(&log, lines.concat()).unwrap();
    let stderr = refuse(&["merge", "a", "b", "--out", "whole"], path);
    assert!(
        stderr.contains("holds another answer to gest:1"),
        "{stderr}"
    );
    succeed(&["merge", "a", "b", "--out", "whole", "--fresh"], path);
}

#[cfg(unix)]
#[test]
fn a_log_that_is_a_link_is_not_followed() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 16);
    ask("r", &[], path);
    std::fs::rename(path.join("r/log.jsonl"), path.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(path.join("elsewhere"), path.join("r/log.jsonl")).unwrap();
    let base = arguments("r");
    let all: Vec<&str> = base.iter().map(String::as_str).collect();
    assert!(refuse(&all, path).contains("symbolic link"));
}
