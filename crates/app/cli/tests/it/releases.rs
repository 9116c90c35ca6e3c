//! What the repository says about its releases, and that a checkout holds the committed bytes on every system.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn read(name: &str) -> String {
    fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The value of the first line `NAME = "VALUE"`.
fn setting<'a>(text: &'a str, name: &str) -> &'a str {
    let lines = text.lines().map(str::trim);
    let mut values = lines.filter_map(|line| {
        let (found, value) = line.split_once('=')?;
        (found.trim() == name).then(|| value.trim().split('"').nth(1).unwrap())
    });
    values.next().unwrap_or_else(|| panic!("no {name}"))
}

/// Channel and version, as `releases.toml` lists them.
fn channels() -> BTreeMap<String, String> {
    let text = read("releases.toml");
    let (_, list) = text.split_once("[channels]\n").unwrap();
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    let entries = lines.filter_map(|line| line.split_once(" = "));
    entries
        .map(|(name, value)| {
            let version = value.split('"').nth(1).unwrap();
            (name.to_owned(), version.to_owned())
        })
        .collect()
}

/// A place to get epicene from that a text names, with the version if it names one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Claim {
    channel: String,
    version: Option<String>,
}

/// The version at the beginning of a text: `0.2.0` of `0.2.0-x86_64…`.
fn version(text: &str) -> Option<String> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let found = text[..end].trim_end_matches('.');
    (!found.is_empty()).then(|| found.to_owned())
}

/// Whether a word of an install command is one of our packages, with the version if it names one.
fn package(word: &str) -> Option<Option<String>> {
    let end = word
        .find(|c: char| !c.is_ascii_lowercase() && c != '-')
        .unwrap_or(word.len());
    let (name, rest) = word.split_at(end);
    // `epicene-0.2.0-….whl` and `epicene/…` are files.
    let named = name == "epicene" || name.strip_prefix("epicene-").is_some_and(|s| !s.is_empty());
    let after = match rest.strip_prefix('[') {
        Some(extras) => extras.split_once(']').map_or("", |(_, after)| after),
        None => rest,
    };
    if !named || !(after.is_empty() || after.starts_with(['=', '@', '~', '!', ':'])) {
        return None;
    }
    Some(version(after.trim_start_matches(['=', '@', '~', '!', ':'])))
}

/// The channel that an address at a registry belongs to, whatever the host: a package's page, or the name of an image.
fn registry(word: &str) -> Option<(&'static str, Option<String>)> {
    let (is_link, address) = match word.split_once("://") {
        Some((_, address)) => (true, address),
        None => (false, word),
    };
    let (host, path) = address.split_once('/')?;
    let (_, end) = host.rsplit_once('.')?;
    let is_name = end.len() > 1 && end.bytes().all(|b| b.is_ascii_alphabetic());
    // The repository itself is no registry.
    if !is_name || host.starts_with("github.") {
        return None;
    }
    let parts: Vec<&str> = path.split('/').collect();
    let at = parts.iter().rposition(|part| package(part).is_some())?;
    let channel = match at.checked_sub(1).map(|before| parts[before]) {
        Some("p" | "project" | "simple") => "pypi",
        Some("crates") => "crates",
        _ if !is_link && at + 1 == parts.len() => "image",
        // Pages of a crate's documentation.
        None => "crates",
        Some(_) => return None,
    };
    Some((channel, package(parts[at])?))
}

