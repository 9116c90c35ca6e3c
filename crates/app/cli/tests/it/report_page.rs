//! The page people look at: in a real browser, from a file, without a network; number by number against the
//! JSON; with hostile names and sentences. Pictures are left in the target directory for the eye.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::browser::Browser;
use crate::support::{Rows, refuse, succeed, synthetic_gest};

/// Where pictures are kept.
fn pictures() -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report-page");
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Text on the page, each piece with the contrast to what lies behind it, where that is below 4.5.
const FAINT_TEXT: &str = r"(() => {
  const channel = (value) => { const c = value / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const parse = (colour) => { const p = colour.match(/[\d.]+/g).map(Number); return { rgb: p.slice(0, 3), alpha: p[3] ?? 1 }; };
  const light = (rgb) => 0.2126 * channel(rgb[0]) + 0.7152 * channel(rgb[1]) + 0.0722 * channel(rgb[2]);
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const { rgb, alpha } = parse(getComputedStyle(at).backgroundColor);
      if (alpha === 1) return rgb;
    }
    return [255, 255, 255];
  };
  const faint = [];
  let seen = 0;
  for (const node of document.querySelectorAll('body *')) {
    if (!['SCRIPT', 'STYLE', 'title', 'desc'].includes(node.tagName)
      && [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())) {
      const style = getComputedStyle(node);
      if (!node.checkVisibility()) continue;
      seen++;
      const colour = parse(node instanceof SVGElement ? style.fill : style.color).rgb;
      const [one, other] = [light(colour), light(behind(node))].sort((a, b) => b - a);
      const ratio = (one + 0.05) / (other + 0.05);
      if (ratio < 4.5) faint.push(`${node.tagName}.${node.getAttribute('class')} ${ratio.toFixed(2)}: ${node.textContent.slice(0, 40)}`);
    }
  }
  return { seen, faint };
})()";

fn assert_contrast(browser: &mut Browser, theme: &str) {
    let text = browser.value(FAINT_TEXT);
    assert_eq!(text["faint"], json!([]), "{theme}");
    assert!(
        text["seen"].as_u64() > Some(150),
        "{theme}: {}",
        text["seen"]
    );
}

fn count(browser: &mut Browser) -> u64 {
    let text = browser.value("document.getElementById('item-count').textContent");
    let first = text.as_str().unwrap().split(' ').next().unwrap().to_owned();
    first.parse().unwrap()
}

fn choose(browser: &mut Browser, id: &str, value: &str) {
    let chosen = browser.value(&format!(
        "(() => {{ const select = document.getElementById({id:?}); select.value = {value:?}; \
         select.dispatchEvent(new Event('change')); return select.value; }})()"
    ));
    assert_eq!(chosen, value);
}

