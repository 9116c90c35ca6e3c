//! Thirty systems in ten languages on one page: what it answers, and the way from every number to its sentences.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "support/browser.rs"]
mod browser;
mod support;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use browser::Browser;
use serde_json::{Value, json};
use support::{Rows, succeed, synthetic_gest};

const SYSTEMS: usize = 30;
const ITEMS: usize = 160;

fn pictures() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page-answers");
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Languages with a sentence by a woman and one by a man.
fn sentences() -> Vec<(&'static str, [&'static str; 2])> {
    let lines: Vec<(&str, &str)> = include_str!("../data/demo-translations.tsv")
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    lines
        .chunks(2)
        .map(|pair| (pair[0].0, [pair[0].1, pair[1].1]))
        .collect()
}

/// Every system makes the more of its sentences masculine the higher its number, those about men more often; the rest are
/// feminine, and some show nothing.
fn write_run(path: &Path) {
    synthetic_gest(&path.join("gest.csv"), ITEMS);
    let mut arguments: Vec<String> = [
        "run",
        "gest",
        "--data",
        "gest.csv",
        "--out",
        "r",
        "--trust-language",
    ]
    .map(str::to_owned)
    .to_vec();
    let mut languages = Vec::new();
    let mut state = 7u64;
    for system in 0..SYSTEMS {
        for (code, [woman, man]) in sentences() {
            let mut text = String::new();
            for item in 0..ITEMS {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                let draw = (state >> 33) % 100;
                let about_men = item % 16 >= 7;
                let masculine = 45 + system as u64 / 2 + if about_men { system as u64 } else { 0 };
                let sentence = match draw {
                    97.. => "OK.",
                    draw if draw < masculine => man,
                    _ => woman,
                };
                let _ = writeln!(text, "{sentence}");
            }
            let name = format!("s{system}.{code}.txt");
            std::fs::write(path.join(&name), text).unwrap();
            arguments.extend(["--mt".to_owned(), format!("system-{system}=file:{name}")]);
            languages.push(code);
        }
    }
    arguments.extend(["--lang".to_owned(), languages.join(",")]);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    succeed(&arguments, path);
    succeed(&["report", "r", "-o", "r.html"], path);
}

/// Presses on every mark that fits, one after the other; what each showed: its row, and the line that counts items.
fn press_all(browser: &mut Browser, selector: &str) -> Vec<(usize, u64)> {
    let pressed = browser.value(&format!(
        "(async () => {{ const out = []; const root = document.documentElement; \
         for (const mark of document.querySelectorAll({selector:?})) {{ \
           const row = mark.dataset.open ?? mark.dataset.row; delete root.dataset.drilled; \
           mark.dispatchEvent(new MouseEvent('click', {{ bubbles: true }})); \
           while (root.dataset.drilled !== row) await new Promise((done) => setTimeout(done, 0)); \
           out.push([Number(row), Number(document.getElementById('item-count').textContent.split(' ')[0])]); \
         }} return out; }})()"
    ));
    let pressed = pressed.as_array().unwrap().iter();
    pressed
        .map(|pair| {
            (
                pair[0].as_u64().unwrap() as usize,
                pair[1].as_u64().unwrap(),
            )
        })
        .collect()
}

fn assert_counts(pressed: &[(usize, u64)], rows: &[Value], what: &str) {
    for (row, count) in pressed {
        let row = &rows[*row];
        if let Some(n) = row["n"].as_u64() {
            assert_eq!(*count, n, "{what}: {row}");
        }
    }
}

