//! Chromium without a window, spoken to over its debugging pipe: NUL-separated JSON on descriptors 3 and 4.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    events: VecDeque<Value>,
    session: Option<String>,
    next: u64,
    _profile: tempfile::TempDir,
}

/// The browser's program, where there is one. Without it a test skips, except in CI, where its absence is a
/// failure.
fn program() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| {
        let version = Command::new(name)
            .arg("--version")
            .stderr(Stdio::null())
            .output();
        version.is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        let missing = "there is no Chromium here";
        assert!(std::env::var("CI").as_deref() != Ok("true"), "{missing}");
        println!("skipped: {missing}; install Debian's package `chromium` to run this test");
    }
    found
}

impl Browser {
    /// A browser with one empty page and no network.
    pub fn launch() -> Option<Browser> {
        // Whatever escapes the page's policy finds nobody at the other end.
        Browser::launch_by("--proxy-server=http://127.0.0.1:9")
    }

    /// A browser that reaches this machine and nothing else.
    pub fn launch_with_network() -> Option<Browser> {
        Browser::launch_by("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1")
    }

    fn launch_by(network: &str) -> Option<Browser> {
        let program = program()?;
        let profile = tempfile::tempdir().unwrap();
        // The shell puts our pipes where the browser looks for them.
        let mut child = Command::new("sh")
            .arg("-c")
            .arg("exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null")
            .arg(program)
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                // Thousands of clicks are no attack here.
                "--disable-ipc-flooding-protection",
                "--no-first-run",
                "--no-default-browser-check",
                "--force-color-profile=srgb",
                "--window-size=1200,900",
            ])
            .arg(network)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = child.stdout.take().unwrap();
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(output);
            loop {
                let mut bytes = Vec::new();
                match reader.read_until(0, &mut bytes) {
                    Ok(0) | Err(_) => return,
                    Ok(_) => {}
                }
                bytes.pop();
                let Ok(message) = serde_json::from_slice(&bytes) else {
                    return;
                };
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Browser {
            child,
            input,
            messages,
            events: VecDeque::new(),
            session: None,
            next: 0,
            _profile: profile,
        };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({"targetId": target["targetId"], "flatten": true}),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its answer; events that come meanwhile are kept.
    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({"id": id, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&message).unwrap();
        bytes.push(0);
        self.input.write_all(&bytes).unwrap();
        self.input.flush().unwrap();
        loop {
            let message = self.messages.recv_timeout(PATIENCE);
            let message = message.unwrap_or_else(|error| panic!("{method}: {error}"));
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.events.push_back(message);
        }
    }

    /// Opens a file and waits until it is there.
    pub fn open(&mut self, path: &Path) {
        self.events.clear();
        let url = format!("file://{}", path.display());
        self.call("Page.navigate", json!({"url": url}));
        self.wait_for("document.readyState === 'complete'");
    }

    /// Opens an address and waits until it is there.
    pub fn go(&mut self, url: &str) {
        self.events.clear();
        self.call("Page.navigate", json!({"url": url}));
        self.wait_for("document.readyState === 'complete'");
    }

    /// A window of this size, as a phone has it where it is small.
    pub fn resize(&mut self, width: u32, height: u32) {
        self.call(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}),
        );
    }

    /// A click where the mouse would be.
    pub fn click(&mut self, x: f64, y: f64) {
        for kind in ["mousePressed", "mouseReleased"] {
            self.call(
                "Input.dispatchMouseEvent",
                json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}),
            );
        }
    }

    /// The value of an expression; a promise is waited for.
    pub fn value(&mut self, expression: &str) -> Value {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", parameters);
        assert!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    pub fn wait_for(&mut self, expression: &str) {
        let start = std::time::Instant::now();
        while self.value(expression) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "never: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A key with its usual name: `Tab`, `ArrowDown`, `Enter`, or a letter.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "Enter" => 13,
            "End" => 35,
            "Home" => 36,
            "ArrowUp" => 38,
            "ArrowDown" => 40,
            _ => 0,
        };
        let text = match key {
            "Enter" => Some("\r"),
            key if key.chars().count() == 1 => Some(key),
            _ => None,
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            if let (Some(text), "keyDown") = (text, kind) {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", event);
        }
    }

    /// Light or dark, screen or paper.
    pub fn emulate(&mut self, medium: &str, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({"media": medium, "features": features}),
        );
    }

    pub fn scripts(&mut self, on: bool) {
        self.call(
            "Emulation.setScriptExecutionDisabled",
            json!({"value": !on}),
        );
    }

    /// The whole page as a picture.
    pub fn screenshot(&mut self, path: &Path) {
        let picture = self.call(
            "Page.captureScreenshot",
            json!({"format": "png", "captureBeyondViewport": true}),
        );
        save(path, &picture["data"]);
    }

    /// The page on paper.
    pub fn print(&mut self, path: &Path) {
        let printed = self.call("Page.printToPDF", json!({"printBackground": false}));
        save(path, &printed["data"]);
    }

    /// What the console, the policy or the network had to complain about since the page was opened.
    pub fn complaints(&mut self) -> Vec<String> {
        self.value("1");
        let bad = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Network.loadingFailed") => true,
            Some("Runtime.consoleAPICalled") => event["params"]["type"] == "error",
            Some("Log.entryAdded") => event["params"]["entry"]["level"] == "error",
            _ => false,
        };
        self.events
            .iter()
            .filter(bad)
            .map(Value::to_string)
            .collect()
    }

    /// Addresses asked for since the page was opened.
    pub fn requests(&self) -> Vec<String> {
        self.events
            .iter()
            .filter(|event| event["method"] == "Network.requestWillBeSent")
            .filter_map(|event| event["params"]["request"]["url"].as_str())
            .map(str::to_owned)
            .collect()
    }
}

fn save(path: &Path, data: &Value) {
    let bytes = STANDARD.decode(data.as_str().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