#[test]
fn the_demo_report_in_a_browser() {
    let directory = tempfile::tempdir().unwrap();
    succeed(&["demo", "--full", "--out", "demo"], directory.path());
    let page = directory.path().join("demo/report.html");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-")
    );
    assert!(html.len() < 2_000_000);
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    browser.emulate("screen", "light");
    browser.open(&page);
    browser.wait_for("document.documentElement.dataset.items === 'ready'");

    // Figures, each with its words.
    let figures = browser.value(
        "[...document.querySelectorAll('figure svg')].map((svg) => [svg.getAttribute('role'), \
         svg.querySelector('title').textContent.length, svg.querySelector('desc').textContent.length, \
         svg.querySelectorAll('text').length, svg.getBoundingClientRect().width])",
    );
    let figures = figures.as_array().unwrap().clone();
    assert!(figures.len() >= 3, "{figures:?}");
    for figure in &figures {
        assert!(figure[0] == "img" || figure[0] == "group", "{figure}");
        assert!(figure[1].as_u64() > Some(10) && figure[2].as_u64() > Some(40));
        assert!(figure[3].as_u64() > Some(5) && figure[4].as_f64() > Some(300.0));
    }
    let unnamed = "[...document.querySelectorAll('svg, img')].filter((each) => !(each.getAttribute('aria-labelledby') || '') \
         .split(' ').every((id) => document.getElementById(id)?.textContent)).length";
    assert_eq!(browser.value(unnamed), 0, "every picture has its words");
    let doubles = "(() => { const ids = [...document.querySelectorAll('[id]')].map((each) => each.id); \
         return ids.filter((id, index) => ids.indexOf(id) !== index); })()";
    assert_eq!(browser.value(doubles), json!([]), "no identifier twice");
    let cards = browser.value("document.querySelectorAll('.card').length");
    assert!(cards.as_u64() >= Some(4), "{cards}");

    assert_contrast(&mut browser, "light");
    browser.screenshot(&pictures().join("light.png"));

    // Search and filters.
    let all = count(&mut browser);
    assert_eq!(all, 384);
    browser.value("document.getElementById('item-search').focus()");
    for letter in "wedding".chars() {
        browser.press(&letter.to_string());
    }
    let shown = "[...document.querySelectorAll('.item .first')].every((row) => row.textContent.toLowerCase().includes('wedding'))";
    browser.wait_for(shown);
    let found = count(&mut browser);
    assert!(found > 0 && found < all, "{found}");
    browser.value(
        "(() => { const search = document.getElementById('item-search'); search.value = ''; \
         search.dispatchEvent(new Event('input')); })()",
    );
    browser.wait_for(&format!(
        "document.getElementById('item-count').textContent.startsWith('{all} ')"
    ));
    choose(&mut browser, "item-verdict", "f");
    let feminine = count(&mut browser);
    choose(&mut browser, "item-verdict", "m");
    let masculine = count(&mut browser);
    assert_eq!(
        feminine + masculine,
        all,
        "a preference is one or the other"
    );
    choose(&mut browser, "item-verdict", "");
    choose(&mut browser, "item-label-stereotype", "7");
    assert_eq!(count(&mut browser), 24);
    choose(&mut browser, "item-label-stereotype", "");
    choose(&mut browser, "item-system", "always:he");
    choose(&mut browser, "item-verdict", "f");
    assert_eq!(count(&mut browser), 0);
    choose(&mut browser, "item-verdict", "");
    choose(&mut browser, "item-system", "demo:mlm");

    // Only what is in sight is in the document; keys move through it.
    let rows = "document.querySelectorAll('.item').length";
    assert!(browser.value(rows).as_u64() < Some(40));
    browser.value("document.getElementById('item-list').focus()");
    let selected =
        "document.querySelector('.item[aria-selected=\"true\"]').getAttribute('aria-posinset')";
    browser.press("ArrowDown");
    browser.press("ArrowDown");
    assert_eq!(browser.value(selected), "3");
    browser.press("End");
    browser.wait_for(&format!("{selected} === '384'"));
    let last = browser.value("document.querySelector('#item-detail h3').textContent");
    browser.press("Home");
    browser.wait_for(&format!("{selected} === '1'"));
    assert_ne!(
        browser.value("document.querySelector('#item-detail h3').textContent"),
        last
    );
    browser.press("Enter");
    assert_eq!(browser.value("document.activeElement.id"), "item-detail");

    // From the top, the first key leads past the navigation, and every control can be reached.
    browser.value("(document.activeElement.blur(), window.scrollTo(0, 0), document.querySelector('.skip').focus())");
    let mut reached = BTreeSet::new();
    for _ in 0..400 {
        if reached.contains("item-detail") {
            break;
        }
        let name = browser.value(
            "document.activeElement.id || document.activeElement.getAttribute('href') || ''",
        );
        reached.insert(name.as_str().unwrap().to_owned());
        let outlined = "getComputedStyle(document.activeElement).outlineStyle !== 'none' || document.activeElement === document.body";
        assert_eq!(browser.value(outlined), true, "{name} shows its focus");
        browser.press("Tab");
    }
    for wanted in [
        "#main",
        "#summary",
        "#items",
        "theme",
        "item-search",
        "item-system",
        "item-list",
        "item-detail",
    ] {
        assert!(reached.contains(wanted), "{wanted} in {reached:?}");
    }

    // Dark, by the reader's system and by the button.
    let background = "getComputedStyle(document.body).backgroundColor";
    assert_eq!(browser.value(background), "rgb(255, 255, 255)");
    browser.emulate("screen", "dark");
    assert_ne!(browser.value(background), "rgb(255, 255, 255)");
    assert_contrast(&mut browser, "dark");
    browser.value("window.scrollTo(0, 0)");
    browser.screenshot(&pictures().join("dark.png"));
    browser.value("document.getElementById('theme').click()");
    assert_eq!(browser.value(background), "rgb(255, 255, 255)");
    browser.emulate("screen", "light");
    browser.value("document.getElementById('theme').click()");
    assert_ne!(browser.value(background), "rgb(255, 255, 255)");

    // Copying gives the table's text.
    let copied = browser.value(
        "(async () => { let kept; navigator.clipboard.writeText = async (text) => { kept = text; }; \
         document.querySelector('details[open] .table .copy').click(); await new Promise((r) => setTimeout(r, 50)); return kept; })()",
    );
    let lines: Vec<&str> = copied.as_str().unwrap().lines().collect();
    assert!(lines[0].starts_with("system\tg_s\t"), "{copied}");
    assert_eq!(lines.len(), 5);

    // On paper: light whatever the screen is, no controls, the items as a table, nothing cut off.
    browser.emulate("print", "dark");
    assert_eq!(browser.value(background), "rgb(255, 255, 255)");
    let display =
        |selector: &str| format!("getComputedStyle(document.querySelector({selector:?})).display");
    assert_eq!(browser.value(&display("nav")), "none");
    assert_eq!(browser.value(&display("#items-live")), "none");
    assert_eq!(browser.value(&display("#items-static")), "block");
    assert_contrast(&mut browser, "print");
    browser.print(&pictures().join("print.pdf"));
    let pdf = std::fs::read(pictures().join("print.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF") && pdf.len() > 50_000);
    browser.emulate("screen", "light");

    // The page kept to itself, and nothing went wrong.
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let asked = browser.requests();
    let own = |url: &String| {
        url.ends_with("demo/report.html") || url.starts_with("blob:") || url.starts_with("data:")
    };
    assert!(!asked.is_empty() && asked.iter().all(own), "{asked:?}");
    let fetched = browser.value("fetch('https://example.org/').then(() => 'out', () => 'refused')");
    assert_eq!(fetched, "refused", "the policy holds");

    // Without scripts the tables, the figures and the first items are there.
    browser.scripts(false);
    browser.open(&page);
    browser.screenshot(&pictures().join("without-scripts.png"));
    assert_eq!(
        browser.value("document.documentElement.dataset.items ?? 'none'"),
        "none"
    );
    assert_eq!(
        browser.value("document.querySelector('#items-static').checkVisibility()"),
        true
    );
    let rows = browser.value("document.querySelectorAll('#items-static tbody tr').length");
    assert!(rows.as_u64() >= Some(20), "{rows}");
    assert_eq!(
        browser.value("document.querySelectorAll('button').length"),
        0,
        "no dead buttons"
    );
}

