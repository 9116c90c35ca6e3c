//! Where the items of a benchmark come from: a file, the cache, or this program.

mod catalogue;
mod download;
mod licences;
mod listing;
mod pins;
mod recognised;

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use epicene_bench::{Benchmark, Card, Options, translations};
use epicene_core::{DataCard, Item, TextFile};
use epicene_run::{RunDirectory, Sha256Digest, sha256_hex};

use crate::failure::Failure;
use crate::{source, suggest};
pub use licences::{allows_redistribution, published};
pub use listing::{as_json, listing};
pub use recognised::{data_set as recognised, elsewhere as recognised_elsewhere};

use catalogue::{DataFile, Dataset, Edition};
use pins::Pins;

/// A data set of our own in GEST's design, shipped for demonstrations.
const MINI_NAME: &str = "epicene-mini";
const MINI: &str = include_str!("../../../../bench/benchmarks/data/epicene-mini.csv");

/// Endings of packed files.
const PACKED: [&str; 3] = [".gz", ".zst", ".xz"];

/// How deep the files of a language may lie in a data directory.
const DEEPEST: usize = 5;

/// Items with the card that goes into the manifest.
pub struct Data {
    pub card: DataCard,
    pub items: Vec<Item>,
}

/// Opens what `--data` names: a path, the name of an edition, or the benchmark's default.
pub fn open(
    benchmark: &dyn Benchmark,
    given: Option<&str>,
    options: &Options,
) -> Result<Data, Failure> {
    let card = benchmark.card();
    let Some(default) = card.data else {
        return match given {
            None => from_files(benchmark, &[], None, options),
            Some(_) => Err(Failure::usage(format!("{} takes no --data", card.name))),
        };
    };
    let name = given.unwrap_or(default);
    if name == MINI_NAME {
        if let Some(owners) = owners_of(name, card) {
            return Err(data_of_others(name, &owners, card));
        }
        let file = source::embedded("epicene-mini.csv", MINI);
        return from_files(benchmark, &[file], Some((MINI_NAME, "1")), options);
    }
    if let Some(made) = benchmark.make_data(name, options) {
        let made = made?;
        return Ok(Data {
            card: DataCard {
                name: card.name.to_owned(),
                version: made.version,
                sha256: sha256_hex(made.source.as_bytes()),
                items: made.items.len(),
            },
            items: made.items,
        });
    }
    // A name of the catalogue means the catalogue, whatever lies in the working directory.
    if let Some((dataset, edition)) = catalogue::edition(name) {
        let known = Some((dataset.name.as_str(), edition.version.as_str()));
        let opened = verified(dataset, edition).and_then(|paths| match paths.as_slice() {
            [path] if !card.by_language => open_file(benchmark, path, options),
            _ => from_directory(benchmark, &directory(dataset)?, known, options),
        });
        return opened.map_err(|failure| match owners_of(&dataset.name, card) {
            Some(owners) => data_of_others(name, &owners, card),
            None => failure,
        });
    }
    if given.is_none() {
        let (name, flag) = (card.name, card.data_flag);
        return Err(
            Failure::usage(format!("{name} needs its data")).with_hint(format!(
                "give {flag}; `epicene show {name}` says which files it reads"
            )),
        );
    }
    let path = Path::new(name);
    if !path.exists() {
        return Err(match owners_of(name, card) {
            Some(owners) => data_of_others(name, &owners, card),
            None => no_such_data(name),
        });
    }
    if !path.is_dir() {
        let file = source::read(path)?;
        let opened = from_files(benchmark, std::slice::from_ref(&file), None, options);
        return opened.map_err(|failure| {
            let are_sources = !(benchmark.card().sources)().is_empty();
            // What only an option makes wrong is not the file's fault.
            let is_read = || {
                let file = std::slice::from_ref(&file);
                from_files(benchmark, file, None, &Options::default()).is_ok()
            };
            let is_own = |set| card.name == set || has_data(benchmark, set);
            match recognised(&file.text) {
                _ if translations::has_header(&file) && !are_sources => {
                    looks_like_translations(name)
                }
                Some(set) if !is_own(set) && !is_read() => recognised_elsewhere(name, set, card),
                _ => failure,
            }
        });
    }
    from_directory(benchmark, path, None, options)
}

