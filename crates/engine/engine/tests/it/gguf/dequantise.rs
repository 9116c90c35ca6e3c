//! Every type against the `gguf` package's own unpacking of the same blocks.

use super::support::{golden, open};
use epicene_checkpoint::gguf::Kind;

const COLUMNS: usize = 512;
const NAMES: [&str; 11] = [
    "F32", "F16", "BF16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q4_K", "Q5_K", "Q6_K",
];

/// Those with fewest bits, by `tools/reference/gguf_small_types.py`.
const SMALL: [&str; 14] = [
    "Q2_K", "Q3_K", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ1_S", "IQ1_M", "IQ4_NL",
    "IQ4_XS", "TQ1_0", "TQ2_0", "MXFP4",
];

const FILES: [(&str, &[&str]); 2] = [("types", &NAMES), ("small-types", &SMALL)];

fn expected(file: &str, names: &[&str], name: &str) -> Vec<f32> {
    let bytes = std::fs::read(golden(&format!("{file}.f32"))).unwrap();
    let position = names.iter().position(|known| *known == name).unwrap();
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers[position * COLUMNS..][..COLUMNS]
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect()
}

#[test]
fn rows_equal_the_reference_to_the_last_bit() {
    for (file, names) in FILES {
        let gguf = open(&format!("{file}.gguf"));
        assert_eq!(gguf.tensors().len(), names.len());
        for name in names {
            let tensor = gguf.tensor(name).unwrap();
            assert_eq!(
                (tensor.kind.name(), tensor.shape.as_slice()),
                (*name, &[1, COLUMNS][..])
            );
            let mut row = vec![0f32; COLUMNS];
            gguf.row(tensor, 0, &mut row).unwrap();
            for (i, (found, expected)) in row.iter().zip(expected(file, names, name)).enumerate() {
                // Zero has two signs, which are the same number.
                let same =
                    found.to_bits() == expected.to_bits() || (*found == 0.0 && expected == 0.0);
                assert!(same, "{name}[{i}]: {found} {expected}");
            }
        }
    }
}

#[test]
fn any_part_of_a_tensor_is_the_same_part_of_the_whole() {
    for (file, names) in FILES {
        let gguf = open(&format!("{file}.gguf"));
        for name in names {
            let tensor = gguf.tensor(name).unwrap();
            let whole = expected(file, names, name);
            for (first, count) in [
                (0, 1),
                (1, 31),
                (31, 2),
                (17, 300),
                (255, 2),
                (511, 1),
                (32, 64),
                (300, 0),
            ] {
                let mut part = vec![0f32; count];
                gguf.read(tensor, first, &mut part).unwrap();
                assert_eq!(part, whole[first..first + count], "{name} from {first}");
            }
            assert!(gguf.read(tensor, 500, &mut [0.0; 20]).is_err());
            assert!(gguf.row(tensor, usize::MAX, &mut [0.0; 20]).is_err());
        }
    }
}

#[test]
fn blocks_have_the_sizes_of_the_format() {
    let bits = |kind: Kind| kind.block_bytes() as f64 * 8.0 / kind.block() as f64;
    assert_eq!(bits(Kind::Q8_0), 8.5);
    assert_eq!(bits(Kind::Q4_0), 4.5);
    assert_eq!(bits(Kind::Q4_1), 5.0);
    assert_eq!(bits(Kind::Q5_0), 5.5);
    assert_eq!(bits(Kind::Q5_1), 6.0);
    assert_eq!(bits(Kind::Q4K), 4.5);
    assert_eq!(bits(Kind::Q5K), 5.5);
    assert_eq!(bits(Kind::Q6K), 6.5625);
}