/// HTML in sentences, translations and names is text, in the page and in the packed items.
#[test]
fn html_in_data_appears_as_text() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    let hostile = "</script><script>window.hacked = 1</script><img src=x onerror=\"window.hacked = 2\"> bola som\u{2028}";
    let quoted = hostile.replace('"', "\"\"");
    std::fs::write(
        path.join("gest.csv"),
        format!("sentence,stereotype\n\"I was tired {quoted}.\",1\n\"I won.\",9\n"),
    )
    .unwrap();
    std::fs::write(
        path.join("t.csv"),
        format!("from,to\n\"I was tired {quoted}.\",\"Bola som unavená {quoted}\"\n\"I won.\",\"Vyhral som.\"\n"),
    )
    .unwrap();
    let run = [
        "run",
        "gest",
        "--data",
        "gest.csv",
        "--lang",
        "sk",
        "--detector",
        "published",
        "--out",
        "<i>run",
    ];
    succeed(&[&run[..], &["--mt", "<b>'name=file:t.csv"]].concat(), path);
    let report = [
        "report",
        "<i>run",
        "-o",
        "r.html",
        "--title",
        "<u>title</u>",
    ];
    succeed(&report, path);
    let html = std::fs::read_to_string(path.join("r.html")).unwrap();
    for tag in ["<script>window.hacked", "<img", "<b>", "<i>", "<u>"] {
        assert!(!html.contains(tag), "{tag}");
    }
    assert!(html.contains("&lt;script&gt;window.hacked = 1&lt;/script&gt;"));
    assert!(html.contains("<h1>&lt;u&gt;title&lt;/u&gt;</h1>"));
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    browser.open(&path.join("r.html"));
    browser.wait_for("document.documentElement.dataset.items === 'ready'");
    assert_eq!(browser.value("typeof window.hacked"), "undefined");
    assert_eq!(browser.value("document.images.length"), 0);
    let detail = browser.value("document.getElementById('item-detail').textContent");
    assert!(
        detail
            .as_str()
            .unwrap()
            .contains("<script>window.hacked = 1</script><img src=x")
    );
    let marked = browser.value(
        "[...document.querySelectorAll('#item-detail mark')].map((mark) => mark.textContent)",
    );
    assert!(
        marked.as_array().unwrap().contains(&json!("unavená")),
        "{marked}"
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The text of an element without its tags.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => text.push(c),
            _ => {}
        }
    }
    text
}

