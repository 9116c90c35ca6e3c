//! Attention and the choice of tokens on the device against their twins on CPU. Skipped, with a line that says so,
//! without a GPU.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use super::attending::{Asking, Scores};
use super::batch::DeviceBatch;
use super::device::Argument;
use super::operations::Listed;
use super::tests::{back, close, integers, numbers, operations, tensor};
use epicene_kernels::{
    self as cpu, AttentionMask, AttentionShape, Matrix, Queries, Seen, Workspace,
};

#[test]
fn attention_equals_the_processors() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    // Short sentences, one longer than a tile, and one for the kernel of long sentences.
    for lengths in [vec![1, 7, 33, 20], vec![5, 600]] {
        for (causal, reach, soft_cap) in [
            (false, None, None),
            (true, None, Some(5.0)),
            (false, Some(4), None),
            (true, Some(9), None),
        ] {
            let (heads, key_heads, size) = (4, 2, 32);
            let how = AttentionShape {
                key_heads,
                scale: 0.3,
                soft_cap,
                ..AttentionShape::new(heads, size, AttentionMask { causal, reach })
            };
            let mut starts = vec![0];
            let mut positions = Vec::new();
            for length in &lengths {
                starts.push(starts[starts.len() - 1] + length);
                positions.extend(0..*length);
            }
            let tokens = positions.len();
            let all = Queries {
                positions: positions.clone(),
                starts: starts.clone(),
            };
            let (queries, keys_values) = (
                numbers(tokens * heads * size, 15),
                numbers(tokens * 2 * key_heads * size, 16),
            );
            let matrix = |data: &[f32], columns| Matrix {
                data: data.to_vec(),
                rows: tokens,
                columns,
            };
            let mut received = vec![0.0; tokens];
            let expected = cpu::attend(
                &mut Workspace::default(),
                &how,
                None,
                &matrix(&queries, heads * size),
                &Seen::packed(&matrix(&keys_values, 2 * key_heads * size), &starts),
                &all,
                Some(&mut received),
            );
            let int = |values: &[usize]| {
                integers(
                    device,
                    &values.iter().map(|v| *v as i32).collect::<Vec<_>>(),
                )
            };
            let (starts_on_gpu, positions_on_gpu) = (int(&starts), int(&positions));
            let asked = Asking {
                starts: (&starts_on_gpu).into(),
                positions: (&positions_on_gpu).into(),
            };
            let batch = DeviceBatch {
                ids: asked.positions,
                positions: asked.positions,
                starts: asked.starts,
                read_rows: asked.starts,
                read_starts: asked.starts,
                read_positions: asked.positions,
                tokens,
                sentences: lengths.len(),
                reads: 0,
                longest: *lengths.iter().max().unwrap(),
                highest_id: 0,
            };
            let by_head = device.zeros(4 * heads * tokens).unwrap();
            let out = ops
                .attend(
                    &how,
                    &Scores::default(),
                    &tensor(device, &queries, heads * size),
                    &tensor(device, &keys_values, 2 * key_heads * size),
                    [Argument::Pointer(0); 3],
                    &batch,
                    &asked,
                    Some(&by_head),
                )
                .unwrap();
            close(&back(device, &out), &expected.data, "attention");
            let sums = device.zeros(8 * tokens).unwrap();
            ops.sum_heads(&by_head, heads, tokens, &sums).unwrap();
            let found: Vec<f64> = device.download(&sums, tokens).unwrap();
            for (a, b) in found.iter().zip(&received) {
                assert!((a - b).abs() < 1e-4, "received {a} and {b}");
            }
        }
    }
}

#[test]
fn listed_attention_equals_the_processors() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let (heads, size, slots) = (3, 16, 50);
    let width = heads * size;
    let queries = numbers(2 * 3 * width, 21);
    let pool = numbers(slots * 2 * width, 22);
    let lists: [Vec<u32>; 2] = [vec![7, 3, 49, 0, 12], (0..40).collect()];
    let mut expected = Vec::new();
    for (row, list) in lists.iter().enumerate() {
        let mut mixed = vec![0.0; width];
        let mut weights = vec![0.0; heads * list.len()];
        cpu::attend_rows(
            &queries[row * 3 * width..row * 3 * width + width],
            size,
            0.25,
            &pool,
            list,
            &mut weights,
            &mut mixed,
        );
        expected.extend(mixed);
    }
    // The values of the last two rows are put into the pool by the device itself.
    let rows = tensor(device, &queries, 3 * width);
    let on_gpu = device.upload(&pool).unwrap();
    let list: Vec<i32> = lists.iter().flatten().map(|slot| *slot as i32).collect();
    let (firsts, lengths) = (integers(device, &[0, 5]), integers(device, &[5, 40]));
    let list = integers(device, &list);
    let how = AttentionShape {
        scale: 0.25,
        ..AttentionShape::new(heads, size, AttentionMask::CAUSAL)
    };
    let listed = Listed {
        firsts: (&firsts).into(),
        lengths: (&lengths).into(),
        list: (&list).into(),
    };
    let out = ops
        .attend_listed(&how, &Scores::default(), &rows, &on_gpu, listed)
        .unwrap();
    close(&back(device, &out), &expected, "listed attention");
    let to = integers(device, &[9, 41]);
    ops.scatter(&rows, width, (&to).into(), 2 * width, &on_gpu)
        .unwrap();
    let found: Vec<f32> = device.download(&on_gpu, slots * 2 * width).unwrap();
    assert_eq!(
        found[9 * 2 * width..10 * 2 * width],
        queries[width..3 * width]
    );
    assert_eq!(
        found[41 * 2 * width..42 * 2 * width],
        queries[4 * width..6 * width]
    );
}

