//! Inputs and earlier outputs survive every command, however it is called and however it ends.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;

use rustix::fs::{CWD, Mode, mkfifoat};

use super::launch::{code, epicene, refuse, stderr, succeed, tree};
use super::server::{Reply, Server};

fn prepare(here: &Path) {
    fs::write(here.join("in.txt"), "I ran.\nI sat.\n").unwrap();
    fs::write(
        here.join("pairs.tsv"),
        "The woman ran.\tx\nThe man sat.\ty\n",
    )
    .unwrap();
    let vector = |word: &str, n: f64| format!("{word} {n} {} 0.5\n", 1.0 - n);
    let words = ["she", "he", "woman", "man", "her", "his", "nurse", "doctor"];
    let vectors: String = (0u8..)
        .zip(words)
        .map(|(n, word)| vector(word, f64::from(n) / 8.0))
        .collect();
    fs::write(here.join("v.vec"), vectors).unwrap();
    fs::write(here.join("words.txt"), "nurse\ndoctor\n").unwrap();
    let sentences: String = (0..32)
        .map(|n| format!("I did {n}.,{}\n", n % 16 + 1))
        .collect();
    fs::write(
        here.join("gest.csv"),
        format!("sentence,stereotype\n{sentences}"),
    )
    .unwrap();
    succeed(
        here,
        &[
            "run", "gest", "--model", "random:1", "--data", "gest.csv", "--out", "run",
        ],
    );
    symlink("in.txt", here.join("link.txt")).unwrap();
    fs::hard_link(here.join("in.txt"), here.join("twin.txt")).unwrap();
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    prepare(here);
    let before = tree(here);
    let translate = ["translate", "in.txt", "--mt", "copy:", "--to", "sk", "-o"];
    let extract = ["extract", "--table", "pairs.tsv"];
    let wordscore = ["wordscore", "--vectors", "v.vec", "--words", "words.txt"];
    let refused: Vec<Vec<&str>> = vec![
        [&translate[..], &["in.txt"]].concat(),
        [&translate[..], &["./in.txt"]].concat(),
        [&translate[..], &["link.txt"]].concat(),
        [&translate[..], &["twin.txt"]].concat(),
        [&extract[..], &["--female", "pairs.tsv", "--male", "m.txt"]].concat(),
        [
            &extract[..],
            &[
                "--female",
                "f.txt",
                "--male",
                "m.txt",
                "--counts",
                "pairs.tsv",
            ],
        ]
        .concat(),
        [&extract[..], &["--female", "o.txt", "--male", "o.txt"]].concat(),
        [&extract[..], &["--female", "o.txt", "--male", "./o.txt"]].concat(),
        [&wordscore[..], &["--scatter", "v.vec"]].concat(),
        [&wordscore[..], &["--scatter", "words.txt"]].concat(),
        [
            &wordscore[..],
            &["--scatter", "o.csv", "--incomplete", "o.csv"],
        ]
        .concat(),
        vec!["report", "run", "--format", "csv", "-o", "run/log.jsonl"],
        vec![
            "report",
            "run",
            "--format",
            "json",
            "-o",
            "run/manifest.json",
        ],
    ];
    for arguments in &refused {
        let said = refuse(here, arguments);
        assert!(
            said.contains("hint: write to another file"),
            "{arguments:?}: {said}"
        );
        assert_eq!(tree(here), before, "{arguments:?} changed something");
    }
    // Standard input is an input too.
    let done = epicene(here)
        .args(["translate", "--mt", "copy:", "--to", "sk", "-o", "in.txt"])
        .stdin(fs::File::open(here.join("in.txt")).unwrap())
        .output()
        .unwrap();
    assert_eq!(code(&done), 2, "{}", stderr(&done));
    assert_eq!(tree(here), before);
}

