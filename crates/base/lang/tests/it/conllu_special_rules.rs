//! The rules made for one language (GEST, arXiv 2311.18711; rules of section 4): Belarusian GLUED,
//! Polish MWT1, GDYBYM and CZUJE. The example sentences are ours.

use crate::conllu_support::{check, gender, rules, sentence};
use epicene_lang::conllu::judge;

#[test]
fn glued_reads_a_token_that_swallowed_the_pronoun() {
    check(
        "be",
        "GLUED",
        &[
            (
                "glued",
                "1 Я·стамілася VERB Gender=Fem 0",
                "f",
                &["Я стамілася"],
            ),
            (
                "the first that has a gender",
                "1 я·тут ADV _ 0\n2 я·было VERB Gender=Neut 1\n3 я·прыйшоў VERB Gender=Masc 1\n\
                 4 я·прыйшла VERB Gender=Fem 1",
                "m",
                &["я прыйшоў"],
            ),
            (
                "not glued",
                "1 я PRON Gender=Fem 2\n2 стамілася VERB Gender=Fem 0",
                "-",
                &[],
            ),
            ("no blank", "1 яна PRON Gender=Fem 0", "-", &[]),
            (
                "elsewhere in the token",
                "1 і·я·была VERB Gender=Fem 0",
                "-",
                &[],
            ),
        ],
    );
}

#[test]
fn mwt1_reads_the_participle_of_the_first_such_token() {
    check(
        "pl",
        "MWT1",
        &[
            (
                "past",
                "1-2 Zrobiłem\n1 Zrobił VERB Gender=Masc 0\n2 em AUX Person=1 1\n3 to PRON _ 1",
                "m",
                &["Zrobiłem"],
            ),
            (
                "conditional: the last sub-word has the person",
                "1-3 chciałabym\n1 chciała VERB Gender=Fem 0\n2 by AUX _ 1\n3 m AUX Person=1 1",
                "f",
                &["chciałabym"],
            ),
            (
                "second person",
                "1-2 zrobiłeś\n1 zrobił VERB Gender=Masc 0\n2 eś AUX Person=2 1",
                "-",
                &[],
            ),
            (
                "the first one alone decides",
                "1-2 byłem\n1 był VERB Gender=Masc 0\n2 em AUX Person=1 1\n\
                 3-4 byłam\n3 była VERB Gender=Fem 1\n4 m AUX Person=1 3",
                "m",
                &["byłem"],
            ),
            (
                "a neuter one stops the rule",
                "1-2 byłom\n1 było VERB Gender=Neut 0\n2 m AUX Person=1 1\n\
                 3-4 byłam\n3 była VERB Gender=Fem 1\n4 m AUX Person=1 3",
                "-",
                &[],
            ),
            (
                "one without gender does not",
                "1-2 gdybym\n1 gdyby SCONJ _ 3\n2 m AUX Person=1 3\n\
                 3-4 byłam\n3 była VERB Gender=Fem 0\n4 m AUX Person=1 3",
                "f",
                &["byłam"],
            ),
            (
                "an ordinary token is none",
                "1 byłam VERB Gender=Fem|Person=1 0",
                "-",
                &[],
            ),
        ],
    );
}

#[test]
fn a_neuter_mwt1_leaves_the_other_rules_alone() {
    let verdict = judge(
        &sentence(
            "1-2 Byłom\n1 Było VERB Gender=Neut 0\n2 m AUX Person=1 1\n3 sama ADJ Gender=Fem 1",
        ),
        &rules("pl"),
    );
    assert_eq!(verdict.gender(), gender("f"));
    assert_eq!(verdict.rule, "PAIR(sam, sama)");
}

#[test]
fn gdybym_reads_the_head_of_its_conjunction() {
    check(
        "pl",
        "GDYBYM",
        &[
            (
                "any UPOS",
                "1-2 Gdybym\n1 Gdyby SCONJ _ 3\n2 m AUX Person=1 3\n3 lekarką NOUN Gender=Fem 0",
                "f",
                &["lekarką", "Gdybym"],
            ),
            (
                "the next one is tried",
                "1-2 gdybym\n1 gdyby SCONJ _ 3\n2 m AUX Person=1 3\n3 dziecko NOUN Gender=Neut 0\n\
                 4-5 gdybym\n4 gdyby SCONJ _ 6\n5 m AUX Person=1 6\n6 był VERB Gender=Masc 3",
                "m",
                &["był", "gdybym"],
            ),
            (
                "a head inside a multi-word token",
                "1-2 gdybym\n1 gdyby SCONJ _ 3\n2 m AUX _ 3\n\
                 3-4 byłam\n3 była VERB Gender=Fem 0\n4 m AUX Person=1 3",
                "-",
                &[],
            ),
            (
                "not a multi-word token",
                "1 gdybym SCONJ _ 2\n2 była VERB Gender=Fem 0",
                "-",
                &[],
            ),
        ],
    );
}

#[test]
fn czuje_reads_an_auxiliary_or_adjective_below_the_verb() {
    check(
        "pl",
        "CZUJE",
        &[
            (
                "adjective",
                "1 Czuję VERB Person=1 0\n2 się PRON _ 1\n3 zmęczona ADJ Gender=Fem 1",
                "f",
                &["zmęczona", "Czuję"],
            ),
            (
                "a noun does not count",
                "1 czuję VERB Person=1 0\n2 radość NOUN Gender=Fem 1\n3 zmęczony ADJ Gender=Masc 1",
                "m",
                &["zmęczony", "czuję"],
            ),
            (
                "one without a gender is passed over",
                "1 czuję VERB Person=1 0\n2 x ADJ _ 1\n3 y ADJ Gender=Neut 1\n4 ł AUX Gender=Masc 1",
                "m",
                &["ł", "czuję"],
            ),
            (
                "only below the first",
                "1 czuję VERB Person=1 0\n2 czuję VERB Person=1 1\n3 sama ADJ Gender=Fem 2",
                "-",
                &[],
            ),
        ],
    );
}
