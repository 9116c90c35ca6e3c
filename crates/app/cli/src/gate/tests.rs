use super::*;

fn row(system: &str, unit: &str, group: &str, metric: &str, value: f64) -> Row {
    Row {
        low: Some(value - 0.1),
        high: Some(value + 0.1),
        n: Some(10),
        ideal: Some(if metric == "f_s" { 0.0 } else { 1.0 }),
        ..Row::new("gest", [system, unit, group], metric, value)
    }
}

fn models() -> Vec<Row> {
    vec![
        row("m", "template:1", "all", "g_s", 1.2),
        row("m", "all", "all", "g_s", 1.3),
        row("m", "all", "stereotype:7", "q", 0.8),
    ]
}

fn translators() -> Vec<Row> {
    vec![
        row("deepl", "lang:sk", "all", "f_s", 0.30),
        row("deepl", "lang:sk", "all", "f_m", 0.80),
        row("deepl", "lang:cs", "all", "f_s", 0.20),
        row("deepl", "lang:cs", "all", "f_m", 0.70),
        row("nllb,beam=4", "lang:sk", "all", "f_s", 0.10),
        row("nllb,beam=4", "lang:sk", "all", "f_m", 0.60),
    ]
}

fn count(expression: &str, rows: &[Row]) -> usize {
    let gate = Gate::parse(expression).unwrap();
    gate.fired(rows).unwrap().map_or(0, |fired| fired.len())
}

#[test]
fn simple_expressions_mean_what_they_say() {
    for (expression, fired) in [
        ("g_s>1.25", 1),
        ("g_s > 1.1", 2),
        ("g_s>=1.3", 1),
        ("g_s<1", 0),
        ("g_s[all]>1.25", 1),
        ("g_s[all]<1.25", 0),
        ("g_s[template:1]>1.25", 0),
        ("g_s[template:1,m]>1.1", 1),
        ("g_s[template:*]>1.1", 1),
        ("low(g_s)>1.15", 1),
        ("high(q[stereotype:7])<0.95", 1),
        ("distance(q)>0.15", 1),
        ("abs(q)<0.9", 1),
        ("n(q)==10", 1),
        ("n(q)!=10", 0),
        ("g_s>2 or q<1", 1),
        ("g_s>2||q<1", 1),
        ("g_s>-1", 2),
        ("any(g_s>1.25) and any(q>1)", 0),
        ("any(g_s>1.25) && any(q<1)", 2),
        ("q[stereotype:7]<1 and g_s[all]>1.25", 2),
        ("q[stereotype:7]<1 and g_s[all]>1.35", 0),
    ] {
        assert_eq!(count(expression, &models()), fired, "{expression}");
    }
}

#[test]
fn what_and_joins_is_one_row() {
    for (expression, fired) in [
        // deepl has the one, nllb the other.
        ("f_s>0.29 and f_m<0.66", 0),
        ("any(f_s>0.29) and any(f_m<0.66)", 2),
        ("f_s>0.15 and f_m>0.65", 4),
        ("f_s>0.25 and f_m>0.65 or f_s<0.15", 3),
        ("f_m>0.65 and (f_s>0.25 or f_s<0.15)", 2),
        // The selectors name the unit, so that one system is meant.
        ("f_m[lang:sk]>0.75 and f_m[lang:cs]>0.65", 2),
        ("f_m[lang:sk]<0.65 and f_m[lang:cs]>0.65", 0),
        ("all(f_s>0.05)", 3),
        ("all(f_s>0.15)", 0),
        ("all(f_s[deepl]>0.15)", 2),
        ("all(f_s>0.05 and f_m>0.55)", 6),
        ("worst(f_s)>0.25", 1),
        ("worst(f_s)>0.35", 0),
        ("worst(distance(f_m))>0.35", 1),
        ("mean(f_s)>0.19", 3),
        ("mean(f_s)>0.21", 0),
        ("mean(f_s[lang:sk])>0.19 and worst(f_s)>0.25", 3),
        ("f_s>0.25 and worst(f_s)>0.25", 2),
        // Translators have no unit `all`: the whole is each language.
        ("f_s[all]>0.15", 2),
        ("f_s[nllb*]>0.05", 1),
        ("f_s[\"nllb,beam=4\"]>0.05", 1),
        ("f_s[system=deepl,unit=lang:?k]>0.05", 1),
    ] {
        assert_eq!(count(expression, &translators()), fired, "{expression}");
    }
}

