//! Files that are wrong: one clear message each, and never a panic or a huge allocation.

use std::sync::Arc;

use super::support::{CONVERTED, TINY, Writer, golden, string, typed};
use epicene_checkpoint::gguf::{Array, Gguf, GgufError, HfWeights, Value, config};
use epicene_engine::Checkpoint;
use epicene_tokenize::gguf_tokenizer as tokenizer;
use proptest::prelude::*;

fn read(bytes: Vec<u8>) -> Result<Gguf, GgufError> {
    Gguf::from_bytes("m.gguf", bytes)
}

fn complaint(bytes: Vec<u8>) -> String {
    read(bytes).unwrap_err().to_string()
}

/// An array: type of its values, their number, the values.
fn array(code: u32, count: u64, values: &[u8]) -> Vec<u8> {
    [&code.to_le_bytes()[..], &count.to_le_bytes()[..], values].concat()
}

#[test]
fn every_value_type_is_read() {
    let inner = [
        array(4, 2, &[1, 0, 0, 0, 2, 0, 0, 0]),
        array(8, 1, &string("x")),
    ]
    .concat();
    let values: Vec<(Vec<u8>, Value)> = vec![
        (typed(0, [200]), Value::U8(200)),
        (typed(1, [0xFF]), Value::I8(-1)),
        (typed(2, 500u16.to_le_bytes()), Value::U16(500)),
        (typed(3, (-500i16).to_le_bytes()), Value::I16(-500)),
        (typed(4, 70_000u32.to_le_bytes()), Value::U32(70_000)),
        (typed(5, (-70_000i32).to_le_bytes()), Value::I32(-70_000)),
        (typed(6, 1e-5f32.to_le_bytes()), Value::F32(1e-5)),
        (typed(7, [1]), Value::Bool(true)),
        (typed(8, string("naïve")), Value::String("naïve".to_owned())),
        (typed(10, u64::MAX.to_le_bytes()), Value::U64(u64::MAX)),
        (typed(11, i64::MIN.to_le_bytes()), Value::I64(i64::MIN)),
        (typed(12, 0.1f64.to_le_bytes()), Value::F64(0.1)),
        (
            typed(9, array(6, 1, &2f32.to_le_bytes())),
            Value::Array(Array::F32(vec![2.0])),
        ),
        (
            typed(9, array(7, 2, &[0, 1])),
            Value::Array(Array::Bool(vec![false, true])),
        ),
        (
            typed(9, array(9, 2, &inner)),
            Value::Array(Array::Array(vec![
                Array::U32(vec![1, 2]),
                Array::String(vec!["x".to_owned()]),
            ])),
        ),
    ];
    for version in [2, 3] {
        let mut writer = Writer {
            version,
            ..Writer::default()
        };
        for (i, (bytes, _)) in values.iter().enumerate() {
            writer = writer.with(&format!("key.{i}"), bytes.clone());
        }
        let gguf = read(writer.bytes()).unwrap();
        for (i, (_, expected)) in values.iter().enumerate() {
            assert_eq!(gguf.get(&format!("key.{i}")), Some(expected));
        }
    }
    // Meant as a decimal, stored in 32 bits.
    assert_eq!(Value::F32(1e-5).as_f64(), Some(1e-5));
}

#[test]
fn tensors_lie_where_the_alignment_puts_them() {
    let mut data = 1.5f32.to_le_bytes().to_vec();
    data.resize(64, 0);
    data.extend(2.5f32.to_le_bytes());
    let writer = Writer {
        alignment: 64,
        ..Writer::default()
    }
    .with("general.alignment", typed(4, 64u32.to_le_bytes()))
    .tensor("a", &[1], 0, 0)
    .tensor("b", &[1], 0, 64)
    .data(data);
    let gguf = read(writer.bytes()).unwrap();
    let mut out = [0.0];
    for (name, expected) in [("a", 1.5), ("b", 2.5)] {
        gguf.row(gguf.tensor(name).unwrap(), 0, &mut out).unwrap();
        assert_eq!(out[0], expected);
    }
}

