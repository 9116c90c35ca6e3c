//! Several servers that give the same answers, asked as one: whoever is expected to be free first gets the request.
//! A server that fails rests, and a single request finds out whether it is back; its requests go to the others at once.
//! A request that a slow server sits on is repeated elsewhere when there is nothing else to do, and the first answer
//! counts, so that a slow server beside a fast one costs nothing.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::http::{Attempt, Client, HttpError, Request, RetryPolicy, Secret};
use crate::session::handed_on;
use crate::stop;

/// A server and how many requests it may have at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Address without a path.
    pub base: String,
    pub limit: usize,
}

#[derive(Debug, Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    client: Client,
    state: Mutex<State>,
    /// A request ended or a server rests.
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    servers: Vec<Server>,
    /// Requests without a server.
    waiting: usize,
}

#[derive(Debug)]
struct Server {
    place: Endpoint,
    in_flight: usize,
    /// How many requests it is trusted with: one at first, twice as many with every answer, half as many when it asks for
    /// patience.
    window: usize,
    /// Seconds an answer takes, the latest ones counting most.
    typical: Option<f64>,
    /// Failures in a row.
    stumbles: u32,
    /// Rests in a row; a failure of a request that began before the last one does not count again.
    rests: u32,
    resting: Option<Instant>,
    last: Option<HttpError>,
}

/// A request that a server has been given.
#[derive(Debug, Clone, Copy)]
struct Lease {
    server: usize,
    rests: u32,
    since: Instant,
}

/// Stumbles in a row after which a server rests; where no connection can be made, one is enough.
const STUMBLES: u32 = 3;
/// A request is repeated elsewhere after this many times what an answer takes there.
const PATIENCE: f64 = 3.0;
/// How long a wait lasts before signals and resting servers are looked at again.
const GLANCE: Duration = Duration::from_millis(20);

impl Pool {
    /// `places` must not be empty.
    pub fn new(places: Vec<Endpoint>, policy: RetryPolicy, secrets: Vec<Secret>) -> Pool {
        Pool::of(places, Client::new(policy, secrets))
    }

    pub fn of(places: Vec<Endpoint>, client: Client) -> Pool {
        assert!(!places.is_empty(), "a pool has a server");
        let servers = places.into_iter().map(|place| Server {
            place,
            in_flight: 0,
            window: 1,
            typical: None,
            stumbles: 0,
            rests: 0,
            resting: None,
            last: None,
        });
        let state = State {
            servers: servers.collect(),
            waiting: 0,
        };
        Pool {
            shared: Arc::new(Shared {
                client,
                state: Mutex::new(state),
                changed: Condvar::new(),
            }),
        }
    }

    pub fn places(&self) -> Vec<Endpoint> {
        let state = self.shared.state();
        state.servers.iter().map(|s| s.place.clone()).collect()
    }

    /// Requests that may be under way together.
    pub fn limit(&self) -> usize {
        let state = self.shared.state();
        state.servers.iter().map(|server| server.place.limit).sum()
    }

