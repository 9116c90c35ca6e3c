//! How right the detectors are, language by language, for people who read their numbers.
//!
//! The tables are written by `judge_accuracy -- first-person write` and `-- persons write`; nothing here is typed by hand.

const FIRST_PERSON: &str = include_str!("../data/first_person_accuracy.tsv");

/// Columns: what was judged, language, people, right, women called men, men called women, unknown (percent).
const PERSONS: &str = include_str!("../data/person_accuracy.tsv");

/// The person detector's figures as the tables of docs/occupation-judge.md.
pub fn person_tables() -> String {
    person_tables_of(PERSONS)
}

/// The same of a file that was just written.
pub fn person_tables_of(file: &str) -> String {
    let rows = file.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split('\t').collect()).collect();
    let table = |title: &str, own: bool| {
        // How many sentences of our own there are says little: the file has it.
        let first = if own { 3 } else { 2 };
        let heads = [
            "people",
            "right",
            "women called men",
            "men called women",
            "unknown",
        ];
        let heads = heads[first - 2..].join(" | ");
        let rule = "|---".repeat(8 - first);
        let mut table = format!("| {title} | {heads} |\n{rule}|\n");
        for cells in rows.iter().filter(|cells| (cells[0] == "sentences") == own) {
            let name = if own {
                cells[1].to_owned()
            } else {
                format!("{}, {} links", cells[1], cells[0])
            };
            table += &format!("| {name} | {} |\n", cells[first..].join(" | "));
        }
        table
    };
    format!(
        "{}\n{}",
        table("translations", false),
        table("sentences", true)
    )
}

/// The first-person detector's figures as the tables of docs/first-person-judge.md, which shows strict mode alone by language.
pub fn first_person_tables() -> String {
    first_person_tables_of(FIRST_PERSON)
}

/// The same of a file that was just written.
pub fn first_person_tables_of(file: &str) -> String {
    let titles = [
        ("treebank", "Treebank sentences"),
        ("pairs", "Minimal pairs"),
        ("hard", "Hard sentences"),
    ];
    let table = |(kind, title): (&str, &str)| {
        let lines = || {
            file.lines()
                .map(|line| line.split('\t').collect::<Vec<_>>())
        };
        let head = format!("# {kind}");
        let heads = lines().find(|cells| cells[0] == head);
        let heads = heads.map_or_else(Vec::new, |cells| cells[1..].to_vec());
        let rule = "---|".repeat(heads.len());
        let mut table = format!("{title}:\n\n| {} |\n|{rule}\n", heads.join(" | "));
        for cells in lines().filter(|cells| cells[0] == kind) {
            if cells[1] == "all" || cells[2] == "strict" {
                table += &format!("| {} |\n", cells[1..].join(" | "));
            }
        }
        table
    };
    titles.map(table).join("\n")
}

/// One line for each language, mode and gold, of all languages or of those named.
pub fn first_person(wanted: Option<&[&str]>) -> Vec<String> {
    let asked = |code: &str| code != "all" && wanted.is_none_or(|wanted| wanted.contains(&code));
    let rows = FIRST_PERSON
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect::<Vec<&str>>());
    rows.filter(|cells| cells.get(1).is_some_and(|code| asked(code)))
        .map(|cells| sentence(&cells))
        .collect()
}

fn sentence(cells: &[&str]) -> String {
    match *cells {
        [
            "treebank",
            language,
            mode,
            precision,
            recall,
            false_positives,
            woman,
            man,
            gendered,
            others,
        ] => format!(
            "{language}, `{mode}`: precision {precision}, recall {recall}, false positives {false_positives} in 1,000, women \
             called men {woman}, men called women {man}; treebank sentences, {gendered} with a gender and {others} without a \
             first person."
        ),
        [
            "pairs",
            language,
            mode,
            men,
            women,
            woman,
            man,
            unknown,
            sentences,
        ] => format!(
            "{language}, `{mode}`: right {men} of men and {women} of women, women called men {woman}, men called women {man}, \
             unknown {unknown}; minimal pairs, {sentences} sentences."
        ),
        [
            "hard",
            language,
            mode,
            right,
            woman,
            man,
            unknown,
            found,
            gendered,
            others,
        ] => format!(
            "{language}, `{mode}`: right {right}, women called men {woman}, men called women {man}, unknown {unknown}; {gendered} hard \
             sentences with a gender, {others} without one, {found} of which are given one."
        ),
        _ => unreachable!("the table is ours, and a test reads all of it: {cells:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_person::Detector;

    #[test]
    fn the_page_of_the_first_person_has_the_figures_of_the_data_file() {
        let page = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../docs/first-person-judge.md"
        );
        let page = std::fs::read_to_string(page).unwrap();
        assert!(
            page.contains(&first_person_tables()),
            "run `judge_accuracy -- first-person write`"
        );
        let hard = page.split_once("Hard sentences:").unwrap().1;
        for language in Detector::languages() {
            assert!(hard.contains(&format!("\n| {language} | ")), "{language}");
        }
    }

    #[test]
    fn the_page_has_the_figures_of_the_data_file() {
        let page = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../docs/occupation-judge.md"
        );
        let page = std::fs::read_to_string(page).unwrap();
        assert!(
            page.contains(&person_tables()),
            "run `judge_accuracy -- persons write`"
        );
        for code in crate::occupation::OccupationJudge::languages() {
            assert!(page.contains(&format!("\n| {code} | ")), "{code}");
        }
    }

    #[test]
    fn every_language_has_a_line() {
        let all = first_person(None);
        for language in Detector::languages() {
            let own = first_person(Some(&[language.code()]));
            assert!(!own.is_empty(), "{language}");
            assert!(own.iter().all(|line| line.contains(language.code())));
        }
        assert!(
            all.iter()
                .any(|line| line.starts_with("sk, `strict`: precision"))
        );
        assert!(
            all.iter()
                .any(|line| line.starts_with("es, `strict`: right"))
        );
    }
}
