//! The server: a page, four questions in JSON, nothing else. Whatever takes long is done beside it.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Query as Parameters, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use epicene_io::limits::REQUEST_HEADERS;
use epicene_io::session::handed_on;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::json;

use crate::guard::{Guard, Shown};
use crate::page;
use crate::query::Query;
use crate::run::{ViewError, ViewedRun};

/// How often a wish to stop is looked for.
const GLANCE: Duration = Duration::from_millis(100);

/// Runs shown at first, where nobody chose.
const SHOWN: usize = 8;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("{0}")]
    Run(String),
    #[error("no run is there")]
    NoRuns,
    #[error("cannot listen on 127.0.0.1:{port}: {source}")]
    Listen { port: u16, source: std::io::Error },
    #[error("no random numbers: {0}")]
    Random(getrandom::Error),
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

struct Shared {
    /// Replaced where a manifest changed: the first answer that is told names the system.
    runs: RwLock<Vec<Arc<ViewedRun>>>,
    guard: Guard,
    version: String,
}

impl Shared {
    fn runs(&self) -> Vec<Arc<ViewedRun>> {
        let runs = self.runs.read();
        runs.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Opens those anew whose manifest is not the one they were opened with. One that cannot be read now stays as it was.
    fn follow_manifests(&self) {
        for (place, run) in self.runs().iter().enumerate() {
            if run.manifest_changed()
                && let Ok(new) = ViewedRun::open(&run.path)
            {
                let mut runs = self.runs.write().unwrap_or_else(PoisonError::into_inner);
                runs[place] = Arc::new(new);
            }
        }
    }
}

type Given = Parameters<Vec<(String, String)>>;

/// A server that listens, and is not yet asked.
pub struct Server {
    listener: std::net::TcpListener,
    shared: Arc<Shared>,
}

impl Server {
    /// Listens on 127.0.0.1; port 0 takes a free one.
    pub fn bind(
        paths: &[std::path::PathBuf],
        port: u16,
        version: &str,
    ) -> Result<Server, ServeError> {
        let mut runs = Vec::new();
        for path in paths {
            runs.push(Arc::new(ViewedRun::open(path).map_err(ServeError::Run)?));
        }
        if runs.is_empty() {
            return Err(ServeError::NoRuns);
        }
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let failed = |source| ServeError::Listen { port, source };
        let listener = std::net::TcpListener::bind(address).map_err(failed)?;
        listener.set_nonblocking(true)?;
        let guard = Guard::new(listener.local_addr()?).map_err(ServeError::Random)?;
        Ok(Server {
            listener,
            shared: Arc::new(Shared {
                runs: RwLock::new(runs),
                guard,
                version: version.to_owned(),
            }),
        })
    }

    /// The address to open, with its token.
    pub fn address(&self) -> Result<String, ServeError> {
        let address = self.listener.local_addr()?;
        Ok(format!(
            "http://{address}/?token={}",
            self.shared.guard.token()
        ))
    }

    /// Serves until `stop` says so.
    pub fn serve(self, stop: impl Fn() -> bool + Send + 'static) -> Result<(), ServeError> {
        let reading = self.shared.clone();
        std::thread::Builder::new().spawn(handed_on(move || {
            loop {
                reading.follow_manifests();
                reading.runs().iter().for_each(|run| run.prepare());
                std::thread::sleep(Duration::from_secs(1));
            }
        }))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let service = TowerToHyperService::new(router(self.shared));
            while !stop() {
                let stream = match tokio::time::timeout(GLANCE, listener.accept()).await {
                    Ok(Ok((stream, _))) => stream,
                    // Too many files are open: some will be closed.
                    Ok(Err(_)) => {
                        tokio::time::sleep(GLANCE).await;
                        continue;
                    }
                    Err(_) => continue,
                };
                // A request that never ends would keep its connection for good.
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(REQUEST_HEADERS)
                    .serve_connection(TokioIo::new(stream), service.clone());
                tokio::spawn(connection);
            }
            Ok::<(), std::io::Error>(())
        })?;
        // What still reads in the background ends with the program.
        runtime.shutdown_background();
        Ok(())
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/api/runs", get(runs))
        .route("/api/count", get(count))
        .route("/api/items", get(items))
        .route("/api/progress", get(progress))
        .fallback(|| async { plain(StatusCode::NOT_FOUND, "there is nothing here") })
        .layer(middleware::from_fn_with_state(shared.clone(), guarded))
        .with_state(shared)
}