    /// What `read` makes of the answer. `request` is made for the server's address; what cannot be read is a broken answer
    /// and asked for again.
    pub fn post<T>(
        &self,
        request: impl Fn(&str) -> Request,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, HttpError> {
        let shared = &self.shared;
        let policy = shared.client.policy();
        let servers = self.places();
        let most = policy.attempts + servers.len() as u32 - 1;
        let (sender, answers) = channel();
        let (mut failures, mut avoided) = (0, None);
        let mut said_before: Option<String> = None;
        // Short pauses add up: from the first failure on, all attempts are one wait.
        let mut _patience = None;
        loop {
            let lease = shared.acquire(avoided)?;
            shared.send(lease, request(&servers[lease.server].base), &sender);
            let (mut under_way, mut repeated) = (1, false);
            let began = Instant::now();
            let failure = loop {
                match answers.recv_timeout(GLANCE.min(policy.timeout)) {
                    Ok((lease, Attempt::Done(text))) => match read(&text) {
                        Ok(answer) => return Ok(answer),
                        Err(message) => {
                            under_way -= 1;
                            let error = shared.client.scrubbed(HttpError {
                                url: servers[lease.server].base.clone(),
                                status: Some(200),
                                message,
                            });
                            if under_way == 0 {
                                break (lease.server, error, None);
                            }
                        }
                    },
                    Ok((_, Attempt::Refused(error))) => return Err(shared.client.scrubbed(error)),
                    Ok((lease, Attempt::Again(error, asked))) => {
                        under_way -= 1;
                        // What is settled would be the same of the server that is still at it.
                        if under_way == 0 || settled(&error) {
                            break (lease.server, error, asked);
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => unreachable!("a sender is kept here"),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Some(interrupted) = stop::requested() {
                            return Err(HttpError {
                                url: servers[lease.server].base.clone(),
                                status: None,
                                message: interrupted.to_string(),
                            });
                        }
                        let other = (!repeated)
                            .then(|| shared.idle(lease.server, began))
                            .flatten();
                        if let Some(other) = other {
                            repeated = true;
                            under_way += 1;
                            shared.send(other, request(&servers[other.server].base), &sender);
                        }
                    }
                }
            };
            let (server, mut error, asked) = failure;
            failures += 1;
            if settled(&error) && said_before.as_ref() == Some(&error.message) {
                return Err(shared.client.scrubbed(error));
            }
            if failures >= most {
                error.message = format!("{}, {failures} times", error.message);
                if let Some(wait) = asked {
                    error.message += &format!(", and asks to wait {} s", wait.as_secs());
                }
                return Err(shared.client.scrubbed(error));
            }
            if failures == 1 {
                _patience = Some(shared.client.patience(&error, most));
            }
            said_before = Some(error.message.clone());
            // Once, the same server may be asked again where every other is much slower.
            avoided = Some(server).filter(|server| failures > 1 || !shared.is_best(*server));
            // A server that rests is waited for anyway, and another one is asked at once.
            if shared.is_alone(server) {
                let pause = policy.pause_after(failures - 1, asked);
                if let Err(interrupted) = shared.client.pause(pause, &error, asked) {
                    error.message = interrupted.to_string();
                    return Err(shared.client.scrubbed(error));
                }
            }
        }
    }

    /// Asks every server the same, all together. One that stumbles is asked once more: nobody waits for a server that is
    /// not there, the others may answer.
    pub fn post_each(
        &self,
        request: impl Fn(&str) -> Request + Sync,
    ) -> Vec<Result<String, HttpError>> {
        let client = &self.shared.client;
        let ask = |base: &str| {
            let mut failed = None;
            for _ in 0..2 {
                match client.attempt(&request(base), |text| Ok(text.to_owned())) {
                    Attempt::Done(text) => return Ok(text),
                    Attempt::Refused(error) => return Err(client.scrubbed(error)),
                    Attempt::Again(error, _) => failed = Some(error),
                }
            }
            let error = failed.expect("it was asked twice");
            Err(client.scrubbed(error))
        };
        let ask = &ask;
        std::thread::scope(|scope| {
            let places = self.places().into_iter();
            let asked: Vec<_> = places
                .map(|place| scope.spawn(handed_on(move || ask(&place.base))))
                .collect();
            let answered = asked.into_iter().map(|thread| thread.join());
            answered
                .map(|answer| answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect()
        })
    }

    /// Asks every server once, all together, for what stands at `path`; `None` where it does not answer with a 200.
    pub fn get_each(&self, path: &str, headers: &[(&'static str, String)]) -> Vec<Option<String>> {
        let client = &self.shared.client;
        let ask = |place: &Endpoint| client.get(&format!("{}{path}", place.base), headers);
        let places = self.places();
        std::thread::scope(|scope| {
            let asked: Vec<_> = places
                .iter()
                .map(|place| {
                    let work = handed_on(move || ask(place));
                    std::thread::Builder::new().spawn_scoped(scope, work)
                })
                .collect();
            let answers = asked.into_iter().zip(&places);
            answers
                .map(|(thread, place)| match thread {
                    Ok(thread) => thread.join().ok().flatten(),
                    // The system starts no more threads: one after the other, then.
                    Err(_) => ask(place),
                })
                .collect()
        })
    }
}

/// A server's own "internal error", which a repeated request would meet again.
fn settled(error: &HttpError) -> bool {
    error.status == Some(500) && error.message.contains("internal_server_error")
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// Waits for a server, if possible another than `avoided`.
    fn acquire(&self, avoided: Option<usize>) -> Result<Lease, HttpError> {
        let attempts = self.client.policy().attempts;
        let mut state = self.state();
        state.waiting += 1;
        let found = loop {
            let now = Instant::now();
            if let Some(interrupted) = stop::requested() {
                let url = state.servers[0].place.base.clone();
                let message = interrupted.to_string();
                break Err(HttpError {
                    url,
                    status: None,
                    message,
                });
            }
            // The one that just failed is asked again where there is no other.
            let avoided = avoided.filter(|one| !state.others_rest(*one));
            if let Some(server) = state.soonest(now, avoided) {
                break Ok(state.take(server, now));
            }
            if state.servers.iter().all(|server| server.rests >= attempts) {
                break Err(self.client.scrubbed(state.all_down()));
            }
            let (held, _) = self
                .changed
                .wait_timeout(state, GLANCE)
                .unwrap_or_else(|broken| broken.into_inner());
            state = held;
        };
        state.waiting -= 1;
        found
    }

    /// A server that has nothing to do and would have answered long ago what another is still busy with.
    fn idle(&self, busy: usize, began: Instant) -> Option<Lease> {
        let now = Instant::now();
        let mut state = self.state();
        if state.waiting > 0 {
            return None;
        }
        let server = state.soonest(now, Some(busy))?;
        // Nobody knows yet how fast a server is that has not answered: it is tried at once, and nothing else is waiting.
        let patience = match state.servers[server].typical {
            Some(typical) => Duration::from_secs_f64((typical * PATIENCE).min(3600.0)),
            None => Duration::ZERO,
        };
        (now - began > patience).then(|| state.take(server, now))
    }

    /// Whether every other server rests, is known to be much slower, or is still at its first request.
    fn is_best(&self, one: usize) -> bool {
        let state = self.state();
        let server = &state.servers[one];
        let Some(typical) = server.typical.filter(|_| server.resting.is_none()) else {
            return false;
        };
        let mut others = state.servers.iter().enumerate().filter(|(i, _)| *i != one);
        others.all(|(_, other)| match other.typical {
            _ if other.resting.is_some() => true,
            Some(other) => other > PATIENCE * typical,
            None => other.in_flight > 0,
        })
    }

    /// Whether this server is the only one that does not rest.
    fn is_alone(&self, server: usize) -> bool {
        let state = self.state();
        state.servers[server].resting.is_none() && state.others_rest(server)
    }

    /// Sends in a thread of its own: nobody has to wait for a server that is not needed any more.
    fn send(
        self: &Arc<Shared>,
        lease: Lease,
        request: Request,
        to: &Sender<(Lease, Attempt<String>)>,
    ) {
        let work = move |shared: Arc<Shared>, request: Request, to: Sender<_>| {
            let outcome = shared.client.attempt(&request, |text| Ok(text.to_owned()));
            shared.release(lease, &outcome);
            // Somebody else may have answered by now.
            let _ = to.send((lease, outcome));
        };
        let (shared, sent, answers) = (Arc::clone(self), request.clone(), to.clone());
        let asking = handed_on(move || work(shared, sent, answers));
        let started = std::thread::Builder::new().spawn(asking);
        if started.is_err() {
            // The system starts no more threads: this one waits for the answer.
            work(Arc::clone(self), request, to.clone());
        }
    }

    fn release(&self, lease: Lease, outcome: &Attempt<String>) {
        let policy = self.client.policy();
        let mut state = self.state();
        let server = &mut state.servers[lease.server];
        server.in_flight -= 1;
        match outcome {
            Attempt::Done(_) | Attempt::Refused(_) => server.answered(lease.since.elapsed()),
            Attempt::Again(error, asked) => server.stumbled(lease, error, *asked, &policy),
        }
        drop(state);
        self.changed.notify_all();
    }
}

impl State {
    /// The server that would be done first with one request more, if it takes it now: it can be better to wait for a
    /// fast one than to ask a slow one.
    fn soonest(&self, now: Instant, avoided: Option<usize>) -> Option<usize> {
        let mut best: Option<(f64, usize, usize)> = None;
        for (index, server) in self.servers.iter().enumerate() {
            let Some(seconds) = server.expected(now, self.waiting) else {
                continue;
            };
            let sooner = |(least, busy, _): (f64, usize, usize)| {
                seconds < least || (seconds == least && server.in_flight < busy)
            };
            if Some(index) != avoided && best.is_none_or(sooner) {
                best = Some((seconds, server.in_flight, index));
            }
        }
        let (.., index) = best?;
        self.servers[index].admits(now).then_some(index)
    }

    fn take(&mut self, server: usize, now: Instant) -> Lease {
        let taken = &mut self.servers[server];
        taken.in_flight += 1;
        Lease {
            server,
            rests: taken.rests,
            since: now,
        }
    }

    fn others_rest(&self, one: usize) -> bool {
        let mut others = self.servers.iter().enumerate().filter(|(i, _)| *i != one);
        others.all(|(_, server)| server.resting.is_some())
    }

    fn all_down(&self) -> HttpError {
        let last = self.servers.iter().find_map(|server| server.last.clone());
        let mut error = last.expect("a server that rests has failed");
        let times = self.servers[0].rests;
        error.message = match self.servers.len() {
            1 => format!("{}, {times} times", error.message),
            count => format!("none of the {count} servers answers; {}", error.message),
        };
        error
    }
}

impl Server {
    fn admits(&self, now: Instant) -> bool {
        match self.resting {
            Some(until) => now >= until && self.in_flight == 0,
            None => self.in_flight < self.window,
        }
    }

    /// Seconds until it would have answered one request more, when so many wait; `None` where nobody can know.
    fn expected(&self, now: Instant, waiting: usize) -> Option<f64> {
        match self.typical {
            _ if self.resting.is_some_and(|until| now < until) => None,
            _ if self.admits(now) => Some(self.typical.unwrap_or(0.0)),
            Some(typical) if self.resting.is_none() => {
                Some(typical * (1.0 + waiting as f64 / self.window as f64))
            }
            _ => None,
        }
    }

    fn answered(&mut self, took: Duration) {
        let took = took.as_secs_f64();
        self.typical = Some(
            self.typical
                .map_or(took, |before| 0.8 * before + 0.2 * took),
        );
        self.window = (self.window * 2).min(self.place.limit);
        (self.stumbles, self.rests, self.resting) = (0, 0, None);
    }

    fn stumbled(
        &mut self,
        lease: Lease,
        error: &HttpError,
        asked: Option<Duration>,
        policy: &RetryPolicy,
    ) {
        self.last = Some(error.clone());
        if lease.rests != self.rests {
            return;
        }
        self.stumbles += 1;
        self.window = (self.window / 2).max(1);
        let asked = asked.filter(|wait| !wait.is_zero());
        if error.status.is_none() || asked.is_some() || self.stumbles >= STUMBLES {
            self.resting = Some(Instant::now() + policy.pause_after(self.rests, asked));
            self.rests += 1;
            self.stumbles = 0;
        }
    }
}
