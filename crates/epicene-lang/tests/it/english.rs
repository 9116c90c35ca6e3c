//! The English detector on the specification's cases, on MiTTenS' references and on the English sides of other sets.

use epicene_core::Finding;
use epicene_lang::english::detect;

fn name(finding: Finding) -> &'static str {
    match finding {
        Finding::Masculine => "masculine",
        Finding::Feminine => "feminine",
        Finding::Neutral => "neutral",
        Finding::Both => "both",
        _ => "unknown",
    }
}

#[test]
fn agrees_with_every_case_of_the_specification() {
    let cases = include_str!("../english/cases.tsv");
    let rows = cases
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("text\t"));
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('\t').collect();
        let [text, verdict, rule, evidence] = cells[..] else {
            panic!("{row}");
        };
        let text = text.replace("\\n", "\n");
        let found = detect(&text);
        let words: Vec<&str> = found.evidence.iter().map(|span| span.of(&text)).collect();
        assert_eq!(
            (name(found.finding), found.rule, words.join("|")),
            (verdict, rule, evidence.to_owned()),
            "{text}"
        );
        count += 1;
    }
    assert_eq!(count, 99);
}
