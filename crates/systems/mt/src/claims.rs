//! Who is paying for which sentence right now. Processes that share a cache ask a paid service side by side, and none
//! pays for what another has on its way: a claim is for the sentences of one request, and ends with it or with the
//! process that made it.
//!
//! Beside a store lies a directory with the list of claims, a lock that is held only while the list is rewritten, and a
//! file for every process that has claims, which it keeps locked as long as it lives.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::PathBuf;

use epicene_io::{sha256_hex, write_file};

const LIST: &str = "list";
const LOCK: &str = "lock";

#[derive(Debug)]
pub struct Claims {
    directory: PathBuf,
    owner: String,
    /// Locked as long as we live.
    _alive: File,
}

impl Claims {
    pub fn open(directory: PathBuf) -> io::Result<Claims> {
        fs::create_dir_all(&directory)?;
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_nanos());
        let seed = format!("{} {now} {:p}", std::process::id(), &raw const directory);
        let owner = sha256_hex(seed.as_bytes())[..16].to_owned();
        let alive = File::create_new(directory.join(&owner))?;
        alive.lock()?;
        Ok(Claims {
            directory,
            owner,
            _alive: alive,
        })
    }

    /// Claims what nobody else has; which of the sentences are ours now.
    pub fn claim(&self, keys: &[String]) -> io::Result<Vec<bool>> {
        self.change(|list| {
            let mut ours = Vec::new();
            for key in keys {
                let free = list.get(key).is_none_or(|owner| *owner == self.owner);
                if free {
                    list.insert(key.clone(), self.owner.clone());
                }
                ours.push(free);
            }
            ours
        })
    }

    pub fn release(&self, keys: &[String]) -> io::Result<()> {
        self.change(|list| {
            for key in keys {
                if list.get(key) == Some(&self.owner) {
                    list.remove(key);
                }
            }
        })
    }

    /// Rewrites the list, without the claims of those who are gone.
    fn change<T>(&self, change: impl FnOnce(&mut BTreeMap<String, String>) -> T) -> io::Result<T> {
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.directory.join(LOCK))?;
        lock.lock()?;
        let path = self.directory.join(LIST);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut list: BTreeMap<String, String> = BTreeMap::new();
        for line in text.lines() {
            if let Some((key, owner)) = line.split_once(' ') {
                list.insert(key.to_owned(), owner.to_owned());
            }
        }
        let others: BTreeSet<String> = list.values().cloned().collect();
        let gone = others.into_iter().filter(|owner| !self.lives(owner));
        let gone: BTreeSet<String> = gone.collect();
        list.retain(|_, owner| !gone.contains(owner));
        let done = change(&mut list);
        let text: String = list
            .iter()
            .map(|(key, owner)| format!("{key} {owner}\n"))
            .collect();
        write_file(&path, text.as_bytes())?;
        Ok(done)
    }

    fn lives(&self, owner: &str) -> bool {
        let plain = owner.bytes().all(|byte| byte.is_ascii_hexdigit());
        if owner == self.owner || !plain {
            return plain;
        }
        let path = self.directory.join(owner);
        let file = File::open(&path);
        let lives = file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)));
        if !lives {
            // It may be gone already.
            let _ = fs::remove_file(path);
        }
        lives
    }
}

impl Drop for Claims {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.directory.join(&self.owner));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_one_owners_until_it_is_released_or_the_owner_is_gone() {
        let directory = tempfile::tempdir().unwrap();
        let open = || Claims::open(directory.path().join("claims")).unwrap();
        let keys =
            |names: &[&str]| -> Vec<String> { names.iter().map(|n| (*n).to_owned()).collect() };
        let (ours, theirs) = (open(), open());
        assert_eq!(ours.claim(&keys(&["a", "b"])).unwrap(), [true, true]);
        assert_eq!(theirs.claim(&keys(&["b", "c"])).unwrap(), [false, true]);
        assert_eq!(ours.claim(&keys(&["b"])).unwrap(), [true]);
        ours.release(&keys(&["b", "c"])).unwrap();
        assert_eq!(theirs.claim(&keys(&["a", "b"])).unwrap(), [false, true]);
        assert_eq!(ours.claim(&keys(&["c"])).unwrap(), [false]);
        // Gone without a word.
        drop(theirs);
        assert_eq!(ours.claim(&keys(&["b", "c"])).unwrap(), [true, true]);
    }
}
