//! Gemma 3n's kernels against sums by hand. Skipped, with a line that says so, without a GPU.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::sync::Arc;

use super::copies::Copies;
use super::device::Device;
use super::operations::Tensor;
use super::tests::{back, close, integers, numbers, operations, tensor};
use super::weights::DeviceLinear;
use epicene_kernels as cpu;
use epicene_transformer::cut_off;

fn linear(device: &Device, weight: &[f32], inputs: usize) -> DeviceLinear {
    DeviceLinear {
        weight: Arc::new(device.upload(weight).unwrap()),
        bias: None,
        outputs: weight.len() / inputs,
        inputs,
    }
}

/// Each row through a map.
fn mapped(rows: &[f32], weight: &[f32], inputs: usize) -> Vec<f32> {
    let outputs = |row| {
        weight
            .chunks_exact(inputs)
            .map(move |out| cpu::dot(row, out))
    };
    rows.chunks_exact(inputs).flat_map(outputs).collect()
}

/// Each row with the magnitude of another, which very small ones do not reach.
fn levelled(rows: &[f32], like: &[f32], width: usize) -> Vec<f32> {
    let magnitude = |row: &[f32]| (cpu::dot(row, row) / width as f32).sqrt();
    let pairs = rows.chunks_exact(width).zip(like.chunks_exact(width));
    pairs
        .flat_map(|(row, like)| {
            let factor = magnitude(like) / magnitude(row).max(1e-5f32.sqrt());
            row.iter().map(move |value| value * factor)
        })
        .collect()
}

/// The rows of several tensors side by side.
fn beside(copies: &[Vec<f32>], width: usize) -> Vec<f32> {
    let rows = copies[0].len() / width;
    let of_row = |row: usize| {
        let parts = copies.iter();
        parts.flat_map(move |copy| copy[row * width..(row + 1) * width].to_vec())
    };
    (0..rows).flat_map(of_row).collect()
}

#[test]
fn copies_have_the_firsts_magnitude_and_are_collected_as_their_mean() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let rows = 3;
    for width in [24, 300] {
        let embedded = numbers(rows * width, 30);
        let faint: Vec<f32> = numbers(width * width, 32)
            .iter()
            .map(|value| value * 1e-6)
            .collect();
        let weights = [numbers(width * width, 31), faint];
        let maps = weights
            .each_ref()
            .map(|weight| linear(device, weight, width));
        let mut expected = vec![embedded.clone()];
        for weight in &weights {
            let made = mapped(&embedded, weight, width);
            expected.push(levelled(&made, &embedded, width));
        }
        let on_gpu = tensor(device, &embedded, width);
        let narrow = ops.narrow(&on_gpu).unwrap();
        for active in [0, 2] {
            let (copies, chosen) = Copies::of(&ops, &on_gpu, &narrow, &maps, active).unwrap();
            close(&back(device, &chosen), &expected[active], "the active copy");
            let all = beside(&expected, width);
            close(&back(device, &copies.rows), &all, "all copies");
            let mut sum = embedded.clone();
            for (copy, weight) in expected[1..].iter().zip(&weights) {
                let made = levelled(&mapped(copy, weight, width), &embedded, width);
                cpu::add(&mut sum, &made);
            }
            cpu::scale(&mut sum, 1.0 / 3.0);
            let mean = copies.mean(&maps).unwrap();
            close(&back(device, &mean), &sum, "their mean");
        }
    }
}