#[test]
fn a_command_that_fails_leaves_the_old_file() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    prepare(here);
    for name in ["o.txt", "f.txt", "m.txt", "o.csv", "o.html"] {
        fs::write(here.join(name), "old").unwrap();
    }
    fs::write(here.join("broken.txt"), b"I ran.\n\xff\n").unwrap();
    fs::write(here.join("broken.tsv"), "The woman ran.\tx\nno tab\n").unwrap();
    let before = tree(here);
    let failing = Server::start(|_| Reply::new(403, "no"));
    let service = format!("libretranslate:{}", failing.url);
    let failed: [&[&str]; 7] = [
        &[
            "translate",
            "absent.txt",
            "--mt",
            "copy:",
            "--to",
            "sk",
            "-o",
            "o.txt",
        ],
        &[
            "translate",
            "broken.txt",
            "--mt",
            "copy:",
            "--to",
            "sk",
            "-o",
            "o.txt",
        ],
        &[
            "translate",
            "in.txt",
            "--mt",
            &service,
            "--to",
            "sk",
            "-o",
            "o.txt",
        ],
        &[
            "extract",
            "--table",
            "broken.tsv",
            "--female",
            "f.txt",
            "--male",
            "m.txt",
        ],
        &[
            "wordscore",
            "--vectors",
            "in.txt",
            "--words",
            "words.txt",
            "--scatter",
            "o.csv",
        ],
        &["report", "absent", "-o", "o.html"],
        &["compare", "run", "run", "--systems", "x,y", "-o", "o.html"],
    ];
    for arguments in failed {
        refuse(here, arguments);
        let mut after = tree(here);
        after.retain(|name, _| !name.starts_with("cache"));
        assert_eq!(after, before, "{arguments:?}");
    }
}

#[test]
fn links_pipes_and_devices_are_written_through_and_rights_stay() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    prepare(here);
    let translate = |output: &str| {
        [
            "translate",
            "in.txt",
            "--mt",
            "copy:",
            "--to",
            "sk",
            "-o",
            output,
        ]
        .map(str::to_owned)
    };
    fs::write(here.join("real.txt"), "old").unwrap();
    fs::set_permissions(here.join("real.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("real.txt", here.join("out.txt")).unwrap();
    let run = |output: &str| epicene(here).args(translate(output)).output().unwrap();
    assert_eq!(code(&run("out.txt")), 0);
    assert!(here.join("out.txt").is_symlink());
    assert_eq!(
        fs::read_to_string(here.join("real.txt")).unwrap(),
        "I ran.\nI sat.\n"
    );
    let mode = fs::metadata(here.join("real.txt"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    mkfifoat(CWD, here.join("pipe"), Mode::from_raw_mode(0o600)).unwrap();
    let pipe = here.join("pipe");
    let reader = std::thread::spawn(move || fs::read_to_string(pipe).unwrap());
    assert_eq!(code(&run("pipe")), 0);
    assert_eq!(reader.join().unwrap(), "I ran.\nI sat.\n");
    for device in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        let done = run(device);
        assert_eq!(code(&done), 0, "{device}: {}", stderr(&done));
        assert_eq!(done.stdout, b"I ran.\nI sat.\n", "{device}");
    }
    // A page over a link, and to a shell's redirection.
    symlink("page-real.html", here.join("page.html")).unwrap();
    succeed(here, &["report", "run", "-o", "page.html"]);
    assert!(here.join("page.html").is_symlink() && here.join("page-real.html").is_file());
    let redirected = fs::File::create(here.join("redirected.csv")).unwrap();
    let done = epicene(here)
        .args(["report", "run", "--format", "csv", "-o", "/dev/stdout"])
        .stdout(Stdio::from(redirected))
        .output()
        .unwrap();
    assert_eq!(code(&done), 0, "{}", stderr(&done));
    assert!(
        fs::read_to_string(here.join("redirected.csv"))
            .unwrap()
            .starts_with("benchmark,")
    );
    let left: Vec<_> = tree(here)
        .into_keys()
        .filter(|name| name.to_string_lossy().contains(".part"))
        .collect();
    assert_eq!(left, Vec::<std::path::PathBuf>::new());
}

/// A file nobody may write is not replaced, and the reason is said.
#[test]
fn a_file_that_may_not_be_written_stays() {
    let directory = tempfile::tempdir().unwrap();
    let here = directory.path();
    prepare(here);
    let said = refuse(
        here,
        &[
            "translate",
            "in.txt",
            "--mt",
            "copy:",
            "--to",
            "sk",
            "-o",
            "run",
        ],
    );
    assert!(said.contains("directory"), "{said}");
    let said = refuse(here, &["report", "run", "-o", "nowhere/x.html"]);
    assert!(
        said.contains("nowhere/x.html: there is no directory nowhere"),
        "{said}"
    );
}
