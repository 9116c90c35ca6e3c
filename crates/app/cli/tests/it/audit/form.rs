//! The form in headless Chromium: labelled by keyboard, opened again, exported, read back.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use super::labels::{Labels, truth, workshop};
use crate::support::browser::Browser;
use crate::support::succeed;

#[test]
fn the_form_in_a_browser() {
    let directory = workshop();
    let here = directory.path();
    let sample = [
        "audit",
        "sample",
        "r",
        "-n",
        "24",
        "-o",
        "form.html",
        "-o",
        "labels.csv",
    ];
    succeed(&sample, here);
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let page = here.join("form.html");
    browser.open(&page);
    browser.wait_for("document.documentElement.dataset.form === 'ready'");
    assert_eq!(
        browser.value("document.body.innerText.includes('good')"),
        false,
        "blind"
    );
    let mut said = Vec::new();
    let key = |browser: &mut Browser| {
        let text = browser.value("document.getElementById('translation').textContent");
        let text = text.as_str().unwrap().to_owned();
        truth(&BTreeMap::from([("translation", text.as_str())]))
    };
    for _ in 0..12 {
        let label = key(&mut browser);
        browser.press(&label);
        said.push(label);
    }
    // A slip, taken back by keyboard.
    browser.press("ArrowLeft");
    browser.press("u");
    browser.press("ArrowLeft");
    browser.press("Backspace");
    browser.press(&said[11].clone());
    browser.wait_for("document.getElementById('progress').textContent === '12 of 24 labelled'");
    // Opened again, the page is where it was left; Enter comes back to the first open one from anywhere before it.
    // A browser under load may hand a page's last words to the next one late.
    let labelled = "document.getElementById('progress').textContent === '12 of 24 labelled'";
    let again = (0..50).any(|_| {
        browser.open(&page);
        browser.value(labelled) == true
    });
    assert!(again, "never again: {labelled}");
    let at_13 = "document.getElementById('place').textContent.startsWith('Number 13 of 24')";
    assert_eq!(browser.value(at_13), true);
    for key in ["ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"] {
        browser.press(key);
    }
    assert_eq!(browser.value(at_13), true);
    for _ in 12..20 {
        let label = key(&mut browser);
        browser.press(&label);
        said.push(label);
    }
    browser.wait_for("document.getElementById('progress').textContent === '20 of 24 labelled'");
    // A second annotator who says m throughout, read in the page.
    let path = here.join("labels.csv");
    Labels::read(&path).label(&path, |_| "m".to_owned());
    let node = browser.call(
        "Runtime.evaluate",
        json!({"expression": "document.getElementById('other')"}),
    );
    browser.call(
        "DOM.setFileInputFiles",
        json!({"files": [path.display().to_string()], "objectId": node["result"]["objectId"]}),
    );
    browser.wait_for(
        "document.getElementById('agreement').textContent.includes('Agreement on 20 labels')",
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert!(
        browser
            .requests()
            .iter()
            .all(|url| url.starts_with("file:") || url.starts_with("blob:")),
        "{:?}",
        browser.requests()
    );
    std::fs::create_dir_all(here.join("down")).unwrap();
    browser.call(
        "Page.setDownloadBehavior",
        json!({"behavior": "allow", "downloadPath": here.join("down").display().to_string()}),
    );
    for kind in ["keyDown", "keyUp"] {
        let event = json!({"type": kind, "key": "s", "modifiers": 2, "windowsVirtualKeyCode": 83});
        browser.call("Input.dispatchKeyEvent", event);
    }
    let saved = here.join("down/labels.csv");
    for _ in 0..500 {
        if saved.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let labels = Labels::read(&saved);
    let label = labels.at("label");
    let written: Vec<&str> = labels.rows.iter().map(|row| row[label].as_str()).collect();
    assert_eq!(written[..20], said);
    assert!(written[20..].iter().all(|label| label.is_empty()));
    let report = succeed(&["audit", "read", "r", "down/labels.csv"], here);
    assert!(
        report.contains("20 of 24 drawn verdicts have a label"),
        "{report}"
    );
    browser.emulate("screen", "light");
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audit-form.png");
    browser.screenshot(&pictures);
}