#[test]
fn each_mistake_has_its_message() {
    let plain = Writer::default().tensor("w", &[32], 2, 0).data(vec![0; 18]);
    assert!(read(plain.bytes()).is_ok());
    let mut big = plain.bytes();
    big[4..8].copy_from_slice(&3u32.to_be_bytes());
    let version = Writer {
        version: 1,
        ..plain.clone()
    };
    let mut tensors = plain.bytes();
    tensors[8..16].copy_from_slice(&u64::MAX.to_le_bytes());
    let mut entries = plain.bytes();
    entries[16..24].copy_from_slice(&(1u64 << 40).to_le_bytes());
    let with = |key: &str, value: Vec<u8>| Writer::default().with(key, value).bytes();
    let tensor = |dimensions: &[u64], code: u32, offset: u64| {
        Writer::default()
            .tensor("w", dimensions, code, offset)
            .data(vec![0; 64])
            .bytes()
    };
    let twice = plain.clone().tensor("w", &[32], 2, 0);
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (Vec::new(), "not GGUF"),
        (b"GGU".to_vec(), "not GGUF"),
        (b"PK\x03\x04....".to_vec(), "not GGUF"),
        (
            b"GGUF\x03\0\0\0".to_vec(),
            "ends inside the number of tensors",
        ),
        (big, "big-endian"),
        (
            version.bytes(),
            "GGUF version 1; versions 2 and 3 are supported",
        ),
        (tensors, "ends inside the number of tensors"),
        (entries, "ends inside the number of metadata entries"),
        (
            with("k", typed(13, [0])),
            "metadata `k`: unknown value type 13",
        ),
        (with("k", typed(7, [2])), "metadata `k`: a truth value is 2"),
        (
            with("k", typed(8, u64::MAX.to_le_bytes())),
            "ends inside metadata `k`",
        ),
        (
            with("k", typed(9, array(4, u64::MAX, &[]))),
            "ends inside metadata `k`",
        ),
        (
            with("k", typed(9, array(9, 1 << 50, &[]))),
            "ends inside metadata `k`",
        ),
        (
            with("k", typed(8, [&1u64.to_le_bytes()[..], &[0xFF]].concat())),
            "not UTF-8",
        ),
        (
            with("general.alignment", typed(4, 33u32.to_le_bytes())),
            "`general.alignment`: is not a power",
        ),
        (
            with("split.count", typed(2, 3u16.to_le_bytes())),
            "part 1 of 3 of a split model",
        ),
        (
            tensor(&[32], 2, 8),
            "tensor `w`: offset 8 is not aligned to 32",
        ),
        (
            tensor(&[31], 2, 0),
            "tensor `w`: rows of 31 numbers are not whole Q4_0 blocks of 32",
        ),
        (tensor(&[256], 15, 0), "`w` is stored as Q8_K, which"),
        (tensor(&[32], 77, 0), "`w` is stored as type 77, which"),
        (
            tensor(&[1, 1, 1, 1, 1], 0, 0),
            "the entry of `w`: 5 dimensions",
        ),
        (
            tensor(&[1 << 40, 1 << 40], 0, 0),
            "tensor `w`: impossible dimensions",
        ),
        (tensor(&[0], 0, 0), "tensor `w`: impossible dimensions"),
        (tensor(&[1 << 60], 0, 0), "`w` ends at byte"),
        (
            tensor(&[32], 0, 32),
            "`w` ends at byte 224, the file at byte 128",
        ),
        (tensor(&[32], 0, u64::MAX - 31), "`w` ends at byte"),
        (twice.bytes(), "tensor `w`: occurs twice"),
    ];
    for (bytes, expected) in cases {
        let found = complaint(bytes);
        assert!(
            found.starts_with("m.gguf: ") && found.contains(expected),
            "{found}\n{expected}"
        );
    }
}

#[test]
fn arrays_nested_without_end_are_refused() {
    let mut value = array(4, 0, &[]);
    for _ in 0..100_000 {
        value = [&array(9, 1, &[])[..], &value].concat();
        if value.len() > 20_000 {
            break;
        }
    }
    assert!(
        complaint(Writer::default().with("k", typed(9, value)).bytes()).contains("nested too deep")
    );
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let whole = std::fs::read(golden("tiny-qwen2.gguf")).unwrap();
    for length in (0..whole.len()).step_by(whole.len() / 300) {
        assert!(read(whole[..length].to_vec()).is_err(), "{length}");
    }
}

#[test]
fn architectures_and_tensors_nobody_knows_are_named() {
    let named = |architecture: &str| {
        Writer::default()
            .with("general.architecture", typed(8, string(architecture)))
            .with(
                &format!("{architecture}.attention.head_count"),
                typed(4, 4u32.to_le_bytes()),
            )
    };
    let unknown = Arc::new(read(named("mamba").bytes()).unwrap());
    let found = HfWeights::new(unknown.clone()).unwrap_err();
    let expected = "m.gguf: unknown architecture `mamba`";
    assert_eq!(found.to_string(), expected);
    // The engine knows more architectures than those of GGUF files.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.gguf");
    std::fs::write(&path, named("mamba").bytes()).unwrap();
    let opened = Checkpoint::open_gguf(&path).unwrap_err();
    assert!(
        opened
            .to_string()
            .ends_with("`mamba` (a state-space model)"),
        "{opened}"
    );
    let hint = found.hint().unwrap();
    assert!(hint.contains("llama, qwen2,") && hint.contains("openai:MODEL@URL"));
    assert!(found.hint().is_some() && config(&unknown).is_err());
    let odd = named("llama")
        .tensor("blk.0.ssm_in.weight", &[1], 0, 0)
        .data(vec![0; 4]);
    let found = HfWeights::new(Arc::new(read(odd.bytes()).unwrap())).unwrap_err();
    let expected = "m.gguf: unexpected tensor `blk.0.ssm_in.weight` for the architecture `llama`";
    assert_eq!(found.to_string(), expected);
}

/// Everything a reader of the file would do.
fn use_all(bytes: Vec<u8>) {
    let Ok(gguf) = read(bytes) else { return };
    let gguf = Arc::new(gguf);
    let _ = (config(&gguf), tokenizer(&gguf));
    let Ok(weights) = HfWeights::new(gguf.clone()) else {
        return;
    };
    for name in weights.names() {
        let size: usize = weights.shape(name).unwrap().iter().product();
        let mut out = vec![0f32; size.min(4096)];
        weights.read(name, size - out.len(), &mut out).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..600), header in any::<bool>()) {
        let start: &[u8] = if header { b"GGUF\x03\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0" } else { b"" };
        use_all([start, &bytes].concat());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_good_file_with_wrong_bytes_never_panics(
        model in 0..TINY.len() + CONVERTED.len(),
        changes in prop::collection::vec((0usize..14_000, any::<u8>()), 1..6),
    ) {
        let tiny = TINY.get(model).map(|name| format!("tiny-{name}.gguf"));
        let file = tiny.unwrap_or_else(|| format!("hf-{}.gguf", CONVERTED[model - TINY.len()]));
        let mut bytes = std::fs::read(golden(&file)).unwrap();
        for (at, byte) in changes {
            bytes[at] = byte;
        }
        use_all(bytes);
    }
}
