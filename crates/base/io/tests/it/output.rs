//! Files are written whole or not at all, and what is no plain file is written through.

use std::fs;
use std::io::Write;
use std::path::Path;

use epicene_io::{FileId, OutputFile, write_file};

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn until_it_is_whole_the_old_file_stays() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("x.csv");
    for before in [None, Some("old")] {
        if let Some(before) = before {
            fs::write(&path, before).unwrap();
        }
        let there = names(directory.path());
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(&vec![b'n'; 1 << 20]).unwrap();
        file.flush().unwrap();
        drop(file);
        assert_eq!(names(directory.path()), there, "something is left behind");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), before);
    }
    write_file(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(directory.path()), ["x.csv"]);
}

#[cfg(unix)]
#[test]
fn rights_stay_and_links_are_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let directory = tempfile::tempdir().unwrap();
    let here = |name: &str| directory.path().join(name);
    fs::create_dir(here("data")).unwrap();
    fs::write(here("data/real"), "old").unwrap();
    fs::set_permissions(here("data/real"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("data/real", here("link")).unwrap();
    symlink("link", here("link2")).unwrap();
    write_file(&here("link2"), b"new").unwrap();
    assert!(here("link2").is_symlink() && here("link").is_symlink());
    assert_eq!(fs::read(here("data/real")).unwrap(), b"new");
    let mode = fs::metadata(here("data/real"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
    // A link to nothing makes the file it points to.
    symlink("data/absent", here("dangling")).unwrap();
    write_file(&here("dangling"), b"new").unwrap();
    assert_eq!(fs::read(here("data/absent")).unwrap(), b"new");
    assert_eq!(names(&here("data")), ["absent", "real"]);
    // The umask decides about a new file, as it does elsewhere.
    fs::write(here("plain"), "x").unwrap();
    let plain = fs::metadata(here("plain")).unwrap().permissions().mode();
    let ours = fs::metadata(here("data/absent"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(plain, ours);
    symlink("round", here("round")).unwrap();
    assert!(OutputFile::create(&here("round")).is_err());
    assert!(OutputFile::create(&here("data")).is_err(), "a directory");
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_written_through() {
    use rustix::fs::{CWD, Mode, mkfifoat};
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe");
    mkfifoat(CWD, &pipe, Mode::from_raw_mode(0o600)).unwrap();
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read(pipe).unwrap()
    });
    write_file(&pipe, b"through").unwrap();
    assert_eq!(reader.join().unwrap(), b"through");
    assert_eq!(names(directory.path()), ["pipe"]);
    write_file(Path::new("/dev/null"), b"away").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn one_file_is_known_by_all_its_names() {
    let directory = tempfile::tempdir().unwrap();
    let here = |name: &str| directory.path().join(name);
    fs::write(here("a"), "x").unwrap();
    fs::hard_link(here("a"), here("b")).unwrap();
    std::os::unix::fs::symlink("a", here("c")).unwrap();
    fs::create_dir(here("d")).unwrap();
    let id = FileId::of(&here("a"));
    assert!(id.is_some());
    for name in ["b", "c", "d/../a"] {
        assert_eq!(FileId::of(&here(name)), id, "{name}");
    }
    assert_eq!(FileId::of(&here("new")), FileId::of(&here("d/../new")));
    assert_ne!(FileId::of(&here("new")), FileId::of(&here("newer")));
    assert_eq!(FileId::of(Path::new("/dev/null")), None);
}