/// Every channel that a text names.
fn claims(text: &str) -> BTreeSet<Claim> {
    let mut found = BTreeSet::new();
    let mut claim = |channel: &str, version| {
        let channel = channel.to_owned();
        found.insert(Claim { channel, version });
    };
    for line in text.lines() {
        // `>=` belongs to a version; quotes and brackets of prose do not belong to words.
        let line = line.replace(">=", "=").replace("<=", "=");
        let clean = line.replace(
            ['`', '"', '\'', '(', ')', '<', '>', ',', ';', '|', '*'],
            " ",
        );
        let words: Vec<&str> = clean
            .split_whitespace()
            .map(|word| word.trim_end_matches(['.', ':', '\\']))
            .collect();
        for (at, word) in words.iter().enumerate() {
            let channel = match *word {
                "pip" | "pip3" | "pipx" | "uv" | "uvx" | "poetry" | "pdm" => "pypi",
                "cargo" => "crates",
                "docker" | "podman" | "nerdctl" => "image",
                "brew" | "conda" | "mamba" | "micromamba" | "pixi" | "apt" | "apt-get" | "dnf"
                | "yum" | "pacman" | "npm" | "npx" | "snap" | "winget" | "scoop" | "choco"
                | "nix" | "nix-env" | "flatpak" => word,
                _ => continue,
            };
            let command: Vec<&str> = words[at + 1..]
                .iter()
                .copied()
                .take_while(|word| !["&&", "||", "#", ";"].contains(word))
                .collect();
            let is = |words: &[&str]| command.iter().any(|word| words.contains(word));
            let fetches = ["uvx", "npx"].contains(word)
                || is(&[
                    "install", "binstall", "add", "-S", "-i", "pull", "tool", "profile",
                ]);
            if !fetches || is(&["--path", "--git", "--no-index"]) {
                continue;
            }
            for version in command.iter().filter_map(|word| package(word)) {
                claim(channel, version);
            }
        }
        for word in &words {
            if let Some((_, reference)) = word.split_once("epicene/epicene@") {
                let commit =
                    reference.len() == 40 && reference.bytes().all(|b| b.is_ascii_hexdigit());
                if reference == "main" || commit {
                    claim("source", None);
                } else {
                    claim("github", version(reference));
                }
            }
            if let Some((_, page)) = word.split_once("epicene/epicene/releases") {
                claim("github", page.split('/').find_map(version));
            }
            if let Some((channel, version)) = registry(word) {
                claim(channel, version);
            }
            // `epicene-0.2.0-….tar.gz`
            let file = word.rsplit('/').next().unwrap();
            if let Some(rest) = file.strip_prefix("epicene-")
                && rest.starts_with(|c: char| c.is_ascii_digit())
            {
                let channel = if rest.ends_with(".whl") {
                    "pypi"
                } else {
                    "github"
                };
                claim(channel, version(rest));
            }
        }
    }
    found
}

/// Why a claim is wrong, if it is.
fn problem(claim: &Claim, listed: &BTreeMap<String, String>) -> Option<String> {
    let Some(published) = listed.get(&claim.channel) else {
        return Some(format!("{} is not listed in releases.toml", claim.channel));
    };
    let named = claim.version.as_deref()?;
    let exact = named == published;
    let is_prefix = published
        .strip_prefix(named)
        .is_some_and(|rest| rest.starts_with('.'));
    (!exact && !is_prefix).then(|| format!("{} has {published}, not {named}", claim.channel))
}

/// What users read: pages, the action, the Python package, and the program's own texts.
fn texts() -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![repository()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let entry = entry.unwrap();
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_str().unwrap();
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                let skipped = ["target", "tests", "node_modules", "epicene-runs", "built"];
                let hidden = name.starts_with('.') && name != ".github";
                if !skipped.contains(&name) && !hidden {
                    folders.push(path);
                }
                continue;
            }
            let end = path
                .extension()
                .and_then(|end| end.to_str())
                .unwrap_or_default();
            let read = ["md", "ipynb", "rs", "py"].contains(&end) || name == "action.yml";
            // The changelog tells of versions that were; the release workflow's script names files of any version.
            let skipped = ["CHANGELOG.md", "release.py"].contains(&name);
            if kind.is_file() && read && !skipped {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 500, "{}", found.len());
    found
}