/// Nobody passes without the token; nothing leaves without its policy.
async fn guarded(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match shared.guard.check(&request) {
        Err(refusal) => plain(refusal.0, refusal.1),
        // The token leaves the address bar, and with it what is copied from there.
        Ok(Shown::InAddress) if request.uri().path() == "/" => {
            let cookie = format!(
                "{}={}; HttpOnly; SameSite=Strict; Path=/",
                shared.guard.cookie(),
                shared.guard.token()
            );
            let mut response = plain(StatusCode::SEE_OTHER, "");
            response
                .headers_mut()
                .insert(header::LOCATION, HeaderValue::from_static("/"));
            if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
        Ok(_) => next.run(request).await,
    };
    let policy = format!(
        "{}; frame-ancestors 'none'",
        epicene_report::page_policy(true)
    );
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy.as_str()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            header::HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ] {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    }
    response
}

fn plain(status: StatusCode, text: &str) -> Response {
    answer(
        status,
        "text/plain; charset=utf-8",
        text.as_bytes().to_vec(),
    )
}

fn answer(status: StatusCode, kind: &'static str, bytes: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

/// Work that reads files, beside the server's own thread.
async fn beside(
    work: impl FnOnce() -> Result<(&'static str, Vec<u8>), ViewError> + Send + 'static,
) -> Response {
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok((kind, bytes))) => answer(StatusCode::OK, kind, bytes),
        Ok(Err(error)) => {
            let status = match error {
                ViewError::Wrong(_) => StatusCode::BAD_REQUEST,
                ViewError::NotReady => StatusCode::SERVICE_UNAVAILABLE,
                ViewError::Unreadable(_) => StatusCode::INTERNAL_SERVER_ERROR,
            };
            plain(status, &error.to_string())
        }
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "this could not be shown"),
    }
}

fn as_json(value: &serde_json::Value) -> Result<(&'static str, Vec<u8>), ViewError> {
    let bytes =
        serde_json::to_vec(value).map_err(|error| ViewError::Unreadable(error.to_string()))?;
    Ok(("application/json", bytes))
}

/// Numbers of runs: `run=0&run=2`, or `runs=0,2`.
fn chosen(shared: &Shared, given: &[(String, String)]) -> Result<Vec<usize>, ViewError> {
    let wrong = || ViewError::Wrong("there is no such run".to_owned());
    let mut found = Vec::new();
    for (name, value) in given {
        let places: Vec<&str> = match name.as_str() {
            "run" => vec![value],
            "runs" => value.split(',').filter(|place| !place.is_empty()).collect(),
            _ => continue,
        };
        for place in places {
            let place: usize = place.parse().map_err(|_| wrong())?;
            if place >= shared.runs().len() {
                return Err(wrong());
            }
            if !found.contains(&place) {
                found.push(place);
            }
        }
    }
    Ok(found)
}

async fn index(State(shared): State<Arc<Shared>>, Parameters(given): Given) -> Response {
    beside(move || {
        let mut runs = chosen(&shared, &given)?;
        if runs.is_empty() {
            runs = (0..shared.runs().len().min(SHOWN)).collect();
        }
        let compare = given
            .iter()
            .any(|(name, value)| name == "compare" && value == "1");
        let bytes = page::page(&shared.runs(), &runs, compare, &shared.version)?;
        Ok(("text/html; charset=utf-8", bytes))
    })
    .await
}

async fn runs(State(shared): State<Arc<Shared>>, Parameters(given): Given) -> Response {
    beside(move || {
        let runs = chosen(&shared, &given)?;
        let all = shared.runs();
        let heads: Vec<_> = runs.iter().map(|run| all[*run].head(*run)).collect();
        as_json(&json!({ "runs": heads }))
    })
    .await
}

fn asked(
    shared: &Shared,
    given: &[(String, String)],
) -> Result<(Query, crate::query::Window), ViewError> {
    // The token may stand beside the question.
    let given: Vec<(String, String)> = given
        .iter()
        .filter(|(name, _)| name != "token")
        .cloned()
        .collect();
    let (query, window) = Query::parse(&given).map_err(ViewError::Wrong)?;
    if query.run >= shared.runs().len() {
        return Err(ViewError::Wrong("there is no such run".to_owned()));
    }
    Ok((query, window))
}

async fn count(State(shared): State<Arc<Shared>>, Parameters(given): Given) -> Response {
    beside(move || {
        let (query, _) = asked(&shared, &given)?;
        let (count, of) = shared.runs()[query.run].count(&query)?;
        as_json(&json!({ "count": count, "of": of }))
    })
    .await
}

async fn items(State(shared): State<Arc<Shared>>, Parameters(given): Given) -> Response {
    beside(move || {
        let (query, window) = asked(&shared, &given)?;
        let rows = shared.runs()[query.run].items(&query, window)?;
        as_json(&json!({ "rows": rows }))
    })
    .await
}

async fn progress(State(shared): State<Arc<Shared>>) -> Response {
    beside(move || {
        let all = shared.runs();
        let all = all.iter().enumerate();
        let runs: Vec<_> = all.map(|(place, run)| run.progress(place)).collect();
        as_json(&json!({ "runs": runs }))
    })
    .await
}
