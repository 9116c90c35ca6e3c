//! The hidden-Markov tagger, which learns while it works: a word with a set of tags it was not
//! trained on is added to its classes, and from then on it tags other sentences differently. A
//! translation would depend on what was translated before it.
//!
//! With `-d` it says on its standard error when that happens. What it said of this sentence is what a
//! fresh process says; the next sentence gets a fresh process.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::process::Passed;
use crate::MtError;
use epicene_io::threads::spawn_or_run;

/// How often a sentence is tried before it counts as one that cannot be tagged.
const TRIES: u32 = 3;

/// Sentences longer than this are written aside, since they fill a pipe before anybody reads.
const LONG: usize = 1 << 14;

/// A tagger for each thread.
pub struct Taggers {
    name: String,
    command: Vec<String>,
    each: Vec<Mutex<Option<Running>>>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What it says about words it was not trained on.
    complaints: File,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Taggers {
    pub fn new(name: &str, command: Vec<String>) -> Taggers {
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        Taggers {
            name: name.to_owned(),
            command,
            each: (0..threads.clamp(1, 16))
                .map(|_| Mutex::new(None))
                .collect(),
        }
    }

    /// Tags a batch; what is missing stays so.
    pub fn tag(&self, batch: &[Passed]) -> Result<Vec<Passed>, MtError> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new((vec![None; batch.len()], None));
        let work = |tagger: &Mutex<Option<Running>>| {
            let mut running = tagger.lock().unwrap_or_else(|broken| broken.into_inner());
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let sentence = match batch.get(place) {
                    Some(Some(sentence)) => sentence,
                    Some(None) => continue,
                    None => return,
                };
                let outcome = self.sentence(&mut running, sentence);
                let mut done = done.lock().unwrap_or_else(|broken| broken.into_inner());
                match outcome {
                    Ok(tagged) => done.0[place] = tagged,
                    Err(error) => {
                        next.store(batch.len(), Ordering::Relaxed);
                        done.1.get_or_insert(MtError::Program {
                            program: format!("apertium {}", self.name),
                            message: error.to_string(),
                        });
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for tagger in &self.each {
                let work = &work;
                spawn_or_run(scope, move || work(tagger));
            }
        });
        let (tagged, error) = done.into_inner().unwrap_or_else(|b| b.into_inner());
        match error {
            Some(error) => Err(error),
            None => Ok(tagged),
        }
    }

    fn sentence(&self, running: &mut Option<Running>, sentence: &[u8]) -> io::Result<Passed> {
        for _ in 0..TRIES {
            let mut tagger = match running.take() {
                Some(tagger) => tagger,
                None => self.start()?,
            };
            let Some(tagged) = ask(&mut tagger, sentence) else {
                continue;
            };
            if tagger.complaints.metadata()?.len() == 0 {
                *running = Some(tagger);
            }
            return Ok(Some(tagged));
        }
        Ok(None)
    }

    fn start(&self) -> io::Result<Running> {
        let (program, arguments) = self.command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let complaints = tempfile::tempfile()?;
        let mut child = Command::new(program)
            .args(arguments)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::from(complaints.try_clone()?))
            .spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = pipes else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        Ok(Running {
            child,
            input,
            output: BufReader::new(output),
            complaints,
        })
    }
}

/// The tagged sentence, unless the tagger dies of it.
fn ask(tagger: &mut Running, sentence: &[u8]) -> Option<Vec<u8>> {
    let mut record = sentence.to_vec();
    record.push(0);
    let (input, output) = (&mut tagger.input, &mut tagger.output);
    let mut tagged = Vec::new();
    if record.len() > LONG {
        std::thread::scope(|scope| {
            scope.spawn(|| input.write_all(&record).and_then(|()| input.flush()));
            output.read_until(0, &mut tagged).ok()
        })?;
    } else {
        input.write_all(&record).and_then(|()| input.flush()).ok()?;
        output.read_until(0, &mut tagged).ok()?;
    }
    (tagged.pop() == Some(0)).then_some(tagged)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tagger that marks everything after its first complaint.
    #[test]
    fn a_tagger_that_has_learned_is_not_asked_again() {
        if Command::new("perl").arg("-v").output().is_err() {
            println!("skipped: there is no perl");
            return;
        }
        let script = r#"$| = 1; print STDERR "new class" if /new/; s/^/!/ if $learned; print; $learned = 1 if /new/"#;
        let command = ["perl", "-0", "-ne", script].map(str::to_owned).to_vec();
        let taggers = Taggers::new("perl", command);
        let batch: Vec<Passed> = (0..60)
            .map(|i| match i % 7 {
                3 => Some(format!("new {i}").into_bytes()),
                5 => None,
                _ => Some(format!("old {i} {}", "x".repeat(i * 2000)).into_bytes()),
            })
            .collect();
        assert_eq!(taggers.tag(&batch).unwrap(), batch);
    }
}
