//! A server on this machine that says whatever a test wants.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// A request as it came; names of headers in lower case.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The first byte of a range that is asked for.
    pub fn from(&self) -> usize {
        let range = self.header("range").and_then(|range| {
            let range = range.strip_prefix("bytes=")?;
            range.split('-').next()?.parse().ok()
        });
        range.unwrap_or(0)
    }
}

/// What is sent back. `length` announces another length than the body has.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: Vec<u8>,
    pub length: Option<u64>,
    /// Repeats the body without end.
    pub endless: bool,
    /// Keeps the connection and says no more.
    pub stalls: bool,
}

impl Reply {
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Reply {
        Reply {
            status,
            body: body.into(),
            ..Reply::default()
        }
    }

    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }
}

pub struct Server {
    pub url: String,
}

impl Server {
    pub fn start(answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let answer = Arc::new(answer);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let answer = Arc::clone(&answer);
                std::thread::spawn(move || {
                    let _ = serve(stream, &*answer);
                });
            }
        });
        Server { url }
    }
}

fn serve(mut stream: TcpStream, answer: &dyn Fn(&Request) -> Reply) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut parts = first.split(' ').map(str::to_owned);
    let mut request = Request {
        method: parts.next().unwrap_or_default(),
        path: parts.next().unwrap_or_default(),
        headers: Vec::new(),
        body: Vec::new(),
    };
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            let header = (name.to_lowercase(), value.trim().to_owned());
            request.headers.push(header);
        }
    }
    let length = request
        .header("content-length")
        .map_or(0, |length| length.parse().unwrap());
    request.body = vec![0; length];
    reader.read_exact(&mut request.body)?;
    let reply = answer(&request);
    let mut head = format!("HTTP/1.1 {} X\r\nConnection: close\r\n", reply.status);
    for (name, value) in &reply.headers {
        head += &format!("{name}: {value}\r\n");
    }
    if !reply.endless {
        let length = reply.length.unwrap_or(reply.body.len() as u64);
        head += &format!("Content-Length: {length}\r\n");
    }
    stream.write_all(head.as_bytes())?;
    stream.write_all(b"\r\n")?;
    if request.method == "HEAD" {
        return Ok(());
    }
    stream.write_all(&reply.body)?;
    if reply.endless {
        loop {
            stream.write_all(&reply.body)?;
        }
    }
    if reply.stalls {
        // Until the other side hangs up.
        let _ = reader.read_to_end(&mut Vec::new());
    }
    Ok(())
}