/// Numbers as they are written, in their order.
fn numbers(text: &str) -> Vec<&str> {
    let number = |word: &&str| word.parse::<f64>().is_ok();
    text.split(|c: char| c.is_whitespace() || "[],".contains(c))
        .filter(number)
        .collect()
}

/// A field of a row as that many decimals, or a power where it would read as zero.
fn written(value: &Value, like: &str) -> Option<String> {
    let value = value.as_f64()?;
    if like.contains('e') {
        return Some(format!("{value:.1e}"));
    }
    let decimals = like.split_once('.').map_or(0, |(_, rest)| rest.len());
    // What rounding left of a zero is zero.
    let value = if value.abs() < 1e-12 { 0.0 } else { value };
    Some(format!("{value:.decimals$}"))
}

/// Walks every element of the page that shows a row; returns the rows it met.
fn walk(html: &str, rows: &[Value]) -> BTreeSet<usize> {
    let mut met = BTreeSet::new();
    for (start, _) in html.match_indices(" data-row=\"") {
        let open = html[..start].rfind('<').unwrap();
        let tag: String = html[open + 1..]
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        let rest = &html[start + 11..];
        let place: usize = rest[..rest.find('"').unwrap()].parse().unwrap();
        let row = rows.get(place).unwrap_or_else(|| panic!("no row {place}"));
        // What a mark says comes after the name of what it shows.
        let shown = match tag.as_str() {
            "td" => plain(&html[open..open + html[open..].find("</td>").unwrap()]),
            "span" => plain(&html[open..open + html[open..].find("</p>").unwrap()]),
            _ => {
                let title = &html[open..open + html[open..].find("</title>").unwrap()];
                plain(title).rsplit_once(": ").unwrap().1.to_owned()
            }
        };
        let found = numbers(&shown);
        let fields: [&[&str]; 3] = [
            &["value"],
            &["value", "low", "high"],
            &["low", "value", "high"],
        ];
        let fits = fields.iter().any(|fields| {
            fields.len() == found.len()
                && fields
                    .iter()
                    .zip(&found)
                    .all(|(field, text)| written(&row[*field], text).as_deref() == Some(*text))
        });
        assert!(fits, "row {place} is {row}, the page says {shown:?}");
        met.insert(place);
    }
    met
}

/// No cell of a table of results shows a number that is not a row's.
fn assert_no_other_cells(html: &str) {
    for (start, _) in html.match_indices("<td") {
        let cell = &html[start..start + html[start..].find("</td>").unwrap()];
        let known =
            cell == "<td>" || cell.contains("data-row=") || cell.contains("class=\"sentence\"");
        assert!(known, "{cell}");
    }
}

