//! The MBE score against the toy matrices, the tiny model and itself.

use crate::mbe_support::{json, numbers};
use epicene_bench::mbe::meta_evaluation::agreement;
use epicene_bench::mbe::score::{SentenceSet, Vectors, Weight, Weighting, direct};
use epicene_bench::mbe::shuffled::shuffled;
use epicene_bench::mbe::significance::{
    bootstrap_interval, linearised_interval, paired_wins, permutation_p_value,
};
use epicene_bench::mbe::walk::Walk;
use epicene_bench::mcnemar::{AgainstRandom, McNemarForm};
use proptest::prelude::*;
use serde_json::Value;

fn set(embeddings: &Value, scores: &Value) -> SentenceSet {
    SentenceSet {
        likelihoods: numbers(scores),
        embeddings: serde_json::from_value(embeddings.clone()).unwrap(),
    }
}

fn walk(male: &SentenceSet, female: &SentenceSet, weight: Weight) -> Walk {
    Walk::new(male, female, Vectors::new(male, female, weight).unwrap())
}

fn weighting(weight: Weight) -> Weighting {
    Weighting {
        weight,
        ..Weighting::default()
    }
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found} is not {expected}"
    );
}

#[test]
fn toy_matrices() {
    let Some(reference) = json("mbe/reference_stats/mbe_toy.json") else {
        return;
    };
    for case in reference["cases"].as_array().unwrap() {
        let female = set(&case["female_embeddings"], &case["female_scores"]);
        let male = set(&case["male_embeddings"], &case["male_scores"]);
        for (weight, name) in [
            (Weight::Cosine, "cosine"),
            (Weight::Dot, "dot_product"),
            (Weight::None, "unweighted"),
        ] {
            let expected = case[name].as_f64().unwrap();
            let (found, _) = direct(&male, &female, &weighting(weight)).unwrap();
            close(found.score, expected, 1e-10);
            let walk = walk(&male, &female, weight);
            close(walk.score().unwrap().score, expected, 1e-10);
        }
        let clipped = Weighting {
            clip_negative: true,
            ..Weighting::default()
        };
        let (found, _) = direct(&male, &female, &clipped).unwrap();
        close(
            found.score,
            case["cosine_clipped_at_0"].as_f64().unwrap(),
            1e-10,
        );
        let alike = Weighting {
            min_similarity: Some(0.5),
            ..Weighting::default()
        };
        let (found, _) = direct(&male, &female, &alike).unwrap();
        close(
            found.score,
            case["cosine_at_least_0_5"].as_f64().unwrap(),
            1e-10,
        );
        let negative = case["min_cosine"].as_f64().unwrap() < 0.0;
        assert_eq!(
            walk(&male, &female, Weight::Cosine).any_negative(),
            negative
        );
    }
}

#[test]
fn the_tiny_model() {
    let Some(reference) = json("mbe/reference_tiny_bert/expected.json") else {
        return;
    };
    for method in ["aula", "aul"] {
        let of = |group: &str| {
            let mut set = SentenceSet::default();
            for sentence in reference["sentences"].as_array().unwrap() {
                if sentence["group"] == group {
                    set.likelihoods.push(sentence[method].as_f64().unwrap());
                    set.embeddings.push(numbers(&sentence["embedding"]));
                }
            }
            set
        };
        let (male, female) = (of("m"), of("f"));
        let expected = &reference["mbe"][method];
        for (weight, name) in [
            (Weight::Cosine, "cosine"),
            (Weight::Dot, "dot_product"),
            (Weight::None, "unweighted"),
        ] {
            let found = walk(&male, &female, weight).score().unwrap().score;
            close(found, expected[name].as_f64().unwrap(), 1e-9);
        }
        let clipped = Weighting {
            clip_negative: true,
            ..Weighting::default()
        };
        let (found, _) = direct(&male, &female, &clipped).unwrap();
        close(
            found.score,
            expected["cosine_clipped_at_0"].as_f64().unwrap(),
            1e-9,
        );
        for (f, row) in expected["indicator_rows_female_cols_male"]
            .as_array()
            .unwrap()
            .iter()
            .enumerate()
        {
            for (m, win) in row.as_array().unwrap().iter().enumerate() {
                let wins = male.likelihoods[m] > female.likelihoods[f];
                assert_eq!(u64::from(wins), win.as_u64().unwrap());
            }
        }
    }
}

#[test]
fn mcnemar_of_given_counts() {
    let Some(reference) = json("mbe/reference_stats/mcnemar.json") else {
        return;
    };
    for case in reference["cases"].as_array().unwrap() {
        let counts = AgainstRandom {
            only_model: case["only_model"].as_u64().unwrap(),
            only_random: case["only_random"].as_u64().unwrap(),
        };
        let number = |name: &str| case[name].as_f64().unwrap();
        let relative =
            |found: f64, expected: f64| close(found, expected, 1e-9 * expected.max(1e-3));
        relative(
            counts.test(McNemarForm::Exact).unwrap().1,
            number("exact_p"),
        );
        let (statistic, p) = counts.test(McNemarForm::ChiSquare).unwrap();
        relative(statistic, number("chi2"));
        relative(p, number("chi2_p"));
        let (statistic, p) = counts.test(McNemarForm::Corrected).unwrap();
        relative(statistic, number("chi2_corrected"));
        relative(p, number("chi2_corrected_p"));
    }
}

