//! What a run may spend on services. Money is set aside before a request goes out and written down at once, so that a
//! run that is killed has never spent more than it knows of; what the answer did not need is given back.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use epicene_io::limits::LARGEST_TEXT;
use epicene_io::{regular, write_file};
use serde::{Deserialize, Serialize};

use crate::MtError;

#[derive(Debug)]
pub struct Budget {
    limit: f64,
    account: Mutex<Account>,
}

#[derive(Debug, Default)]
struct Account {
    /// Where it is written down, once a run has its directory.
    path: Option<PathBuf>,
    spent: f64,
}

/// The file beside a run's log.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// US dollars by list prices: an estimate.
    usd: f64,
}

impl Budget {
    /// At most `limit` dollars.
    pub fn new(limit: f64) -> Budget {
        Budget {
            limit,
            account: Mutex::default(),
        }
    }

    /// From now on what is spent is written down here; what the file says was spent before is included.
    pub fn keep_in(&self, path: PathBuf) -> Result<(), MtError> {
        let failed = |message: String| MtError::Cache {
            path: path.clone(),
            message,
        };
        let before = match regular::read_to_string(&path, LARGEST_TEXT) {
            Ok(text) => {
                let no_account =
                    |why: String| failed(format!("this is no account of what was spent ({why})"));
                let kept: Kept =
                    serde_json::from_str(&text).map_err(|error| no_account(error.to_string()))?;
                if !(kept.usd.is_finite() && kept.usd >= 0.0) {
                    return Err(no_account(format!("{} dollars", kept.usd)));
                }
                kept.usd
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0.0,
            Err(error) => return Err(failed(error.to_string())),
        };
        let mut account = self.account();
        account.spent += before;
        account.path = Some(path);
        Ok(())
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(|b| b.into_inner())
    }

    pub fn spent(&self) -> f64 {
        self.account().spent
    }

    /// Sets money aside for a request, or says that it would be too much.
    pub fn take(&self, dollars: f64) -> Result<(), MtError> {
        self.change(|spent| match spent + dollars {
            more if more <= self.limit => Ok(more),
            _ => Err(MtError::Budget {
                limit: self.limit,
                spent,
            }),
        })
    }

    /// Gives back what a request did not need.
    pub fn give_back(&self, dollars: f64) -> Result<(), MtError> {
        self.change(|spent| Ok((spent - dollars).max(0.0)))
    }

    fn change(&self, change: impl FnOnce(f64) -> Result<f64, MtError>) -> Result<(), MtError> {
        let mut account = self.account();
        let usd = change(account.spent)?;
        if let Some(path) = &account.path {
            let text = serde_json::to_string(&Kept { usd }).expect("a number is plain data");
            write_file(path, text.as_bytes()).map_err(|error| MtError::Cache {
                path: path.clone(),
                message: error.to_string(),
            })?;
        }
        account.spent = usd;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn what_was_spent_is_remembered_and_never_over_the_limit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("spent.json");
        let open = |path: &Path| {
            let budget = Budget::new(1.0);
            budget.keep_in(path.to_owned()).map(|()| budget)
        };
        let budget = open(&path).unwrap();
        budget.take(0.75).unwrap();
        budget.give_back(0.25).unwrap();
        assert!(matches!(budget.take(0.75), Err(MtError::Budget { .. })));
        drop(budget);
        let budget = open(&path).unwrap();
        assert_eq!(budget.spent(), 0.5);
        budget.take(0.5).unwrap();
        assert!(budget.take(0.01).is_err());
        for nonsense in [
            "nonsense",
            "{\"usd\": -0.5}",
            "{\"usd\": -1e300}",
            "{\"usd\": 1e999}",
        ] {
            fs::write(&path, nonsense).unwrap();
            let error = open(&path).unwrap_err().to_string();
            assert!(error.contains("no account of what was spent"), "{error}");
        }
    }
}
