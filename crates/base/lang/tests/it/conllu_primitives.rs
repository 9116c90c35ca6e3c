//! Each primitive of the first-person rules (GEST, arXiv 2311.18711; rules of section 4), in the
//! list of a language that uses it. The example sentences are ours.

use crate::conllu_support::{Case, check, gender, rule, sentence};

#[test]
fn head_takes_the_gender_of_the_governing_word() {
    check(
        "sk",
        "HEAD(som)",
        &[
            (
                "masculine verb",
                "1 Prišiel VERB Gender=Masc 0\n2 som AUX Person=1 1",
                "m",
                &["Prišiel", "som"],
            ),
            (
                "text is compared in lower case",
                "1 SOM AUX Person=1 2\n2 šťastná ADJ Gender=Fem 0",
                "f",
                &["šťastná", "SOM"],
            ),
            (
                "an auxiliary or a determiner may govern it too",
                "1 bola AUX Gender=Fem 0\n2 som AUX Person=1 1",
                "f",
                &["bola", "som"],
            ),
            (
                "determiner",
                "1 taká DET Gender=Fem 0\n2 som AUX Person=1 1",
                "f",
                &["taká", "som"],
            ),
            (
                "a noun does not count",
                "1 som AUX Person=1 2\n2 lekárka NOUN Gender=Fem 0",
                "-",
                &[],
            ),
            (
                "nor does a pronoun",
                "1 som AUX Person=1 2\n2 ona PRON Gender=Fem 0",
                "-",
                &[],
            ),
            (
                "the root governs nothing",
                "1 som AUX Gender=Masc 0",
                "-",
                &[],
            ),
            (
                "whole tokens only",
                "1 Nesom AUX Person=1 2\n2 unavený ADJ Gender=Masc 0",
                "-",
                &[],
            ),
            (
                "the next one is tried where the first shows nothing",
                "1 som AUX _ 2\n2 lekárka NOUN Gender=Fem 0\n\
                 3 som AUX _ 4\n4 bolo VERB Gender=Neut 2\n\
                 5 som AUX _ 6\n6 unavený ADJ Gender=Masc 2",
                "m",
                &["unavený", "som"],
            ),
            (
                "the leftmost one decides",
                "1 som AUX _ 2\n2 prišla VERB Gender=Fem 0\n\
                 3 som AUX _ 4\n4 unavený ADJ Gender=Masc 2",
                "f",
                &["prišla", "som"],
            ),
        ],
    );
}

#[test]
fn gender_is_read_from_the_first_three_letters_of_its_feature() {
    for (feats, expected) in [
        ("Gender=Masc", "m"),
        ("Animacy=Anim|Gender=Masc|Number=Sing", "m"),
        ("Gender=Fem", "f"),
        ("Gender=Fem,Neut|Number=Plur", "f"),
        ("Gender=Masc,Neut", "m"),
        ("Gender=Neut", "-"),
        ("Gender=Com", "-"),
        ("Number=Sing", "-"),
        ("_", "-"),
        ("Gender[psor]=Fem|Number=Sing", "-"),
        ("Gender[psor]=Fem|Gender=Masc", "m"),
    ] {
        let rows = format!("1 som AUX _ 2\n2 x ADJ {feats} 0");
        let verdict = rule("sk", "HEAD(som)").judge(&sentence(&rows));
        assert_eq!(verdict.gender(), gender(expected), "{feats}");
    }
}

#[test]
fn sub_words_are_neither_found_nor_heads() {
    check(
        "cs",
        "HEAD(bych)",
        &[
            (
                "free-standing",
                "1 Řekla VERB Gender=Fem 0\n2 bych AUX _ 1",
                "f",
                &["Řekla", "bych"],
            ),
            (
                "a sub-word is not found by its text",
                "1-2 abych\n1 aby SCONJ _ 3\n2 bych AUX _ 3\n3 řekla VERB Gender=Fem 0",
                "-",
                &[],
            ),
            (
                "a head that is a sub-word is not found",
                "1 bych AUX _ 2\n2-3 řeklas\n2 řekla VERB Gender=Fem 0\n3 s AUX _ 2",
                "-",
                &[],
            ),
            (
                "a multi-word token has no head of its own",
                "1-2 bych\n1 by AUX _ 3\n2 ch AUX _ 3\n3 řekla VERB Gender=Fem 0",
                "-",
                &[],
            ),
            (
                "empty nodes change nothing",
                "1 bych AUX _ 2\n1.1 _ VERB Gender=Masc _\n2 řekla VERB Gender=Fem 0",
                "f",
                &["řekla", "bych"],
            ),
        ],
    );
}