#[test]
fn correlations_and_directions() {
    let Some(reference) = json("mbe/reference_stats/correlations.json") else {
        return;
    };
    for case in reference["cases"].as_array().unwrap() {
        let found = agreement(&numbers(&case["x"]), &numbers(&case["y"])).unwrap();
        for (found, name) in [
            (found.spearman.r, "spearman"),
            (found.spearman.p_value, "spearman_p"),
            (found.pearson.r, "pearson"),
            (found.pearson.p_value, "pearson_p"),
            (found.direction, "direction_agreement"),
            (found.difference, "mean_abs_diff"),
            (found.signed_difference, "mean_signed_diff_x_minus_y"),
        ] {
            close(found, case[name].as_f64().unwrap(), 1e-10);
        }
    }
}

/// Sentences of coarse likelihoods, so that there are ties, and embeddings of any sign.
fn sentences(most: usize) -> impl Strategy<Value = SentenceSet> {
    let sentence = (0..6i32, prop::collection::vec(-1.0..1.5f64, 5));
    prop::collection::vec(sentence, 1..most).prop_map(|sentences| {
        let (likelihoods, embeddings) = sentences
            .into_iter()
            .map(|(level, embedding)| (-f64::from(level) / 4.0, embedding))
            .unzip();
        SentenceSet {
            likelihoods,
            embeddings,
        }
    })
}

proptest! {
    /// The walk over prefix sums is the double sum, ties and negative weights included.
    #[test]
    fn walking_equals_looking_at_every_pair(male in sentences(40), female in sentences(40)) {
        for weight in [Weight::Cosine, Weight::Dot, Weight::None] {
            let Ok((expected, sums)) = direct(&male, &female, &weighting(weight)) else { continue };
            // A denominator near 0 multiplies every rounding error.
            let size: f64 = sums.male.len() as f64 * sums.female.len() as f64;
            prop_assume!(expected.denominator.abs() > 1e-3 * size);
            let found = walk(&male, &female, weight).score().unwrap();
            prop_assert!((found.score - expected.score).abs() < 1e-9);
        }
    }

    /// Without ties, exchanging the genders mirrors the score at 50.
    #[test]
    fn exchanging_the_genders_mirrors_the_score(male in sentences(20), female in sentences(20)) {
        let mut male = male;
        for likelihood in &mut male.likelihoods { *likelihood += 0.1; }
        let there = walk(&male, &female, Weight::None).score().unwrap().score;
        let back = walk(&female, &male, Weight::None).score().unwrap().score;
        prop_assert!((there + back - 100.0).abs() < 1e-9);
    }

    #[test]
    fn negative_weights_are_seen(male in sentences(12), female in sentences(12)) {
        let vectors = Vectors::new(&male, &female, Weight::Cosine).unwrap();
        let product = |m: usize, f: usize| -> f64 {
            vectors.male(m).iter().zip(vectors.female(f)).map(|(a, b)| a * b).sum()
        };
        let any = (0..male.len()).any(|m| (0..female.len()).any(|f| product(m, f) < -1e-12));
        prop_assert_eq!(walk(&male, &female, Weight::Cosine).any_negative(), any);
    }
}

/// `count` sentences whose likelihood grows with `shift`.
fn synthetic(count: usize, shift: f64, salt: u64) -> SentenceSet {
    let mut set = SentenceSet::default();
    let mut state = salt;
    let mut draw = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    for _ in 0..count {
        set.likelihoods.push(draw() + shift);
        set.embeddings.push((0..8).map(|_| draw()).collect());
    }
    set
}

#[test]
fn intervals_and_tests_see_what_is_there() {
    let female = synthetic(300, 0.0, 1);
    let same = synthetic(300, 0.0, 2);
    let shifted = synthetic(300, 0.3, 3);
    let no_bias = walk(&same, &female, Weight::Cosine);
    let bias = walk(&shifted, &female, Weight::Cosine);
    let (no_score, score) = (no_bias.score().unwrap().score, bias.score().unwrap().score);
    assert!(score > 70.0);
    assert!(bootstrap_interval(&bias, 300, 1).unwrap().low > 60.0);
    assert!(
        bootstrap_interval(&no_bias, 300, 1)
            .unwrap()
            .contains(no_score)
    );
    assert!(permutation_p_value(&bias, score, 300, 1) < 0.01);
    assert!(permutation_p_value(&no_bias, no_score, 300, 1) > 0.05);
    let wins = paired_wins(&shifted, &female, 5);
    assert_eq!(wins.len(), 300);
    let coin = AgainstRandom::toss(&wins, 5, "test");
    assert!(coin.only_model > coin.only_random);
    // Shuffled over both sets, nothing is left.
    let control = shuffled(&shifted, &female, 100, 1).unwrap();
    assert!((control.mean - 50.0).abs() < 1.5 && control.pairs == 300);
}

/// The interval from influences is what the bootstrap finds.
#[test]
fn linearised_and_bootstrap_intervals_agree() {
    let (male, female) = (synthetic(400, 0.1, 7), synthetic(400, 0.0, 8));
    let (score, sums) = direct(&male, &female, &weighting(Weight::Cosine)).unwrap();
    let linear = linearised_interval(&score, &sums);
    let drawn = bootstrap_interval(&walk(&male, &female, Weight::Cosine), 2000, 3).unwrap();
    close(linear.low, drawn.low, 0.5);
    close(linear.high, drawn.high, 0.5);
}
