//! Files of an authors' repository as it is cloned: plain or packed, in the clone, its `data` folder, or the layouts that
//! epicene read before.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

/// Endings that a file may have on top of its own.
const PACKED: [&str; 4] = ["", ".gz", ".xz", ".zst"];
/// Folders below the given one that may hold the data.
const FOLDERS: [&str; 3] = ["", "data", "Data"];
/// Bounds of a search by name: a clone is not a disk.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 200_000;

/// A directory with the authors' files.
pub struct Checkout {
    root: PathBuf,
    /// Whether any file that was looked for is there.
    found: Cell<bool>,
}

impl Checkout {
    pub fn new(root: &Path) -> Checkout {
        Checkout {
            root: root.to_owned(),
            found: Cell::new(false),
        }
    }

    /// Whether this is a clone of anything that was looked for.
    pub fn has_any(&self) -> bool {
        self.found.get()
    }

    /// Notes that a file was recognised.
    pub fn recognise(&self) {
        self.found.set(true);
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where a file would be: in the data folder of a clone that has one.
    pub fn expected(&self, name: &str) -> PathBuf {
        let mut folders = FOLDERS[1..].iter().map(|folder| self.root.join(folder));
        let folder = folders.find(|folder| folder.is_dir());
        folder.unwrap_or_else(|| self.root.clone()).join(name)
    }

    /// The first of these names that is there, packed or not, in any of the folders.
    pub fn file(&self, names: &[&str]) -> Option<PathBuf> {
        let mut paths = names.iter().flat_map(|name| {
            FOLDERS.iter().flat_map(move |folder| {
                PACKED
                    .iter()
                    .map(move |packed| self.root.join(folder).join(format!("{name}{packed}")))
            })
        });
        let found = paths.find(|path| path.is_file());
        self.found.set(self.found.get() || found.is_some());
        found
    }

    /// The files of a folder that end so, by name.
    pub fn files_in(&self, folder: &str, ending: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for base in FOLDERS {
            let Ok(entries) = fs::read_dir(self.root.join(base).join(folder)) else {
                continue;
            };
            found.extend(
                entries
                    .flatten()
                    .map(|entry| entry.path())
                    .filter(|path| path.is_file() && plain_name(path).ends_with(ending)),
            );
            if !found.is_empty() {
                break;
            }
        }
        found.sort();
        self.found.set(self.found.get() || !found.is_empty());
        found
    }

    /// Every file of the clone except Git's own, by path.
    pub fn all(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        descend(&self.root, 0, &mut found);
        found.sort();
        found
    }
}

fn descend(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        // A link may lead out of the clone, or back into it.
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        let path = entry.path();
        if kind.is_dir() && entry.file_name() != ".git" && depth < DEEPEST {
            descend(&path, depth + 1, found);
        } else if kind.is_file() && found.len() < MOST_FILES {
            found.push(path);
        }
    }
}

/// The name of a file without the ending of its packing.
pub fn plain_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let plain = PACKED[1..].iter().find_map(|end| name.strip_suffix(end));
    plain.unwrap_or(&name).to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn files_are_found_where_clones_have_them() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path();
        fs::create_dir_all(root.join("data/predictions/x")).unwrap();
        fs::create_dir_all(root.join(".git")).unwrap();
        for name in [
            "data/gest.csv.gz",
            "data/predictions/x/a_template-0.txt",
            "data/predictions/x/b_template-0.txt.xz",
            "data/predictions/x/notes.md",
            ".git/gest.csv",
        ] {
            fs::write(root.join(name), "x").unwrap();
        }
        let checkout = Checkout::new(root);
        let found = checkout.file(&["other.csv", "gest.csv"]).unwrap();
        assert!(found.ends_with("data/gest.csv.gz"));
        assert_eq!(checkout.file(&["nothing.csv"]), None);
        assert!(checkout.has_any() && !Checkout::new(root).has_any());
        let files = checkout.files_in("predictions/x", ".txt");
        let names: Vec<String> = files.iter().map(|path| plain_name(path)).collect();
        assert_eq!(names, ["a_template-0.txt", "b_template-0.txt"]);
        assert_eq!(checkout.all().len(), 4);
        assert!(checkout.expected("x.csv").ends_with("data/x.csv"));
        // The data folder itself serves as well as the clone.
        let inner = Checkout::new(&root.join("data"));
        assert_eq!(inner.files_in("predictions/x", ".txt").len(), 2);
        assert!(inner.file(&["gest.csv"]).is_some());
    }
}
