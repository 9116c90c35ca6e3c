//! Every kernel against its twin on CPU. Skipped, with a line that says so, without a GPU.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::device::Device;
use super::operations::{Keep, Operations, Tensor};
use super::product::{Lines, Product};
use super::weights::DeviceNorm;
use super::{CudaError, Dtype};
use epicene_kernels::{self as cpu, Activation, Curve, Matrix, Norm, Precision, Rotary};

pub(super) fn operations() -> Option<Operations> {
    match Device::open(0, Dtype::F32) {
        Ok(device) => Some(Operations::new(device).unwrap()),
        Err(
            error @ (CudaError::NoDriver | CudaError::NoDevice { .. } | CudaError::NoLibrary(_)),
        ) => {
            println!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Numbers between -2 and 2 that look random.
pub(super) fn numbers(count: usize, seed: u32) -> Vec<f32> {
    let mut state = u64::from(seed) + 1;
    (0..count)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f32 / (1u64 << 22) as f32 - 2.0
        })
        .collect()
}

pub(super) fn tensor(device: &Device, values: &[f32], columns: usize) -> Tensor {
    Tensor {
        buffer: device.upload(values).unwrap(),
        rows: values.len() / columns,
        columns,
    }
}

pub(super) fn back(device: &Device, tensor: &Tensor) -> Vec<f32> {
    device
        .download(&tensor.buffer, tensor.rows * tensor.columns)
        .unwrap()
}

pub(super) fn integers(device: &Arc<Device>, values: &[i32]) -> super::device::Buffer {
    device.upload(values).unwrap()
}

pub(super) fn close(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (a, b)) in found.iter().zip(expected).enumerate() {
        let bound = 2e-5 * b.abs().max(1.0);
        assert!((a - b).abs() <= bound, "{what} [{place}]: {a} and {b}");
    }
}

#[test]
fn the_carried_program_was_made_from_the_source_beside_it() {
    let source = [
        include_str!("kernels.cu"),
        include_str!("kernels/attend.cuh"),
        include_str!("kernels/best.cuh"),
        include_str!("kernels/copies.cuh"),
        include_str!("kernels/experts.cuh"),
        include_str!("kernels/grouped.cuh"),
        include_str!("kernels/listed.cuh"),
        include_str!("kernels/logits.cuh"),
        include_str!("kernels/numbers.cuh"),
        include_str!("kernels/rows.cuh"),
        include_str!("kernels/spans.cuh"),
    ];
    let digest: String = Sha256::digest(source.concat())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert_eq!(
        digest,
        include_str!("kernels.sha256").trim(),
        "run tools/cuda/build.sh"
    );
    assert!(super::device::kernels() == include_str!("kernels.ptx"));
}

#[test]
fn embed_adds_scale_position_and_constant() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let (width, table) = (12, numbers(12 * 20, 1));
    let (positions, constant) = (numbers(12 * 8, 2), numbers(12, 3));
    let (ids, at) = ([3usize, 19, 0, 7], [0usize, 1, 2, 7]);
    let int = |values: &[usize]| {
        integers(
            device,
            &values.iter().map(|v| *v as i32).collect::<Vec<_>>(),
        )
    };
    let (ids_on_gpu, at_on_gpu) = (int(&ids), int(&at));
    let (table_on_gpu, positions_on_gpu, constant_on_gpu) = (
        device.upload(&table).unwrap(),
        device.upload(&positions).unwrap(),
        device.upload(&constant).unwrap(),
    );
    let out = ops
        .embed(
            &table_on_gpu,
            (&ids_on_gpu).into(),
            (&at_on_gpu).into(),
            Some(&positions_on_gpu),
            Some(&constant_on_gpu),
            1.5,
            4,
            width,
        )
        .unwrap();
    let mut expected = Vec::new();
    for (id, position) in ids.iter().zip(&at) {
        for i in 0..width {
            expected
                .push(table[id * width + i] * 1.5 + positions[position * width + i] + constant[i]);
        }
    }
    close(&back(device, &out), &expected, "embed");
}

