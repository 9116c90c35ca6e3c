//! Every fenced command of README and docs. A block of the language `console` is run in a directory of its page, its exit
//! codes must be 0 (or what `# exit N` says) and its output what the page shows; `…` stands for anything. What cannot be run
//! here says why, in a comment before it (`<!-- not run: WHY -->`), and its commands must at least be ones that this version
//! understands. `EPICENE_UPDATE_DOCS=1 cargo test -p epicene --test it docs_commands::` writes the real output into the pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SEEN_AT: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");
const SHELLS: [&str; 4] = ["console", "bash", "sh", "shell"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../..")
        .canonicalize()
        .unwrap()
}

fn pages() -> Vec<PathBuf> {
    let root = repository();
    let mut pages = vec![
        root.join("README.md"),
        root.join("CONTRIBUTING.md"),
        root.join("python/README.md"),
    ];
    for folder in ["docs", "docs/benchmarks"] {
        let entries = fs::read_dir(root.join(folder)).unwrap();
        pages.extend(entries.map(|entry| entry.unwrap().path()));
    }
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// A fenced block.
struct Block {
    /// Of the opening fence, from 0.
    line: usize,
    language: String,
    lines: Vec<String>,
    /// Why it is not run.
    excuse: Option<String>,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut excuse = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.lines.push(line.to_owned()),
            (None, Some(language)) => {
                open = Some(Block {
                    line: number,
                    language: language.trim().to_owned(),
                    lines: Vec::new(),
                    excuse: excuse.take(),
                });
            }
            (None, None) => {
                let why = line.trim().strip_prefix("<!-- not run:");
                if let Some(why) = why.and_then(|why| why.strip_suffix("-->")) {
                    excuse = Some(why.trim().to_owned());
                } else if !line.trim().is_empty() {
                    excuse = None;
                }
            }
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// A command with the output that the page shows.
#[derive(Debug)]
struct Shown {
    command: String,
    /// Lines within the block.
    output: std::ops::Range<usize>,
}

fn shown(block: &Block) -> Vec<Shown> {
    let mut found: Vec<Shown> = Vec::new();
    let mut continued = false;
    for (number, line) in block.lines.iter().enumerate() {
        let text = line.trim_end();
        if continued {
            let last = found.last_mut().unwrap();
            last.command += "\n";
            last.command += text.strip_prefix("> ").unwrap_or(text);
            last.output = number + 1..number + 1;
            continued = text.ends_with('\\');
        } else if let Some(command) = text.trim_start().strip_prefix("$ ") {
            found.push(Shown {
                command: command.to_owned(),
                output: number + 1..number + 1,
            });
            continued = command.ends_with('\\');
        } else if let Some(last) = found.last_mut() {
            last.output.end = number + 1;
        }
    }
    found
}

fn run(command: &str, directory: &Path) -> Output {
    let program = assert_cmd::cargo::cargo_bin!("epicene");
    let path = std::env::var("PATH").unwrap_or_default();
    let own = program.parent().unwrap().display();
    Command::new("bash")
        .args(["-c", &format!("set -o pipefail; {command}")])
        .current_dir(directory)
        .env("PATH", format!("{own}:{path}"))
        .env("XDG_CACHE_HOME", directory.join("cache"))
        .env("EPICENE_REPOSITORY", repository())
        .output()
        .unwrap()
}

/// Whether a line is what a page shows; `…` stands for anything.
fn fits(shown: &str, real: &str) -> bool {
    let mut parts = shown.trim_end().split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = real.trim_end().strip_prefix(first) else {
        return false;
    };
    let mut open = false;
    for part in parts {
        open = part.is_empty();
        match rest.find(part) {
            Some(place) => rest = &rest[place + part.len()..],
            None => return false,
        }
    }
    open || rest.is_empty()
}

/// Lines against lines; a line of `…` alone stands for any number of them.
fn same(shown: &[String], real: &[&str]) -> bool {
    match shown.split_first() {
        None => real.is_empty(),
        Some((line, rest)) if line.trim() == "…" => {
            (0..=real.len()).any(|skipped| same(rest, &real[skipped..]))
        }
        Some((line, rest)) => match real.split_first() {
            Some((first, others)) => fits(line, first) && same(rest, others),
            None => false,
        },
    }
}

/// Runs the blocks of a page; gives what is wrong, and the page as it should be.
fn check(path: &Path) -> (Vec<String>, String) {
    let text = fs::read_to_string(path).unwrap();
    let place = path
        .strip_prefix(repository())
        .unwrap_or(path)
        .display()
        .to_string();
    let mut problems = Vec::new();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let directory = tempfile::tempdir().unwrap();
    let mut moved = 0isize;
    for block in blocks(&text) {
        if !SHELLS.contains(&block.language.as_str()) {
            continue;
        }
        let at = format!("{place}:{}", block.line + 1);
        if let Some(excuse) = &block.excuse {
            assert!(!excuse.is_empty(), "{at}: an excuse without a reason");
            problems.extend(
                misunderstood(&block)
                    .into_iter()
                    .map(|why| format!("{at}: {why}")),
            );
            continue;
        }
        if block.language != "console" {
            problems.push(format!(
                "{at}: a {} block is neither a console nor excused",
                block.language
            ));
            continue;
        }
        for Shown { command, output } in shown(&block) {
            let done = run(&command, directory.path());
            let wanted = command
                .rsplit_once("# exit ")
                .map_or(0, |(_, code)| code.trim().parse().unwrap());
            if done.status.code() != Some(wanted) {
                let said = String::from_utf8_lossy(&done.stderr);
                problems.push(format!("{at}: `{command}`: {}\n{said}", done.status));
                continue;
            }
            let real = String::from_utf8_lossy(&done.stdout);
            let real: Vec<&str> = real.lines().collect();
            let expected = &block.lines[output.clone()];
            let blank: Vec<String> = trimmed(expected);
            if blank.is_empty() || same(&blank, &real) {
                continue;
            }
            problems.push(format!("{at}: `{command}` prints\n{}", real.join("\n")));
            // What was shown up to the first gap is renewed, the rest stays a gap.
            let gap = blank.iter().any(|line| line.trim() == "…");
            let keep = if gap {
                blank.iter().position(|line| line.trim() == "…").unwrap()
            } else {
                real.len()
            };
            let mut fresh: Vec<String> = real
                .iter()
                .take(keep)
                .map(|line| (*line).trim_end().to_owned())
                .collect();
            if gap {
                fresh.push("…".to_owned());
            }
            let start = (block.line + 1 + output.start)
                .checked_add_signed(moved)
                .unwrap();
            let end = (block.line + 1 + output.end)
                .checked_add_signed(moved)
                .unwrap();
            moved += fresh.len() as isize - (end - start) as isize;
            lines.splice(start..end, fresh);
        }
    }
    (problems, lines.join("\n") + "\n")
}

fn trimmed(lines: &[String]) -> Vec<String> {
    let end = lines.iter().rposition(|line| !line.trim().is_empty());
    lines[..end.map_or(0, |end| end + 1)].to_vec()
}

/// Commands of a block that this version does not understand.
fn misunderstood(block: &Block) -> Vec<String> {
    let mut commands: Vec<String> = shown(block)
        .into_iter()
        .map(|shown| shown.command)
        .collect();
    if block.language != "console" {
        commands = vec![block.lines.join("\n")];
    }
    let text = commands.join("\n").replace("\\\n", " ");
    let mut wrong = Vec::new();
    for line in text.lines() {
        let line = line.split(" # ").next().unwrap_or_default();
        for part in line.split(['|', ';', '&', '(', ')', '`']) {
            let part = part.split(['<', '>']).next().unwrap_or_default().trim();
            let Some(words) = shlex::split(part) else {
                continue;
            };
            let start = words.iter().position(|word| !word.contains('='));
            let words = &words[start.unwrap_or(0)..];
            // Ellipses and alternatives are for people.
            let vague = |word: &String| word.contains(['…', '$', '*']) || word == "...";
            if words.first().is_none_or(|word| word != "epicene") || words.iter().any(vague) {
                continue;
            }
            if let Err(failure) =
                epicene::library::understand(words.iter().map(Into::into).collect())
            {
                wrong.push(format!("`{part}`: {}", failure.message));
            }
        }
    }
    wrong
}

#[test]
fn every_command_of_the_docs_runs_or_says_why_not() {
    let bless = std::env::var_os("EPICENE_UPDATE_DOCS").is_some();
    let mut problems = Vec::new();
    for path in pages() {
        let (found, text) = check(&path);
        if bless && !found.is_empty() {
            fs::write(&path, text).unwrap();
        }
        problems.extend(found);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
}

#[test]
fn what_is_shown_fits_what_is_real() {
    for (shown, real, expected) in [
        ("a b", "a b", true),
        ("a …", "a b", true),
        ("a … c", "a b c", true),
        ("a … c", "a b d", false),
        ("a", "a b", false),
    ] {
        assert_eq!(fits(shown, real), expected, "{shown} / {real}");
    }
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(same(&lines("a\n…\nd"), &["a", "b", "c", "d"]));
    assert!(!same(&lines("a\n…\nd"), &["a", "b", "c"]));
    let page = "<!-- not run: no network -->\n```console\n$ epicene run gesst\n```\n";
    let block = &blocks(page)[0];
    assert_eq!(block.excuse.as_deref(), Some("no network"));
    assert!(
        misunderstood(block).is_empty(),
        "the benchmark is no matter of the grammar"
    );
    let page = "```console\n$ epicene run gest --modle x\n```\n";
    assert_eq!(misunderstood(&blocks(page)[0]).len(), 1);
}

/// The targets of a page's links that are files.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced {
            continue;
        }
        for part in line.split("](").skip(1) {
            let target = part.split(')').next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            // The site has the pages alone; other files are linked to where the repository is seen.
            if let Some(file) = file.strip_prefix(SEEN_AT) {
                found.push(repository().join(file).display().to_string());
            } else if !file.is_empty() && !file.contains("://") {
                found.push(file.to_owned());
            }
        }
    }
    found
}

#[test]
fn every_page_is_in_the_summary_and_every_link_leads_somewhere() {
    let root = repository();
    let summary = fs::read_to_string(root.join("docs/SUMMARY.md")).unwrap();
    let listed = links(&summary);
    for path in pages() {
        let text = fs::read_to_string(&path).unwrap();
        let folder = path.parent().unwrap();
        for link in links(&text) {
            let shown = path.display();
            assert!(folder.join(&link).exists(), "{shown}: {link} is not there");
        }
        if let Ok(page) = path.strip_prefix(root.join("docs"))
            && page != Path::new("SUMMARY.md")
        {
            let page = page.to_string_lossy().into_owned();
            assert!(listed.contains(&page), "{page} is not in SUMMARY.md");
        }
    }
}