#[test]
fn every_number_of_the_page_is_in_the_json() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 400);
    let run = |out: &str, more: &[&str]| {
        let base = ["run", "gest", "--data", "gest.csv", "--out", out];
        succeed(&[&base[..], more].concat(), path);
    };
    run(
        "a",
        &[
            "--model",
            "random:1",
            "--model",
            "always:he",
            "--model",
            "random:2",
        ],
    );
    run("b", &["--model", "random:2", "--model", "random:3"]);
    let sentences = std::fs::read_to_string(path.join("gest.csv")).unwrap();
    let translations: Vec<String> = sentences
        .lines()
        .skip(1)
        .enumerate()
        .map(|(n, _)| {
            if n % 3 == 0 {
                "Bola som rada."
            } else {
                "Bol som rád."
            }
            .to_owned()
        })
        .collect();
    std::fs::write(path.join("t.txt"), translations.join("\n")).unwrap();
    run("c", &["--mt", "t=file:t.txt", "--lang", "sk"]);
    succeed(&["report", "a", "b", "c", "-o", "page.html"], path);
    let json = succeed(&["report", "a", "b", "c", "--format", "json"], path);
    let rows = Rows::parse(&json).0;
    let html = std::fs::read_to_string(path.join("page.html")).unwrap();
    let met = walk(&html, &rows);
    assert_no_other_cells(&html);
    // What the page is there for is on it: rates in every unit, the rest over all templates.
    let everywhere = ["g_s", "f_s", "f_m", "p", "yield"];
    let over_all = ["q", "q_m", "q_f", "rank_median"];
    for (place, row) in rows.iter().enumerate() {
        let metric = row["metric"].as_str().unwrap();
        let wanted =
            everywhere.contains(&metric) || (over_all.contains(&metric) && row["unit"] == "all");
        assert!(
            !wanted || met.contains(&place),
            "{row} is nowhere on the page"
        );
    }
    assert!(
        html.contains("random:2 (a)") && html.contains("random:2 (b)"),
        "namesakes are told apart"
    );
    // The signature of every run is at the foot.
    let parts = Rows::parse(&json).1;
    for signature in parts.split(" + ") {
        assert!(plain(&html).contains(signature), "{signature}");
    }
}

#[test]
fn comparisons_have_a_page_sorted_by_evidence() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 160);
    for (out, model) in [("a", "always:he"), ("b", "random:3")] {
        succeed(
            &[
                "run", "gest", "--data", "gest.csv", "--model", model, "--out", out,
            ],
            path,
        );
    }
    let compare = ["compare", "a", "b", "--rounds", "200"];
    succeed(&[&compare[..], &["-o", "c.html"]].concat(), path);
    let html = std::fs::read_to_string(path.join("c.html")).unwrap();
    let mut rows = Rows::parse(&succeed(&["report", "a", "b", "--format", "json"], path)).0;
    let offset = rows.len();
    rows.extend(
        Rows::parse(&succeed(
            &[&compare[..], &["--format", "json"]].concat(),
            path,
        ))
        .0,
    );
    let met = walk(&html, &rows);
    assert_no_other_cells(&html);
    let differences = (offset..rows.len()).filter(|place| rows[*place]["metric"] == "delta_q");
    assert_eq!(
        differences.filter(|place| met.contains(place)).count(),
        5 * 16
    );
    // p-values, corrected where they are, never fall from one line to the next.
    let table = &html[html.find("All differences, by evidence").unwrap()..];
    let table = &table[..table.find("</table>").unwrap()];
    let strengths: Vec<f64> = table
        .split("<tr>")
        .skip(2)
        .map(|line| {
            let cells: Vec<String> = line.split("</td>").map(plain).collect();
            let last = cells[..3]
                .iter()
                .rev()
                .find(|cell| !cell.trim().is_empty())
                .unwrap();
            numbers(last)[0].parse().unwrap()
        })
        .collect();
    assert!(
        strengths.len() >= 85 && strengths.is_sorted(),
        "{strengths:?}"
    );
    assert!(html.contains("id=\"f-differences\"") && html.contains("What changed"));
    // Other formats still go to files, and nonsense is refused.
    succeed(&[&compare[..], &["-o", "c.md"]].concat(), path);
    let stderr = refuse(&[&compare[..], &["-o", "c.docx"]].concat(), path);
    assert!(
        stderr.contains("the extension names no format") && stderr.contains(".html"),
        "{stderr}"
    );
}