#[test]
fn pair_needs_no_syntax_and_feminine_wins() {
    check(
        "cs",
        "PAIR(rád, ráda)",
        &[
            ("masculine", "1 Rád X _ 0", "m", &["Rád"]),
            ("feminine", "1 ráda X _ 0", "f", &["ráda"]),
            ("both", "1 rád X _ 0\n2 ráda X _ 1", "f", &["ráda"]),
            ("neither", "1 rádi X _ 0", "-", &[]),
            (
                "a multi-word token is found by its surface text",
                "1-2 ráda\n1 rád X _ 0\n2 a X _ 1",
                "f",
                &["ráda"],
            ),
            (
                "its sub-words are not",
                "1-2 rádaa\n1 ráda X _ 0\n2 a X _ 1",
                "-",
                &[],
            ),
        ],
    );
}

const SIBLINGS: &[Case<'static>] = &[
    (
        "masculine",
        "1 sam AUX _ 3\n2 bio AUX _ 3\n3 učitelj NOUN _ 0",
        "m",
        &["bio", "sam"],
    ),
    (
        "feminine",
        "1 Bila AUX _ 3\n2 sam AUX _ 3\n3 doma ADV _ 0",
        "f",
        &["Bila", "sam"],
    ),
    (
        "another head",
        "1 sam AUX _ 3\n2 bila AUX _ 1\n3 doma ADV _ 0",
        "-",
        &[],
    ),
    ("no such word", "1 bila AUX _ 2\n2 doma ADV _ 0", "-", &[]),
    (
        "only the first sam",
        "1 sam AUX _ 0\n2 sam AUX _ 4\n3 bila AUX _ 4\n4 doma ADV _ 1",
        "-",
        &[],
    ),
    (
        "only the first bila",
        "1 bila AUX _ 0\n2 sam AUX _ 4\n3 bila AUX _ 4\n4 doma ADV _ 1",
        "-",
        &[],
    ),
    (
        "masculine where the first feminine one has another head",
        "1 bila AUX _ 0\n2 sam AUX _ 4\n3 bio AUX _ 4\n4 doma ADV _ 1",
        "m",
        &["bio", "sam"],
    ),
    (
        "feminine before masculine",
        "1 bio AUX _ 4\n2 sam AUX _ 4\n3 bila AUX _ 4\n4 doma ADV _ 0",
        "f",
        &["bila", "sam"],
    ),
    (
        "multi-word tokens have no head in common",
        "1-2 sam\n1 sa X _ 5\n2 m X _ 5\n3-4 bila\n3 bil X _ 5\n4 a X _ 5\n5 doma ADV _ 0",
        "-",
        &[],
    ),
];

#[test]
fn sib_compares_first_occurrences_only() {
    check("hr", "SIB(sam, bio, bila)", SIBLINGS);
    check("sr-Latn", "SIB(sam, bio, bila)", SIBLINGS);
}

#[test]
fn sib_m_tests_the_masculine_word_first() {
    check(
        "uk",
        "SIBm(я, був, була)",
        &[
            (
                "both",
                "1 я PRON _ 4\n2 була AUX _ 4\n3 був AUX _ 4\n4 вдома ADV _ 0",
                "m",
                &["був", "я"],
            ),
            (
                "feminine",
                "1 Я PRON _ 3\n2 була AUX _ 3\n3 вдома ADV _ 0",
                "f",
                &["була", "Я"],
            ),
            (
                "feminine where the first masculine one has another head",
                "1 був AUX _ 0\n2 я PRON _ 4\n3 була AUX _ 4\n4 вдома ADV _ 1",
                "f",
                &["була", "я"],
            ),
        ],
    );
}

#[test]
fn adv_wants_an_adverb_for_the_masculine_word_only() {
    check(
        "hr",
        "ADV(sam, sama)",
        &[
            ("adverb", "1 Sam ADV _ 2\n2 radim VERB _ 0", "m", &["Sam"]),
            ("auxiliary", "1 sam AUX _ 2\n2 radio VERB _ 0", "-", &[]),
            ("only the first", "1 sam AUX _ 2\n2 sam ADV _ 0", "-", &[]),
            (
                "feminine, any UPOS",
                "1 sama ADJ _ 2\n2 radim VERB _ 0",
                "f",
                &["sama"],
            ),
            (
                "feminine wins",
                "1 sam ADV _ 2\n2 sama X _ 0",
                "f",
                &["sama"],
            ),
        ],
    );
}