/// Whether data of a benchmark have this name.
fn has_data(benchmark: &dyn Benchmark, name: &str) -> bool {
    let card = benchmark.card();
    let is_mini = name == MINI_NAME && takes_mini(card);
    let made = || benchmark.make_data(name, &Options::default()).is_some();
    card.data == Some(name) || is_mini || made()
}

/// The benchmarks whose data have this name, if this one is not among them.
fn owners_of(name: &str, card: &Card) -> Option<String> {
    let owners: Vec<&str> = epicene_bench::ALL
        .iter()
        .filter(|other| has_data(**other, name))
        .map(|other| other.card().name)
        .collect();
    (!owners.is_empty() && !owners.contains(&card.name)).then(|| owners.join(", "))
}

fn data_of_others(name: &str, owners: &str, card: &Card) -> Failure {
    Failure::usage(format!("{name} is data of {owners}, not of {}", card.name)).with_hint(format!(
        "run one of these benchmarks; `epicene show {}` says what it reads",
        card.name
    ))
}

/// A name that is neither a file nor a data set.
fn no_such_data(name: &str) -> Failure {
    let own = epicene_bench::ALL.iter().map(|benchmark| benchmark.card());
    let mut known: Vec<&str> = own.filter_map(|card| card.data).collect();
    known.extend(catalogue::all().iter().map(|dataset| dataset.name.as_str()));
    known.push(MINI_NAME);
    let failure = Failure::input(format!("`{name}` is neither a file nor a data set"));
    match suggest::closest(name, known, 1).first() {
        Some(close) => failure.with_hint(format!("did you mean `{close}`?")),
        None => failure.with_hint("check the path; `epicene data list` has the data sets"),
    }
}

/// Translations in the place of something else.
pub fn looks_like_translations(path: &str) -> Failure {
    Failure::input(format!("{path}: this looks like translations"))
        .with_hint(format!("use --mt NAME=file:{path} --lang LANG"))
}

/// Refuses a run whose manifest names an edition and not its data: the hash is computed anew from what is inside the program
/// or in the cache, or is the one on record. Files of one's own and editions of several files have no hash of their own.
pub fn check_recorded(run: &RunDirectory) -> Result<(), Failure> {
    let DataCard {
        name,
        version,
        sha256,
        ..
    } = &run.manifest.data;
    let Some(expected) = hash_of_edition(name, version)? else {
        return Ok(());
    };
    if expected == *sha256 {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{}: the manifest says that the data are {name} {version}, but their SHA-256 is {expected} and not {sha256}",
        run.path().display()
    ))
    .with_hint("restore manifest.json from a copy of the run, or run the benchmark again"))
}

/// SHA-256 of an edition that is one file; `None` of what is not known here.
fn hash_of_edition(name: &str, version: &str) -> Result<Option<String>, Failure> {
    if name == MINI_NAME {
        return Ok((version == "1").then(|| sha256_hex(MINI.as_bytes())));
    }
    let dataset = catalogue::all().iter().find(|dataset| dataset.name == name);
    let edition = dataset.and_then(|dataset| {
        let mut editions = dataset.editions.iter();
        Some((
            dataset,
            editions.find(|edition| edition.version == version)?,
        ))
    });
    let Some((dataset, edition)) = edition else {
        return Ok(None);
    };
    let [file] = edition.files.as_slice() else {
        return Ok(None);
    };
    if file.sha256.is_some() {
        return Ok(file.sha256.clone());
    }
    let path = directory(dataset)?.join(&file.path);
    path.exists().then(|| hash(&path)).transpose()
}

/// Whether a benchmark asks about the data set whose design ours has.
fn takes_mini(card: &Card) -> bool {
    let mut all = catalogue::all().iter();
    let of = all.find(|dataset| dataset.offline.as_deref() == Some(MINI_NAME));
    let of = of.expect("the registry says in whose place epicene-mini can stand");
    card.data == Some(of.name.as_str())
}

/// The files of a directory that the benchmark chooses.
fn from_directory(
    benchmark: &dyn Benchmark,
    path: &Path,
    known: Option<(&str, &str)>,
    options: &Options,
) -> Result<Data, Failure> {
    let depth = if benchmark.card().by_language {
        DEEPEST
    } else {
        0
    };
    let mut present = BTreeMap::new();
    listed(path, "", depth, &mut present)?;
    let names: Vec<String> = present.keys().cloned().collect();
    let chosen = benchmark.card().choose_files(&names, options);
    let read = |name: &String| match present.get(name) {
        Some(file) => source::read(file),
        None => source::read(&path.join(name)),
    };
    let files = chosen.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    from_files(benchmark, &files, known, options)
}