/// Thirty systems on as many items as GEST has, in all templates: one small file, and all items in it.
#[test]
fn thirty_systems_fit_one_small_page() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 3565);
    let mut table = String::new();
    let columns: Vec<String> = (0..30)
        .flat_map(|system| (1..=4).map(move |template| format!("m{system}/template:{template}")))
        .collect();
    table += &(columns.join(",") + "\n");
    let mut state = 1u64;
    for _ in 0..3565 {
        let cells: Vec<String> = columns
            .iter()
            .map(|_| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                format!(
                    "{:.5}",
                    (state >> 40) as f64 / f64::from(1 << 24) * 3.0 - 1.0
                )
            })
            .collect();
        table += &(cells.join(",") + "\n");
    }
    std::fs::write(path.join("scores.csv"), table).unwrap();
    let run = [
        "run",
        "gest",
        "--data",
        "gest.csv",
        "--model",
        "file:scores.csv",
        "--out",
        "r",
    ];
    succeed(&run, path);
    succeed(&["report", "r", "-o", "r.html"], path);
    let size = std::fs::metadata(path.join("r.html")).unwrap().len();
    assert!(size < 2_000_000, "{size} bytes");
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    let start = std::time::Instant::now();
    browser.open(&path.join("r.html"));
    browser.wait_for("document.documentElement.dataset.items === 'ready'");
    println!("{size} bytes, items ready after {:?}", start.elapsed());
    assert_eq!(count(&mut browser), 3565);
    assert!(
        browser
            .value("document.querySelectorAll('.item').length")
            .as_u64()
            < Some(40)
    );
    // What the other columns say waits until it is asked for, and then all of it is there.
    let answers = "document.querySelectorAll('#item-detail tbody tr').length";
    assert_eq!(browser.value(answers), 1);
    browser.value("document.querySelector('#item-detail details summary').click()");
    browser.wait_for(&format!("{answers} === 120"));
    browser.screenshot(&pictures().join("thirty.png"));
}

/// Where the findings, the figure, the worst parts and the trust box end, in pixels from the top; null for what is not there.
const FIRST_SCREEN: &str = "['.finding', '.screen figure svg', '.worst', '.trust'].map((name) => \
     { const found = document.querySelector('#summary ' + name); return found && found.getBoundingClientRect().bottom + scrollY; })";

/// A report answers on its first screen, for one system, two and many, at a desk and on a phone.
#[test]
fn the_first_screen_has_the_findings_the_figure_the_worst_parts_and_the_trust_box() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    synthetic_gest(&path.join("gest.csv"), 320);
    for systems in [1, 2, 34] {
        let columns: Vec<String> = (0..systems)
            .flat_map(|system| {
                (1..=4).map(move |template| format!("m{system}/template:{template}"))
            })
            .collect();
        let mut table = columns.join(",") + "\n";
        let mut state = 1u64;
        for row in 0..320 {
            let cells: Vec<String> = (0..columns.len())
                .map(|column| {
                    state = state
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    // Men's stereotypes are rated higher, the more so the later the system stands.
                    let lean = if row % 16 >= 7 { 0.02 } else { -0.02 };
                    let noise = (state >> 33) as f64 / f64::from(1u32 << 31) - 0.5;
                    format!("{:.4}", lean * (column / 4 + 1) as f64 + noise * 0.4)
                })
                .collect();
            table += &(cells.join(",") + "\n");
        }
        std::fs::write(path.join(format!("{systems}.csv")), table).unwrap();
        let (file, run) = (format!("file:{systems}.csv"), format!("run{systems}"));
        let model = ["--model", &file, "--kind", "masked", "--out", &run];
        succeed(
            &[&["run", "gest", "--data", "gest.csv"][..], &model].concat(),
            path,
        );
        let page = format!("{systems}.html");
        succeed(&["report", &run, "-o", &page], path);
    }
    let Some(mut browser) = Browser::launch() else {
        return;
    };
    for systems in [1, 2, 34] {
        browser.open(&path.join(format!("{systems}.html")));
        for (width, height, most) in [(1400, 900, 1400.0), (768, 1024, 2048.0), (390, 844, 1688.0)]
        {
            browser.resize(width, height);
            let ends = browser.value(FIRST_SCREEN);
            let picture = format!("first-{systems}-{width}.png");
            browser.screenshot(&pictures().join(picture));
            for (end, what) in ends
                .as_array()
                .unwrap()
                .iter()
                .zip(["finding", "figure", "worst", "trust"])
            {
                let end = end.as_f64();
                assert!(
                    end.is_some_and(|end| end <= most),
                    "{systems} systems, {width} px wide: {what} ends at {end:?}"
                );
            }
        }
        browser.resize(1400, 900);
    }
    let heading = "document.querySelector('h1').textContent";
    assert_eq!(browser.value(heading), "GEST: 34 systems");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
