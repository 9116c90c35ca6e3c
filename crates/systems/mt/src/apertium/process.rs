//! A long-lived pipeline of Apertium's programs. Every sentence is closed by a zero byte, at which
//! each program hands on what it has; answers come back closed the same way. What stands between
//! the zero bytes is none of this file's business.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use crate::MtError;

/// What came of one sentence; nothing where the programs die of it.
pub type Passed = Option<Vec<u8>>;

/// How often a sentence is asked before it counts as one that cannot be translated.
const TRIES: u32 = 3;

/// A pipeline that has not answered for this long is taken to be stuck.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Pipeline {
    name: String,
    script: String,
    unknown: &'static str,
    patience: Duration,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<Vec<u8>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // Without input the programs end one after the other.
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Pipeline {
    /// `script` is a mode's pipeline in the words of a shell; `$1` says what becomes of unknown
    /// words.
    pub fn new(name: &str, script: String, unknown: &'static str) -> Pipeline {
        Pipeline {
            name: name.to_owned(),
            script,
            unknown,
            patience: PATIENCE,
            running: None,
        }
    }

    #[cfg(test)]
    pub fn with_patience(mut self, patience: Duration) -> Pipeline {
        self.patience = patience;
        self
    }

    fn start(&self) -> Result<Running, MtError> {
        let failed = |message: String| MtError::Program {
            program: format!("apertium {}", self.name),
            message,
        };
        let mut child = Command::new("sh")
            .args(["-c", &self.script, &self.name, self.unknown, ""])
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let input = child.stdin.take();
        let output = child
            .stdout
            .take()
            .ok_or_else(|| failed("no output".to_owned()))?;
        // Reading in a thread of its own, so that a pipeline that hangs can be given up.
        let (sender, answers) = sync_channel(64);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            loop {
                let mut answer = Vec::new();
                match reader.read_until(0, &mut answer) {
                    Ok(_) if answer.last() == Some(&0) => {
                        answer.pop();
                        if sender.send(answer).is_err() {
                            return;
                        }
                    }
                    _ => return,
                }
            }
        });
        Ok(Running {
            child,
            input,
            answers,
        })
    }

    /// Passes a batch through. When the pipeline dies, it is started anew and goes on with the
    /// sentence it died of.
    pub fn pass(&mut self, batch: &[&[u8]]) -> Result<Vec<Passed>, MtError> {
        let mut found: Vec<Passed> = Vec::with_capacity(batch.len());
        let mut tries = 0;
        while found.len() < batch.len() {
            let before = found.len();
            let running = match self.running.take() {
                Some(running) => running,
                None => self.start()?,
            };
            // After a crash sentences go one by one, so that the one to blame is known.
            let until = match tries {
                0 => batch.len(),
                _ => before + 1,
            };
            self.running = answered(running, &batch[before..until], self.patience, &mut found);
            if self.running.is_some() {
                tries = 0;
                continue;
            }
            if found.len() > before {
                tries = 1;
                continue;
            }
            tries += 1;
            if tries >= TRIES {
                found.push(None);
                tries = 1;
            }
        }
        Ok(found)
    }
}

/// Asks and collects as many answers as come; gives the pipeline back if it is still alive.
fn answered(
    mut running: Running,
    batch: &[&[u8]],
    patience: Duration,
    found: &mut Vec<Passed>,
) -> Option<Running> {
    let mut input = running.input.take()?;
    let mut count = 0;
    let answers = &running.answers;
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(move || {
            for text in batch {
                let mut record = text.to_vec();
                record.push(0);
                input.write_all(&record).ok()?;
            }
            input.flush().ok()?;
            Some(input)
        });
        while count < batch.len() {
            let Ok(answer) = answers.recv_timeout(patience) else {
                // The writer may be waiting for a pipeline that reads no more.
                let _ = running.child.kill();
                break;
            };
            found.push(Some(answer));
            count += 1;
        }
        writer.join().ok().flatten()
    });
    running.input = Some(written.filter(|_| count == batch.len())?);
    Some(running)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(pipeline: &mut Pipeline, batch: &[&str]) -> Vec<String> {
        let batch: Vec<&[u8]> = batch.iter().map(|text| text.as_bytes()).collect();
        let passed = pipeline.pass(&batch).unwrap();
        let text = |passed: Passed| passed.map(|bytes| String::from_utf8(bytes).unwrap());
        passed
            .into_iter()
            .map(|passed| text(passed).unwrap_or_else(|| "(missing)".to_owned()))
            .collect()
    }

    /// A pipeline that hands on what it gets: `cat` writes at once what it reads.
    #[test]
    fn sentences_come_back_in_order() {
        let mut pipeline = Pipeline::new("echo", "cat".to_owned(), "");
        let batch: Vec<String> = (0..2000)
            .map(|i| format!("Sentence [{i}] & more"))
            .collect();
        let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
        assert_eq!(pass(&mut pipeline, &batch), batch);
        assert_eq!(pass(&mut pipeline, &["again"]), ["again"]);
    }

    /// Dies of one sentence whenever it sees it, as a transfer program with a bad rule does.
    #[test]
    fn a_crash_costs_the_sentence_that_caused_it_and_no_other() {
        let script = r#"perl -0 -ne '$| = 1; die if /poison/; print'"#;
        if Command::new("perl").arg("-v").output().is_err() {
            println!("skipped: there is no perl");
            return;
        }
        let mut pipeline = Pipeline::new("mortal", script.to_owned(), "");
        let batch = ["one", "two", "poison", "three", "poison too", "four"];
        assert_eq!(
            pass(&mut pipeline, &batch),
            ["one", "two", "(missing)", "three", "(missing)", "four"]
        );
    }

    /// Dies after every third sentence: nothing is missing, since another try helps.
    #[test]
    fn a_pipeline_that_dies_now_and_then_loses_nothing() {
        if Command::new("perl").arg("-v").output().is_err() {
            println!("skipped: there is no perl");
            return;
        }
        let script = r#"perl -0 -ne '$| = 1; print; exit 1 if $. == 3'"#;
        let mut pipeline = Pipeline::new("weak", script.to_owned(), "");
        let batch: Vec<String> = (0..20).map(|i| format!("s{i}")).collect();
        let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
        assert_eq!(pass(&mut pipeline, &batch), batch);
    }

    #[test]
    fn a_pipeline_that_hangs_is_given_up() {
        let mut pipeline = Pipeline::new("stuck", "sleep 600".to_owned(), "")
            .with_patience(Duration::from_millis(100));
        assert_eq!(
            pass(&mut pipeline, &["one", "two"]),
            ["(missing)", "(missing)"]
        );
    }
}