/// Forbidden and penalised tokens, ties, several kernels: the best tokens as the CPU finds them.
#[test]
fn best_tokens_equal_those_found_here() {
    use super::best::{Choosing, Vocabulary};
    use epicene_transformer::Rules;
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let (rows, width, size) = (5, 16, 3001);
    let hidden = numbers(rows * width, 31);
    let decoder = numbers(size * width, 32);
    let bias = numbers(size, 33);
    let on_gpu = tensor(device, &hidden, width);
    let decoder_on_gpu = device.upload(&decoder).unwrap();
    let bias_on_gpu = device.upload(&bias).unwrap();
    let mut logits = vec![vec![0f32; size]; rows];
    for (row, logits) in logits.iter_mut().enumerate() {
        for (token, logit) in logits.iter_mut().enumerate() {
            let pairs = hidden[row * width..].iter().zip(&decoder[token * width..]);
            let product: f32 = pairs.take(width).map(|(a, b)| a * b).sum();
            *logit = product * 0.5 + bias[token];
        }
    }
    let best_of = |logits: &[f32]| {
        let mut order: Vec<u32> = (0..size as u32).collect();
        order.sort_by(|a, b| {
            logits[*b as usize]
                .total_cmp(&logits[*a as usize])
                .then(a.cmp(b))
        });
        order
    };
    let rules: Vec<Rules> = logits
        .iter()
        .enumerate()
        .map(|(row, logits)| {
            let best = best_of(logits);
            let mut rules = Rules {
                forbidden: best[..row].to_vec(),
                penalised: vec![best[row], best[row + 2], 7],
            };
            rules.forbidden.sort_unstable();
            rules.penalised.sort_unstable();
            rules.penalised.dedup();
            rules
        })
        .collect();
    for wanted in [1, 10, 40] {
        let choosing = Choosing {
            rules: &rules,
            wanted,
            repetition_penalty: 1.5,
            greedy: wanted == 1,
            renormalize: false,
            pairs: &[(0, 5), (3, 9)],
        };
        let vocabulary = Vocabulary {
            rows: &decoder_on_gpu,
            size,
            columns: width,
            bias: Some(&bias_on_gpu),
            factor: 0.5,
            soft_cap: None,
        };
        let found = ops
            .best(&on_gpu, vocabulary, choosing)
            .unwrap()
            .wait()
            .unwrap();
        for (row, logits) in logits.iter().enumerate() {
            let sum: f64 = logits.iter().map(|logit| f64::from(*logit).exp()).sum();
            let normaliser = sum.ln() as f32;
            let mut scores = logits.clone();
            for token in &rules[row].penalised {
                let shift = if wanted == 1 { 0.0 } else { normaliser };
                let score = scores[*token as usize] - shift;
                let score = if score < 0.0 {
                    score * 1.5
                } else {
                    score / 1.5
                };
                scores[*token as usize] = score + shift;
            }
            for token in &rules[row].forbidden {
                scores[*token as usize] = f32::NEG_INFINITY;
            }
            let expected = &best_of(&scores)[..wanted];
            let tokens: Vec<u32> = found.tokens[row].iter().map(|(token, _)| *token).collect();
            assert_eq!(tokens, expected, "row {row}, {wanted} wanted");
            for (token, value) in &found.tokens[row] {
                assert!((value - (scores[*token as usize] - normaliser)).abs() < 1e-4);
            }
        }
        for (pair, (row, token)) in found.pairs.iter().zip([(0, 5), (3, 9)]) {
            let sum: f64 = logits[row]
                .iter()
                .map(|logit| f64::from(*logit).exp())
                .sum();
            assert!((pair - (f64::from(logits[row][token]) - sum.ln())).abs() < 1e-4);
        }
    }
}