#[test]
fn copies_are_predicted_corrected_and_added_to() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let (rows, count) = (5, 3);
    for width in [8, 300] {
        let copies: Vec<Vec<f32>> = (0..count)
            .map(|copy| numbers(rows * width, 40 + copy as u32))
            .collect();
        let routed: Vec<f32> = numbers(rows * count, 50)
            .iter()
            .map(|value| value * width as f32)
            .collect();
        let shares: Vec<f32> = routed
            .iter()
            .map(|value| (value / width as f32).tanh())
            .collect();
        let (pairs, parts) = (
            numbers(count * count * count, 51),
            numbers(count * count, 52),
        );
        let (changed, added) = (numbers(rows * width, 53), numbers(rows * width, 54));
        let weight = numbers(width, 55);
        for (active, weight) in [(0, None), (1, Some(&weight))] {
            let on_gpu = Copies {
                operations: &ops,
                rows: tensor(device, &beside(&copies, width), count * width),
                count,
                active,
            };
            let stream = tensor(device, &changed, width);
            let routed_on_gpu = tensor(device, &routed, count);
            let is = |expected: &[Vec<f32>], what: &str| {
                close(&back(device, &on_gpu.rows), &beside(expected, width), what);
            };

            let given = mapped(&shares, &pairs, count);
            let mut expected = copies.clone();
            for (to, copy) in expected.iter_mut().enumerate() {
                for (place, value) in copy.iter_mut().enumerate() {
                    for (from, other) in copies.iter().enumerate() {
                        let pair = place / width * count * count + to * count + from;
                        *value += given[pair] * other[place];
                    }
                }
            }
            let map = linear(device, &pairs, count);
            on_gpu.predict(&routed_on_gpu, &map, &stream).unwrap();
            is(&expected, "predicted");
            close(&back(device, &stream), &expected[active], "the active one");

            let stream = tensor(device, &changed, width);
            let taken = mapped(&shares, &parts, count);
            let before = expected[active].clone();
            for (to, copy) in expected.iter_mut().enumerate() {
                for (place, value) in copy.iter_mut().enumerate() {
                    let part = 1.0 + taken[place / width * count + to];
                    *value += part * (changed[place] - before[place]);
                }
            }
            let map = linear(device, &parts, count);
            let weight_on_gpu = weight.map(|weight| device.upload(weight).unwrap());
            let source = on_gpu
                .correct(&routed_on_gpu, &map, &stream, weight_on_gpu.as_ref())
                .unwrap();
            is(&expected, "corrected");
            let mut weighed = expected[active].clone();
            if let Some(weight) = weight {
                for row in weighed.chunks_exact_mut(width) {
                    cpu::multiply(row, weight);
                }
            }
            close(&back(device, &source), &weighed, "weighed");

            for copy in &mut expected[1..] {
                cpu::add(copy, &added);
            }
            on_gpu.add(&tensor(device, &added, width), &stream).unwrap();
            is(&expected, "added to");
            close(&back(device, &stream), &expected[active], "the active one");
        }
    }
}

#[test]
fn rows_are_joined_multiplied_and_cut_off() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let (rows, width) = (4, 20);
    let parts = [60, 61, 62, 63].map(|seed| numbers(rows * width, seed));
    let on_gpu: Vec<Tensor> = parts
        .iter()
        .map(|part| tensor(device, part, width))
        .collect();
    ops.join(&on_gpu[0], [&on_gpu[1], &on_gpu[2], &on_gpu[3]], 0.7)
        .unwrap();
    let expected: Vec<f32> = (0..rows * width)
        .map(|place| parts.iter().map(|part| part[place]).sum::<f32>() * 0.7)
        .collect();
    close(&back(device, &on_gpu[0]), &expected, "joined");

    // Columns in the middle of wider rows.
    let (bias, wide, stride, first) = (numbers(width, 64), numbers(rows * 36, 65), 36, 8);
    let bias_on_gpu = device.upload(&bias).unwrap();
    let with = tensor(device, &wide, stride);
    ops.multiply(&on_gpu[1], Some(&bias_on_gpu), &with, first)
        .unwrap();
    let expected: Vec<f32> = (0..rows * width)
        .map(|place| {
            let (row, column) = (place / width, place % width);
            (parts[1][place] + bias[column]) * wide[row * stride + first + column]
        })
        .collect();
    close(&back(device, &on_gpu[1]), &expected, "multiplied");

    for (width, deviations) in [(12, 0.8), (700, -0.3)] {
        let mut expected = numbers(rows * 2 * width, 66);
        let on_gpu = tensor(device, &expected, 2 * width);
        for row in expected.chunks_exact_mut(2 * width) {
            cut_off(&mut row[..width], deviations);
        }
        ops.cut_off(&on_gpu, width, deviations).unwrap();
        close(&back(device, &on_gpu), &expected, "cut off");
    }
}

/// Value norms: heads behind those of the keys, which are left alone.
#[test]
fn heads_in_the_middle_of_rows_are_normed() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let (rows, heads, size, first) = (3, 2, 8, 16);
    let stride = first + heads * size + 4;
    let norm = cpu::Norm::RootMeanSquare {
        weight: numbers(size, 70),
        epsilon: 1e-6,
    };
    let mut expected = numbers(rows * stride, 71);
    let on_gpu = tensor(device, &expected, stride);
    for row in expected.chunks_exact_mut(stride) {
        norm.apply_to(&mut row[first..first + heads * size]);
    }
    let norm = super::weights::DeviceNorm::new(device, &norm).unwrap();
    let at = integers(device, &[0, 1, 2]);
    let positions = (&at).into();
    ops.rotate(
        &on_gpu,
        first,
        None,
        heads,
        size,
        Some(&norm),
        None,
        positions,
    )
    .unwrap();
    close(&back(device, &on_gpu), &expected, "normed");
}