#[test]
fn add_norm_sums_and_norms_as_the_processor_does() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    for width in [4, 64, 1000, 4096] {
        let rows = 3;
        let (residual, first, second, bias) = (
            numbers(rows * width, 4),
            numbers(rows * width, 5),
            numbers(rows * width, 6),
            numbers(width, 7),
        );
        let sum: Vec<f32> = (0..rows * width)
            .map(|i| residual[i] + first[i] + bias[i % width] + second[i])
            .collect();
        for norm in [
            Norm::Layer {
                weight: numbers(width, 8),
                bias: numbers(width, 9),
                epsilon: 1e-5,
            },
            Norm::RootMeanSquare {
                weight: numbers(width, 8),
                epsilon: 1e-6,
            },
        ] {
            let mut normed = sum.clone();
            norm.apply_to(&mut normed);
            let norm = DeviceNorm::new(device, &norm).unwrap();
            for (keep, kept) in [
                (Keep::Nothing, &residual),
                (Keep::Sum, &sum),
                (Keep::Normed, &normed),
            ] {
                let stream = tensor(device, &residual, width);
                let (a, b) = (
                    tensor(device, &first, width),
                    tensor(device, &second, width),
                );
                let bias = device.upload(&bias).unwrap();
                let out = ops.tensor(rows, width).unwrap();
                let added = [(&a, Some(&bias)), (&b, None)];
                ops.add_norm(Some(&stream), &added, Some(&norm), keep, Some(&out))
                    .unwrap();
                close(&back(device, &out), &normed, "normed");
                close(&back(device, &stream), kept, "residual");
            }
        }
    }
}

#[test]
fn activations_and_gates_equal_the_processors() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let (rows, width) = (5, 24);
    let curves = Curve::ALL.map(Activation::Curve);
    let others = [
        Activation::Identity,
        Activation::Gelu,
        Activation::GeluTanh,
        Activation::Silu,
        Activation::Relu,
        Activation::Tanh,
        Activation::ReluSquared,
        Activation::Xielu(cpu::Xielu {
            above: 0.7,
            below: 0.4,
            beta: 0.5,
            epsilon: -1e-6,
        }),
    ];
    for activation in others.into_iter().chain(curves) {
        // Where curves are cut off, and where exponentials are infinite.
        let far = [-100.0, -30.0, -12.0, -3.5, 0.0, 6.5, 19.9, 100.0];
        let mut expected = far;
        activation.apply(&mut expected);
        let on_gpu = tensor(device, &far, far.len());
        ops.activate(&on_gpu, None, activation).unwrap();
        close(&back(device, &on_gpu), &expected, "activate, far out");
        let (values, bias) = (numbers(rows * width, 10), numbers(width, 11));
        let mut expected: Vec<f32> = values
            .iter()
            .enumerate()
            .map(|(i, value)| value + bias[i % width])
            .collect();
        let mut gated = Vec::new();
        for row in expected.chunks_exact(width) {
            let (gate, value) = row.split_at(width / 2);
            let mut gate = gate.to_vec();
            activation.apply(&mut gate);
            gated.extend(gate.iter().zip(value).map(|(g, v)| g * v));
        }
        activation.apply(&mut expected);
        let bias = device.upload(&bias).unwrap();
        let on_gpu = tensor(device, &values, width);
        let out = ops
            .gate(&on_gpu, Some(&bias), None, activation, None)
            .unwrap();
        close(&back(device, &out), &gated, "gate");
        ops.activate(&on_gpu, Some(&bias), activation).unwrap();
        close(&back(device, &on_gpu), &expected, "activate");
    }
}

#[test]
fn turns_equal_the_processors() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let (heads, size, rows) = (3, 16, 6);
    // Wider than the heads: what lies beyond is left alone.
    let stride = heads * size + 8;
    let positions = [0usize, 1, 2, 0, 511, 4];
    for (dimensions, normed) in [(16, false), (8, true)] {
        let (values, bias) = (numbers(rows * stride, 12), numbers(heads * size, 13));
        let norm = Norm::RootMeanSquare {
            weight: numbers(size, 14),
            epsilon: 1e-6,
        };
        let rotary = Rotary::new(dimensions, 10_000.0);
        let mut expected = Matrix {
            data: values.clone(),
            rows,
            columns: stride,
        };
        for row in expected.data.chunks_exact_mut(stride) {
            cpu::add(&mut row[..heads * size], &bias);
            if normed {
                norm.apply_to(&mut row[..heads * size]);
            }
        }
        rotary.apply(&mut expected, heads, size, &positions);
        let on_gpu = tensor(device, &values, stride);
        let bias = device.upload(&bias).unwrap();
        let norm = DeviceNorm::new(device, &norm).unwrap();
        let frequencies = device.upload(&rotary.frequencies).unwrap();
        let at = integers(device, &positions.map(|position| position as i32));
        ops.rotate(
            &on_gpu,
            0,
            Some(&bias),
            heads,
            size,
            normed.then_some(&norm),
            Some((&frequencies, dimensions / 2, 1.0)),
            (&at).into(),
        )
        .unwrap();
        close(&back(device, &on_gpu), &expected.data, "turn");
    }
}

