//! Alignments of the WinoMT translations against the output of the original program
//! (`fast_align -d -o -v`), and properties that must always hold.

use crate::support::shared::{lines, shared};
use epicene_lang::align::{
    Alignments, Direction, Link, MOST_WORDS, ParallelText, Symmetry, align, align_one_way,
};

fn pharaoh(links: &[Link]) -> String {
    let words: Vec<String> = links.iter().map(Link::to_string).collect();
    words.join(" ")
}

fn parallel_text(system: &str, language: &str) -> Option<ParallelText> {
    let path = shared(&format!(
        "winomt/translations/{system}/en-{language}.txt.gz"
    ))?;
    let mut text = ParallelText::default();
    for line in lines(&path) {
        let (source, target) = line.split_once(" ||| ").unwrap();
        text.push(source, target);
    }
    Some(text)
}

#[test]
fn every_link_of_the_original_is_reproduced() {
    for system in ["google", "systran"] {
        for language in ["ar", "de", "es", "fr", "he", "it", "ru", "uk"] {
            let Some(text) = parallel_text(system, language) else {
                return;
            };
            let path = shared(&format!(
                "winomt/fast_align/{system}/en-{language}.align.gz"
            ))
            .unwrap();
            let found = align(&text, Symmetry::Forward);
            let expected = lines(&path);
            assert_eq!(found.len(), expected.len());
            let different = found
                .iter()
                .zip(&expected)
                .filter(|(links, line)| pharaoh(links) != line.trim_end())
                .count();
            assert_eq!(different, 0, "{system} {language}: lines that differ");
        }
    }
}

/// Sentences whose words follow from each other, enough of them for several chunks.
fn invented(pairs: usize) -> Vec<(Vec<String>, Vec<String>)> {
    let mut state = 7u64;
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % 60
    };
    let mut sentences = Vec::new();
    for _ in 0..pairs {
        let words: Vec<u64> = (0..4 + draw() % 5).map(|_| draw()).collect();
        let mut target: Vec<String> = words.iter().map(|word| format!("t{word}")).collect();
        target.swap(0, 1);
        sentences.push((
            words.iter().map(|word| format!("s{word}")).collect(),
            target,
        ));
    }
    sentences
}

fn as_text(sentences: &[(Vec<String>, Vec<String>)]) -> ParallelText {
    let mut text = ParallelText::default();
    for (source, target) in sentences {
        text.push_words(source, target);
    }
    text
}

fn with_threads(threads: usize, text: &ParallelText, symmetry: Symmetry) -> Alignments {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| align(text, symmetry))
}

#[test]
fn threads_change_nothing() {
    let text = as_text(&invented(5000));
    for symmetry in Symmetry::ALL {
        let alone = with_threads(1, &text, symmetry);
        assert_eq!(alone, with_threads(3, &text, symmetry), "{symmetry}");
    }
}

#[test]
fn words_that_always_meet_are_linked() {
    let text = as_text(&invented(3000));
    let links = align(&text, Symmetry::Intersection);
    let swapped: usize = links
        .iter()
        .filter(|links| links.contains(&Link::new(0, 1)) && links.contains(&Link::new(1, 0)))
        .count();
    assert!(swapped > 2700, "{swapped}");
}

#[test]
fn swapping_sides_mirrors_links() {
    let mut sentences = invented(500);
    let reverse = align_one_way(&as_text(&sentences), Direction::Reverse);
    for (source, target) in &mut sentences {
        std::mem::swap(source, target);
    }
    let forward = align_one_way(&as_text(&sentences), Direction::Forward);
    for (there, back) in forward.iter().zip(reverse.iter()) {
        let mirror = |link: &Link| Link::new(link.target as usize, link.source as usize);
        let mirrored: Vec<Link> = back.iter().map(mirror).collect();
        assert_eq!(there, mirrored.as_slice());
    }
}

#[test]
fn pairs_without_words_have_no_links_and_teach_nothing() {
    let mut text = ParallelText::default();
    text.push("a b", "x y");
    text.push("", "x y");
    text.push("a b", " \t");
    text.push("a b", "x y");
    let links = align(&text, Symmetry::GrowDiagFinalAnd);
    assert_eq!(links.len(), 4);
    assert!(links.of(1).is_empty() && links.of(2).is_empty());
    assert_eq!(links.of(0), links.of(3));
    let empty = align(&ParallelText::default(), Symmetry::Forward);
    assert!(empty.is_empty());
}

#[test]
fn long_lines_are_linked_near_the_diagonal() {
    let mut sentences = invented(3000);
    let words = |side: char| (0..1500).map(move |word| format!("{side}{}", word * 7 % 60));
    sentences.push((words('s').collect(), words('t').collect()));
    let many = vec!["word".to_owned(); MOST_WORDS + 1];
    sentences.push((many, vec!["w".to_owned()]));
    let text = as_text(&sentences);
    let links = align(&text, Symmetry::GrowDiagFinalAnd);
    let long = links.of(3000);
    let straight = long.iter().filter(|link| link.source == link.target);
    assert!(straight.count() > 1400, "{}", long.len());
    assert!(links.of(3001).is_empty());
    assert_eq!(
        links.of(0),
        align(&as_text(&invented(3000)), Symmetry::GrowDiagFinalAnd).of(0)
    );
}