/// The files of a directory by their path from it, without the ending of a packed one.
fn listed(
    directory: &Path,
    prefix: &str,
    depth: usize,
    present: &mut BTreeMap<String, PathBuf>,
) -> Result<(), Failure> {
    let failed =
        |error: std::io::Error| Failure::input(format!("{}: {error}", directory.display()));
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            if depth > 0 && !name.starts_with('.') {
                listed(
                    &entry.path(),
                    &format!("{prefix}{name}/"),
                    depth - 1,
                    present,
                )?;
            }
            continue;
        }
        let plain = PACKED.iter().find_map(|ending| name.strip_suffix(ending));
        let key = format!("{prefix}{}", plain.unwrap_or(&name));
        // A file that is not packed goes before one that is.
        if plain.is_none() || !present.contains_key(&key) {
            present.insert(key, entry.path());
        }
    }
    Ok(())
}

/// A file as the benchmark's data.
pub fn open_file(
    benchmark: &dyn Benchmark,
    path: &Path,
    options: &Options,
) -> Result<Data, Failure> {
    from_files(benchmark, &[source::read(path)?], None, options)
}

/// Text that is in memory already as the benchmark's data.
pub fn open_text(
    benchmark: &dyn Benchmark,
    file: &TextFile,
    options: &Options,
) -> Result<Data, Failure> {
    from_files(benchmark, std::slice::from_ref(file), None, options)
}

fn from_files(
    benchmark: &dyn Benchmark,
    files: &[TextFile],
    known: Option<(&str, &str)>,
    options: &Options,
) -> Result<Data, Failure> {
    let items = benchmark.items(files, options).map_err(|mut error| {
        let name = benchmark.card().name;
        let show = || format!("`epicene show {name}` says which data it reads");
        error.hint.get_or_insert_with(show);
        error
    })?;
    let hashes: Vec<&str> = files.iter().map(|file| file.sha256.as_str()).collect();
    let sha256 = match hashes.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        several => sha256_hex(several.join("\n").as_bytes()),
    };
    let by_hash = catalogue::all().iter().find_map(|dataset| {
        let alone = |edition: &&Edition| {
            matches!(edition.files.as_slice(), [file] if file.sha256.as_deref() == Some(&sha256))
        };
        let edition = dataset.editions.iter().find(alone)?;
        Some((dataset.name.as_str(), edition.version.as_str()))
    });
    let unnamed = match files {
        [] => "none",
        _ => "custom",
    };
    let (name, version) = known
        .or(by_hash)
        .unwrap_or((benchmark.card().name, unnamed));
    Ok(Data {
        card: DataCard {
            name: name.to_owned(),
            version: version.to_owned(),
            sha256,
            items: items.len(),
        },
        items,
    })
}

/// A cached file of an edition, or what to do to have it.
fn cached(dataset: &Dataset, edition: &Edition, file: &DataFile) -> Result<PathBuf, Failure> {
    let path = directory(dataset)?.join(&file.path);
    if path.exists() {
        return Ok(path);
    }
    Err(Failure::usage(format!(
            "{} {} is not in the cache ({})",
            dataset.name,
            edition.version,
            path.display()
        ))
        .with_hint(format!(
            "run `epicene data pull {}` once with a network, or fetch {}{} on another machine, put it at that path or give --data PATH{}",
            dataset.name,
            edition.base,
            file.path,
            dataset
                .offline
                .as_ref()
                .map_or_else(String::new, |ours| format!("; `--data {ours}` works offline"))
        )))
}

/// Refuses a cached file that is not what its name says.
fn check(path: &Path, dataset: &Dataset, file: &DataFile, pins: &Pins) -> Result<(), Failure> {
    let known = file.sha256.as_deref().or_else(|| pins.get(&file.path));
    let (found, Some(expected)) = (hash(path)?, known) else {
        return Err(Failure::input(format!(
            "{}: no checksum on record, and epicene did not download it",
            path.display()
        ))
        .with_hint(format!(
            "run `epicene data pull {}`, or give --data PATH",
            dataset.name
        )));
    };
    if found == expected {
        return Ok(());
    }
    Err(Failure::input(format!(
        "{}: SHA-256 is {found}, expected {expected}",
        path.display()
    ))
    .with_hint(format!(
        "delete it and run `epicene data pull {}`",
        dataset.name
    )))
}