#[test]
fn logits_and_normalisers_equal_sums_by_hand() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let (rows, width, vocabulary) = (3, 128, 300);
    let (hidden, decoder, bias) = (
        numbers(rows * width, 17),
        numbers(vocabulary * width, 18),
        numbers(vocabulary, 19),
    );
    let cap = 30.0f32;
    let logit = |row: usize, token: usize| {
        let sum = cpu::dot(
            &hidden[row * width..(row + 1) * width],
            &decoder[token * width..(token + 1) * width],
        );
        cap * ((sum + bias[token]) / cap).tanh()
    };
    let pairs = [(0usize, 5usize), (2, 299), (1, 0)];
    let pair_rows = integers(device, &pairs.map(|(row, _)| row as i32));
    let pair_tokens = integers(device, &pairs.map(|(_, token)| token as i32));
    let on_gpu = tensor(device, &hidden, width);
    let (decoder_on_gpu, bias_on_gpu) = (
        device.upload(&decoder).unwrap(),
        device.upload(&bias).unwrap(),
    );
    let out = ops.tensor(1, pairs.len()).unwrap();
    ops.logits(
        &on_gpu,
        &decoder_on_gpu,
        Some(&bias_on_gpu),
        Some(cap),
        (&pair_rows).into(),
        (&pair_tokens).into(),
        pairs.len(),
        (&out.buffer).into(),
    )
    .unwrap();
    let expected: Vec<f32> = pairs
        .iter()
        .map(|(row, token)| logit(*row, *token))
        .collect();
    close(&back(device, &out), &expected, "logits");

    // The vocabulary in two chunks, the second shorter.
    let (peaks, sums) = (
        device.allocate(4 * rows).unwrap(),
        device.allocate(8 * rows).unwrap(),
    );
    ops.start_fold(&peaks, &sums, rows).unwrap();
    for (first, columns) in [(0, 200), (200, 100)] {
        let chunk = ops.tensor_of(rows, columns, Precision::F32).unwrap();
        device
            .product(Product {
                rows,
                inputs: width,
                outputs: columns,
                input: Lines::of(&on_gpu.buffer, 0, width),
                weights: Lines::of(&decoder_on_gpu, first, width),
                out: Lines::of(&chunk.buffer, 0, columns),
                out_precision: Precision::F32,
                times: 1,
            })
            .unwrap();
        ops.fold_logits(
            &chunk.buffer,
            rows,
            columns,
            first,
            Some(&bias_on_gpu),
            Some(cap),
            &peaks,
            &sums,
        )
        .unwrap();
    }
    let normalisers = device.allocate(8 * rows).unwrap();
    ops.finish_fold(&peaks, &sums, rows, (&normalisers).into())
        .unwrap();
    let found: Vec<f64> = device.download(&normalisers, rows).unwrap();
    for (row, found) in found.iter().enumerate() {
        let sum: f64 = (0..vocabulary)
            .map(|token| f64::from(logit(row, token)).exp())
            .sum();
        assert!((found - sum.ln()).abs() < 1e-4, "{found} and {}", sum.ln());
    }
}

#[test]
fn rows_are_gathered_and_narrowed() {
    let Some(ops) = operations() else { return };
    let device = &ops.device;
    let values = numbers(8 * 12, 20);
    let on_gpu = tensor(device, &values, 12);
    let rows = integers(device, &[7, 0, 3]);
    let found = back(
        device,
        &ops.gather_full(&on_gpu, (&rows).into(), 3).unwrap(),
    );
    let expected: Vec<f32> = [7, 0, 3]
        .iter()
        .flat_map(|row| values[row * 12..(row + 1) * 12].to_vec())
        .collect();
    assert_eq!(found, expected);
    assert_eq!(back(device, &ops.narrow(&on_gpu).unwrap()), values);
}