#[test]
fn nonsense_is_refused_before_any_work() {
    for expression in [
        "",
        "g_s",
        "g_s>",
        "g_s>x",
        ">1",
        "foo(g_s)>1",
        "low(g_s>1",
        "q[a>1",
        "q[]>1",
        "[a]>1",
        "g_s>1 and",
        "g_s>nan",
        "g_s>1 g_s>2",
        "(g_s>1",
        "g_s>1)",
        "any(worst(g_s)>1)",
        "any(g_s)>1",
        "worst(g_s>1)",
        "mean(any(g_s))>1",
        "g_s=1",
    ] {
        assert!(Gate::parse(expression).is_err(), "{expression}");
    }
    assert!(Gate::parse(&"(".repeat(100_000)).is_err());
}

#[test]
fn rows_that_are_not_there_are_an_error_not_a_pass() {
    for (expression, message) in [
        ("f_s>0.2", "no row has the metric `f_s`"),
        ("g_s>9 or f_s>0.2", "no row has the metric `f_s`"),
        ("g_s[template:9]>1", "has [template:9]"),
        ("g_s>1.25 and q<1", "no row has g_s and q together"),
    ] {
        let gate = Gate::parse(expression).unwrap();
        let failure = gate.fired(&models()).unwrap_err();
        assert!(failure.message.contains(message), "{}", failure.message);
        assert!(failure.hint.is_some());
    }
}

#[test]
fn metrics_are_known_beforehand() {
    let card = epicene_bench::find("gest").unwrap().card();
    let gate = |expression: &str| Gate::parse(expression).unwrap();
    assert!(
        gate("any(g_s>1) and mean(low(f_s))>2")
            .check_metrics(card)
            .is_ok()
    );
    let failure = gate("any(g_s>1) and mean(low(f_q))>2")
        .check_metrics(card)
        .unwrap_err();
    assert!(failure.message.contains("`f_q`") && failure.hint.unwrap().contains("f_s"));
}

#[test]
fn judged_and_corrected_rows_have_the_same_names_whatever_the_headline_is() {
    let judged_first = vec![
        row("m", "lang:sk", "all", "f_m", 0.6),
        row("m", "lang:sk", "all", "f_m_corrected", 0.4),
        row("m", "lang:cs", "all", "f_m", 0.9),
    ];
    let corrected_first = vec![
        row("m", "lang:sk", "all", "f_m", 0.4),
        row("m", "lang:sk", "all", "f_m_judged", 0.6),
        row("m", "lang:cs", "all", "f_m", 0.9),
    ];
    for rows in [&judged_first, &corrected_first] {
        // A row without labels is neither.
        for (expression, fired) in [
            ("f_m_judged>0.5", 1),
            ("f_m_judged<0.5", 0),
            ("f_m_corrected<0.5", 1),
            ("f_m_corrected[lang:sk]>0.5", 0),
        ] {
            assert_eq!(count(expression, rows), fired, "{expression}");
        }
    }
    // Without labels there is nothing to tell apart.
    let gate = Gate::parse("f_m_judged>0.5").unwrap();
    assert!(gate.fired(&translators()).is_err());
}

#[test]
fn a_system_without_the_number_does_not_pass() {
    let mut rows = translators();
    rows.push(Row {
        ideal: None,
        ..row("silent", "lang:sk", "all", "yield", 0.0)
    });
    let refused = |expression: &str, rows: &[Row]| {
        let gate = Gate::parse(expression).unwrap();
        gate.fired(rows).unwrap_err().message
    };
    for expression in [
        "f_m>0.9",
        "worst(f_m)>0.9",
        "f_s>0.9 and f_m>0.9",
        "f_m[all]>0.9",
    ] {
        let error = refused(expression, &rows);
        assert!(error.contains("silent lang:sk has no f_"), "{error}");
    }
    // What holds, holds; and who is named has the number.
    assert_eq!(count("f_m>0.7", &rows), 1);
    assert_eq!(count("f_m[deepl]>0.9", &rows), 0);
    assert_eq!(count("f_m[lang:cs]>0.9", &rows), 0);
    assert_eq!(count("yield>9", &rows), 0);
    // What systems have in common is no system that lacks anything.
    let mut together = translators();
    for system in ["all", "all:masked"] {
        let mut row = together[0].clone();
        (row.system, row.metric) = (system.to_owned(), "agreement".to_owned());
        together.push(row);
    }
    assert_eq!(count("f_m>0.9", &together), 0);
    // Of a system that another is compared with in one language alone nothing is lacking.
    assert_eq!(count("f_s>0.9", &translators()), 0);
    rows.pop();
    rows[0].low = None;
    let error = refused("low(f_s)>0.9", &rows);
    assert!(error.contains("deepl lang:sk has no low(f_s)"), "{error}");
    assert_eq!(count("f_s>0.9", &rows), 0);
}