fn centre(browser: &mut Browser, selector: &str) -> (f64, f64) {
    let place = browser.value(&format!(
        "(() => {{ const node = document.querySelector({selector:?}); node.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
         const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    ));
    (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
}

#[test]
fn thirty_systems_in_ten_languages() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    write_run(path);
    let page = path.join("r.html");
    assert!(std::fs::metadata(&page).unwrap().len() < 2_000_000);
    let rows = Rows::parse(&succeed(&["report", "r", "--format", "json"], path)).0;
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    browser.emulate("screen", "light");
    browser.open(&page);
    browser.wait_for("document.documentElement.dataset.items === 'ready'");

    // The first screen says who is furthest from the ideal, and who is closest.
    let answer = browser.value("document.querySelector('.answer').textContent");
    let answer = answer.as_str().unwrap();
    assert!(
        answer.contains("is furthest from the ideal: it follows the stereotypes (f_s "),
        "{answer}"
    );
    assert!(answer.contains("is closest ("), "{answer}");
    let map = "#f-gest-map-f-s rect[data-row]";
    let cells = browser.value(&format!("document.querySelectorAll({map:?}).length"));
    assert_eq!(cells, SYSTEMS * 10, "a cell for every system and language");
    browser.value("scrollTo(0, 0)");
    browser.screenshot(&pictures().join("thirty.png"));

    // Every mark of every figure, and the cells of the tables that are open, lead to as many items as the row's n.
    let marks = press_all(&mut browser, "figure .drill[data-row]");
    println!("{} marks", marks.len());
    assert!(marks.len() > 3000, "{}", marks.len());
    assert_counts(&marks, &rows, "mark");
    let cells = press_all(&mut browser, "details[open] td button.number");
    println!("{} cells", cells.len());
    assert!(cells.len() > 300, "{}", cells.len());
    assert_counts(&cells, &rows, "cell");

    // By mouse, and by keyboard.
    browser.value("delete document.documentElement.dataset.drilled");
    let (x, y) = centre(&mut browser, map);
    browser.click(x, y);
    browser.wait_for("document.documentElement.dataset.drilled !== undefined");
    let first = browser.value("document.documentElement.dataset.drilled");
    assert_eq!(
        first,
        browser.value(&format!("document.querySelector({map:?}).dataset.row"))
    );
    assert_eq!(browser.value("document.activeElement.id"), "item-list");
    browser.value(&format!(
        "(() => {{ delete document.documentElement.dataset.drilled; document.querySelector({map:?}).focus(); }})()"
    ));
    browser.press("ArrowDown");
    browser.press("Enter");
    browser.wait_for("document.documentElement.dataset.drilled !== undefined");
    let second = browser.value("document.documentElement.dataset.drilled");
    assert_eq!(
        second,
        browser.value(&format!(
            "document.querySelectorAll({map:?})[1].dataset.row"
        ))
    );

    // The address holds the filters: opened again, it shows the same; going back shows what was before.
    let hash = browser.value("location.hash");
    let count = browser.value("document.getElementById('item-count').textContent.split(' ')[0]");
    let text = hash.as_str().unwrap();
    assert!(
        text.starts_with("#items?")
            && text.contains("system=system-")
            && text.contains("unit=lang%3A"),
        "{text}"
    );
    browser.value("history.back()");
    browser.wait_for(&format!("location.hash !== {hash}"));
    let url = format!("file://{}{}", page.display(), text);
    browser.go("about:blank");
    browser.go(&url);
    browser.wait_for("document.documentElement.dataset.items === 'ready'");
    assert_eq!(
        browser.value("document.getElementById('item-count').textContent.split(' ')[0]"),
        count
    );
    assert_eq!(
        browser.value("(() => { const s = document.getElementById('item-system'); s.value = 'system-3'; s.dispatchEvent(new Event('change')); return 1; })()"),
        1
    );
    browser.wait_for("location.hash.includes('system=system-3')");

    // Sorting, and a column by itself.
    let sorted = browser.value(
        "(() => { const table = document.querySelector('details[open] .table table'); const heading = table.tHead.rows[0].cells[2]; \
         const values = () => [...table.tBodies[0].rows].map((row) => parseFloat(row.cells[2].textContent)); \
         heading.querySelector('button').click(); const down = values(); const first = heading.getAttribute('aria-sort'); \
         heading.querySelector('button').click(); const up = values(); \
         const ordered = (list, way) => list.every((value, place) => place === 0 || (list[place - 1] - value) * way >= 0); \
         return [ordered(down, 1), first, ordered(up, -1), heading.getAttribute('aria-sort'), down.length]; })()",
    );
    assert_eq!(
        sorted.as_array().unwrap()[..4],
        json!([true, "descending", true, "ascending"])
            .as_array()
            .unwrap()[..]
    );
    let column = browser.value(
        "(async () => { let kept; navigator.clipboard.writeText = async (text) => { kept = text; }; \
         const choice = document.querySelector('details[open] .tools select.column'); choice.value = '2'; \
         choice.dispatchEvent(new Event('change')); await new Promise((done) => setTimeout(done, 20)); return kept; })()",
    );
    assert!(
        column
            .as_str()
            .unwrap()
            .lines()
            .all(|line| line.split('\t').count() == 2),
        "{column}"
    );

    // A phone: nothing but what scrolls by itself is wider than the screen.
    browser.resize(390, 844);
    browser.value("scrollTo(0, 0)");
    let wide = "document.documentElement.scrollWidth";
    assert!(
        browser.value(wide).as_u64() <= Some(390),
        "{}",
        browser.value(wide)
    );
    browser.screenshot(&pictures().join("phone.png"));
    browser.resize(1200, 900);
    browser.emulate("screen", "dark");
    browser.value("scrollTo(0, 0)");
    browser.screenshot(&pictures().join("dark.png"));
    browser.emulate("print", "light");
    browser.print(&pictures().join("print.pdf"));
    browser.emulate("screen", "light");

    assert_no_violations(&mut browser, &page);
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let own = |url: &String| {
        url.starts_with("file://") || url.starts_with("blob:") || url.starts_with("data:")
    };
    assert!(
        browser.requests().iter().all(own),
        "{:?}",
        browser.requests()
    );
}

/// axe-core finds nothing serious. Its file is `EPICENE_AXE` (npm package axe-core, axe.min.js); without it this part is
/// skipped and said.
fn assert_no_violations(browser: &mut Browser, page: &Path) {
    let Some(axe) = std::env::var_os("EPICENE_AXE") else {
        println!("skipped: EPICENE_AXE does not name axe.min.js (npm pack axe-core)");
        return;
    };
    let axe = std::fs::read_to_string(axe).unwrap();
    browser.open(page);
    browser.wait_for("document.documentElement.dataset.items === 'ready'");
    for scheme in ["light", "dark"] {
        browser.emulate("screen", scheme);
        browser.value(&format!("{axe}; 1"));
        let found = browser.value(
            "axe.run(document, { resultTypes: ['violations'] }).then((result) => result.violations \
             .filter((each) => ['serious', 'critical'].includes(each.impact)) \
             .map((each) => [each.id, each.nodes.length, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))]))",
        );
        assert_eq!(found, json!([]), "{scheme}");
    }
    println!("axe-core: nothing serious");
    browser.emulate("screen", "light");
}