/// The files of an edition, each as its hash says.
fn verified(dataset: &Dataset, edition: &Edition) -> Result<Vec<PathBuf>, Failure> {
    let pins = Pins::read(&directory(dataset)?)?;
    let verified = |file: &DataFile| {
        let path = cached(dataset, edition, file)?;
        check(&path, dataset, file, &pins)?;
        Ok(path)
    };
    edition.files.iter().map(verified).collect()
}

/// Says why nothing can be fetched of a data set that has no files.
fn refuse_empty(dataset: &Dataset) -> Result<(), Failure> {
    match (&dataset.note, dataset.editions.is_empty()) {
        (Some(note), true) => Err(Failure::usage(format!("{}: {note}", dataset.name))),
        _ => Ok(()),
    }
}

pub fn pull(name: &str) -> Result<Vec<PathBuf>, Failure> {
    let dataset = catalogue::dataset(name)?;
    refuse_empty(dataset)?;
    let directory = directory(dataset)?;
    let mut pins = Pins::read(&directory)?;
    let mut paths = Vec::new();
    for edition in &dataset.editions {
        for file in &edition.files {
            paths.push(download::fetch(edition, file, &directory, &mut pins)?);
        }
    }
    Ok(paths)
}

/// The names of all data sets that have files and one of these licences; without any, of all.
pub fn licensed(licences: &[String]) -> Result<Vec<&'static str>, Failure> {
    let known = |licence: &String| {
        let all = catalogue::all().iter();
        all.clone()
            .any(|dataset| dataset.licence.eq_ignore_ascii_case(licence))
    };
    if let Some(unknown) = licences.iter().find(|licence| !known(licence)) {
        let mut all: Vec<&str> = catalogue::all()
            .iter()
            .map(|d| d.licence.as_str())
            .collect();
        all.sort_unstable();
        all.dedup();
        return Err(
            Failure::usage(format!("no data set has the licence `{unknown}`"))
                .with_hint(format!("licences: {}", all.join(", "))),
        );
    }
    let wanted = |dataset: &&Dataset| {
        let fits = |licence: &String| dataset.licence.eq_ignore_ascii_case(licence);
        !dataset.editions.is_empty() && (licences.is_empty() || licences.iter().any(fits))
    };
    let found = catalogue::all().iter().filter(wanted);
    Ok(found.map(|dataset| dataset.name.as_str()).collect())
}

pub fn verify(name: &str) -> Result<Vec<PathBuf>, Failure> {
    let dataset = catalogue::dataset(name)?;
    refuse_empty(dataset)?;
    let each = dataset
        .editions
        .iter()
        .map(|edition| verified(dataset, edition));
    Ok(each.collect::<Result<Vec<_>, _>>()?.concat())
}

pub fn paths(name: &str) -> Result<Vec<PathBuf>, Failure> {
    let dataset = catalogue::dataset(name)?;
    refuse_empty(dataset)?;
    let mut paths = Vec::new();
    for edition in &dataset.editions {
        for file in &edition.files {
            paths.push(cached(dataset, edition, file)?);
        }
    }
    Ok(paths)
}

/// The keys of what to cite for a data set or a benchmark of its name.
pub fn citations(name: &str) -> Option<Vec<&'static str>> {
    let found = catalogue::all()
        .iter()
        .find(|dataset| dataset.name == name)?;
    Some(found.cite.iter().map(String::as_str).collect())
}

fn directory(dataset: &Dataset) -> Result<PathBuf, Failure> {
    Ok(cache_root()?.join(&dataset.name))
}

/// `$EPICENE_CACHE`, else the user's cache directory.
pub fn cache_root() -> Result<PathBuf, Failure> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(root) = set("EPICENE_CACHE") {
        return Ok(PathBuf::from(root));
    }
    let base = if cfg!(windows) {
        set("LOCALAPPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        set("HOME").map(|home| PathBuf::from(home).join("Library/Caches"))
    } else {
        set("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".cache")))
    };
    base.map(|base| base.join("epicene")).ok_or_else(|| {
        Failure::usage("there is no cache directory").with_hint("set EPICENE_CACHE to a directory")
    })
}

fn hash(path: &Path) -> Result<String, Failure> {
    let failed = |error: std::io::Error| Failure::system(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(failed)?;
    let mut digest = Sha256Digest::default();
    digest.update_from(file).map_err(failed)?;
    Ok(digest.hex())
}