#[test]
fn only_listed_channels_and_versions_are_named() {
    let listed = channels();
    let mut problems = Vec::new();
    for path in texts() {
        let text = fs::read_to_string(&path).unwrap();
        for claim in claims(&text) {
            if let Some(why) = problem(&claim, &listed) {
                problems.push(format!("{}: {why}", path.display()));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn channels_are_found_in_text() {
    for (text, expected) in [
        ("$ pip install epicene   # the command", "pypi"),
        ("pip install -U epicene", "pypi"),
        ("`python -m pip install \"epicene[transformers]\"`", "pypi"),
        ("pip install epicene==0.2.0", "pypi 0.2.0"),
        ("pip install 'epicene>=0.3'", "pypi 0.3"),
        ("uv add epicene", "pypi"),
        ("uv tool install epicene", "pypi"),
        ("uvx epicene demo", "pypi"),
        ("pipx install epicene.", "pypi"),
        ("see https://registry.example/project/epicene/", "pypi"),
        ("(https://registry.example/p/epicene)", "pypi"),
        ("registry.example/project/epicene/0.2.0", "pypi"),
        ("cargo install epicene", "crates"),
        ("cargo install --locked epicene@0.2.0", "crates 0.2.0"),
        ("cargo +stable binstall epicene", "crates"),
        ("cargo add epicene-stats", "crates"),
        ("https://registry.example/crates/epicene-core", "crates"),
        ("https://docs.example/epicene-stats/latest", "crates"),
        ("- uses: epicene/epicene@v0.1", "github 0.1"),
        ("uses: epicene/epicene@v0.2.0 # newest", "github 0.2.0"),
        (
            "https://github.com/epicene/epicene/releases/latest",
            "github",
        ),
        (
            "https://github.com/epicene/epicene/releases/download/v0.2.0/SHA256SUMS",
            "github 0.2.0",
        ),
        (
            "tar xzf epicene-0.2.0-x86_64-unknown-linux-gnu.tar.gz",
            "github 0.2.0",
        ),
        (
            "docker pull registry.example/epicene/epicene:0.2.0",
            "image 0.2.0",
        ),
        ("docker run registry.example/epicene/epicene", "image"),
        ("image: registry.example/epicene:latest", "image"),
        ("brew install epicene", "brew"),
        ("conda install -c conda-forge epicene", "conda"),
        (
            "pip install ./epicene-0.2.0-cp310-abi3-manylinux_2_28_x86_64.whl",
            "pypi 0.2.0",
        ),
    ] {
        let found = claims(text);
        let words: Vec<String> = found
            .iter()
            .map(|claim| match &claim.version {
                Some(version) => format!("{} {version}", claim.channel),
                None => claim.channel.clone(),
            })
            .collect();
        assert!(words.contains(&expected.to_owned()), "{text}: {words:?}");
    }
    for text in [
        "cargo install --locked --path crates/app/cli",
        "cargo install --git https://github.com/epicene/epicene epicene",
        "cargo run --release -p epicene -- demo",
        "cargo test -p epicene-lm",
        "pip install maturin && cd python && maturin build --release",
        "pip install --no-index --find-links dist epicene",
        "pip install pandas # then import epicene",
        "docker build -t epicene .",
        "docker run --rm epicene demo",
        "https://github.com/epicene/epicene/blob/main/action.yml",
        "github.com/epicene/epicene",
        "./target/release/epicene ../python/epicene python/epicene",
        "http://127.0.0.1:8000/epicene",
        "https://site.example/about/epicene",
        "the wheel of epicene, installed",
    ] {
        assert_eq!(claims(text), BTreeSet::new(), "{text}");
    }
}

#[test]
fn versions_of_unlisted_releases_are_refused() {
    let listed = [("github", "0.2.1"), ("source", "0.2.1")];
    let listed = listed.map(|(name, version)| (name.to_owned(), version.to_owned()));
    let listed = BTreeMap::from(listed);
    for (channel, version, allowed) in [
        ("github", None, true),
        ("github", Some("0.2.1"), true),
        ("github", Some("0.2"), true),
        ("github", Some("0"), true),
        ("github", Some("0.1"), false),
        ("github", Some("0.2.10"), false),
        ("github", Some("0.2.1.1"), false),
        ("pypi", None, false),
        ("pypi", Some("0.2.1"), false),
    ] {
        let version = version.map(str::to_owned);
        let channel = channel.to_owned();
        let claim = Claim { channel, version };
        assert_eq!(problem(&claim, &listed).is_none(), allowed, "{claim:?}");
    }
}

#[test]
fn files_agree_about_versions() {
    let manifest = read("Cargo.toml");
    let version = setting(&manifest, "version");
    let mut listed = channels();
    assert_eq!(listed.remove("source").as_deref(), Some(version));
    assert!(read("CITATION.cff").contains(&format!("\nversion: {version}\n")));
    let changelog = read("CHANGELOG.md");
    for (channel, published) in listed {
        let known = ["github", "pypi", "crates", "image"].contains(&channel.as_str());
        assert!(known, "{channel} is no channel");
        let heading = format!("\n## {published}");
        assert!(
            changelog.contains(&heading),
            "{channel}: CHANGELOG.md has no {published}"
        );
    }
    let rust = setting(&manifest, "rust-version");
    assert!(read("Dockerfile").contains(&format!("\nARG RUST={rust}\n")));
    for page in ["README.md", "docs/index.md"] {
        for (at, _) in read(page).match_indices("Rust 1.") {
            let text = read(page);
            assert!(
                text[at + 5..].starts_with(rust),
                "{page}: the oldest compiler is {rust}"
            );
        }
    }
}

#[test]
fn the_python_package_has_the_licences_of_the_repository() {
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "DATA-LICENCES.md"] {
        let copy = read(&format!("python/{name}"));
        assert!(read(name) == copy, "copy {name} to python/ again");
    }
}

/// The table rows of DATA-LICENCES.md, by cell.
fn licence_rows() -> Vec<Vec<String>> {
    let text = read("DATA-LICENCES.md");
    let rows = text.lines().filter(|line| line.starts_with('|'));
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect();
    rows.map(cells).collect()
}

#[test]
fn every_data_set_has_its_licence_listed() {
    let catalogue = read("crates/app/cli/data/datasets.json");
    let catalogue: serde_json::Value = serde_json::from_str(&catalogue).unwrap();
    let sets = catalogue["datasets"].as_array().unwrap();
    assert!(sets.len() > 10);
    let rows = licence_rows();
    for set in sets {
        let (name, licence) = (
            set["name"].as_str().unwrap(),
            set["licence"].as_str().unwrap(),
        );
        let row = rows.iter().find(|row| row[2] == format!("`{name}`"));
        let row = row.unwrap_or_else(|| panic!("DATA-LICENCES.md has no row for {name}"));
        assert!(row[3].starts_with(licence), "{name}: {licence}: {row:?}");
    }
}

#[test]
fn every_embedded_file_is_in_the_list_of_licences() {
    let Some(root) = clone() else { return };
    let rows = licence_rows();
    let cells = rows.iter().filter_map(|row| row.get(2));
    let named = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let named: Vec<&str> = named.map(|path| path.trim_end_matches('*')).collect();
    let listed = git(&root, &["ls-files", "crates", "models"]).unwrap();
    let ours = [
        "rs", "md", "toml", "cu", "cuh", "js", "css", "html", "py", "sh",
    ];
    let is_data = |path: &&str| {
        let name = path.rsplit('/').next().unwrap();
        let end = name.rsplit('.').next().unwrap();
        let test = ["/tests/", "/examples/"]
            .iter()
            .any(|part| path.contains(part));
        !test && !ours.contains(&end) && !name.starts_with("LICENSE")
    };
    let data: Vec<&str> = listed.lines().filter(is_data).collect();
    assert!(data.len() > 100, "{}", data.len());
    let missing: Vec<&&str> = data
        .iter()
        .filter(|path| !named.iter().any(|place| path.starts_with(place)))
        .collect();
    assert!(missing.is_empty(), "not in DATA-LICENCES.md: {missing:?}");
}

#[test]
fn the_action_and_the_workflow_name_the_targets_of_a_release() {
    let tool = read("tools/release.py");
    let (_, list) = tool.split_once("\nTARGETS = (").unwrap();
    let (list, _) = list.split_once(')').unwrap();
    let built: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(built.len(), 4);
    let workflow = read(".github/workflows/release.yml");
    let matrix: BTreeSet<&str> = workflow
        .lines()
        .filter_map(|line| line.split_once(", target: "))
        .map(|(_, target)| target.trim_end_matches(" }"))
        .collect();
    assert_eq!(matrix, built);
    let install = read("tools/action/install");
    let installed: BTreeSet<&str> = install
        .lines()
        .filter_map(|line| line.split_once("target=\""))
        .map(|(_, target)| target.split('"').next().unwrap())
        .collect();
    assert_eq!(installed, built);
}

/// What git prints; `None` where there is no git or no repository.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let done = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    done.status
        .success()
        .then(|| String::from_utf8(done.stdout).unwrap())
}

/// Files whose bytes are not those that were committed, although nobody edited them: the checkout converted them.
fn converted(folder: &Path) -> Vec<String> {
    let edited = git(folder, &["-c", "core.quotepath=off", "diff", "--name-only"]).unwrap();
    let edited: BTreeSet<&str> = edited.lines().collect();
    let staged = git(folder, &["-c", "core.quotepath=off", "ls-files", "--stage"]).unwrap();
    let mut files = Vec::new();
    for line in staged.lines() {
        let (entry, path) = line.split_once('\t').unwrap();
        let (mode, hash) = entry.split_once(' ').unwrap();
        // Links and submodules have no bytes of their own.
        if mode.starts_with("100") && !edited.contains(path) {
            files.push((path, hash.split(' ').next().unwrap()));
        }
    }
    let list = tempfile::NamedTempFile::new().unwrap();
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    fs::write(list.path(), paths.join("\n")).unwrap();
    let hashed = Command::new("git")
        .args(["hash-object", "--no-filters", "--stdin-paths"])
        .current_dir(folder)
        .stdin(fs::File::open(list.path()).unwrap())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&hashed.stderr);
    assert!(hashed.status.success(), "{said}");
    let hashes = String::from_utf8(hashed.stdout).unwrap();
    assert_eq!(hashes.lines().count(), files.len());
    let pairs = files.iter().zip(hashes.lines());
    let different = pairs.filter(|((_, committed), found)| committed != found);
    different.map(|((path, _), _)| (*path).to_owned()).collect()
}

/// The root of the repository, if this is a clone of it; the sources in an archive have no history.
fn clone() -> Option<PathBuf> {
    let root = git(&repository(), &["rev-parse", "--show-toplevel"]);
    if root.is_none() {
        println!("skipped: this is not a git clone");
    }
    Some(PathBuf::from(root?.trim()))
}

#[test]
fn this_checkout_has_the_committed_bytes() {
    if let Some(root) = clone() {
        assert_eq!(converted(&root), Vec::<String>::new());
    }
}

#[test]
fn a_checkout_that_converts_line_ends_has_the_same_bytes() {
    let Some(root) = clone() else { return };
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let source = root.to_str().unwrap();
    // As git is installed on Windows.
    let options = [
        "-c",
        "core.autocrlf=true",
        "clone",
        "-q",
        "--shared",
        "-c",
        "core.autocrlf=true",
    ];
    let arguments = [&options[..], &[source, copy.to_str().unwrap()]].concat();
    git(folder.path(), &arguments).unwrap();
    assert!(copy.join("Cargo.toml").is_file());
    assert_eq!(converted(&copy), Vec::<String>::new());
}

#[test]
fn a_conversion_of_line_ends_is_noticed() {
    if clone().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (first, copy) = (folder.path().join("first"), folder.path().join("copy"));
    fs::create_dir(&first).unwrap();
    fs::write(first.join("data.tsv"), "a\tb\n").unwrap();
    let run = |arguments: &[&str]| git(&first, arguments).unwrap();
    run(&["init", "-q"]);
    run(&["add", "data.tsv"]);
    run(&[
        "-c",
        "user.name=test",
        "-c",
        "user.email=test@localhost",
        "commit",
        "-q",
        "-m",
        "Add data",
    ]);
    let (source, target) = (first.to_str().unwrap(), copy.to_str().unwrap());
    run(&[
        "-c",
        "core.autocrlf=true",
        "clone",
        "-q",
        "-c",
        "core.autocrlf=true",
        source,
        target,
    ]);
    assert_eq!(converted(&copy), ["data.tsv"]);
}
