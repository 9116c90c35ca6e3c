//! A small HTTP server on this machine that can also misbehave, for the tests of downloads.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

#[derive(Clone, Copy, PartialEq)]
pub enum Manner {
    /// Knows ranges.
    Good,
    /// Sends the whole file whatever range is asked.
    NoRanges,
    /// Hangs up after this many bytes of the body.
    CutsOff(usize),
    /// Sends the right length of wrong bytes.
    Lies,
    /// Sends more than it should.
    Chatters,
    NotFound,
}

pub struct Server {
    pub address: String,
    pub requests: Arc<Mutex<Vec<String>>>,
    manner: Arc<Mutex<Manner>>,
}

impl Server {
    /// Serves the files of a directory by name.
    pub fn start(directory: PathBuf, manner: Manner) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let manner = Arc::new(Mutex::new(manner));
        let (log, how) = (Arc::clone(&requests), Arc::clone(&manner));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let manner = *how.lock().unwrap();
                let _ = answer(stream, &directory, manner, &log);
            }
        });
        Server {
            address,
            requests,
            manner,
        }
    }

    pub fn behave(&self, manner: Manner) {
        *self.manner.lock().unwrap() = manner;
    }
}

fn answer(
    mut stream: TcpStream,
    directory: &std::path::Path,
    manner: Manner,
    log: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut offset = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            break;
        }
        if let Some(range) = line.to_lowercase().strip_prefix("range: bytes=") {
            offset = range.trim().trim_end_matches('-').parse().unwrap_or(0);
        }
    }
    let name = request
        .split(' ')
        .nth(1)
        .unwrap_or("/")
        .trim_start_matches('/')
        .to_owned();
    log.lock().unwrap().push(format!("{name} from {offset}"));
    let mut body = match std::fs::read(directory.join(&name)) {
        Ok(body) if manner != Manner::NotFound => body,
        _ => {
            return write!(
                stream,
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            );
        }
    };
    if manner == Manner::Lies {
        body.fill(b'x');
    }
    if manner == Manner::Chatters {
        body.extend(vec![b'x'; 100_000]);
    }
    if manner == Manner::NoRanges {
        offset = 0;
    }
    let rest = &body[offset.min(body.len())..];
    let status = if offset > 0 {
        "206 Partial Content"
    } else {
        "200 OK"
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        rest.len()
    )?;
    match manner {
        Manner::CutsOff(bytes) => stream.write_all(&rest[..bytes.min(rest.len())]),
        _ => stream.write_all(rest),
    }
}
