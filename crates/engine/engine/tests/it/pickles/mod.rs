//! `pytorch_model.bin`: the same numbers as safetensors, bit for bit; nothing that is not a state dict.
//!
//! The twins are made by `tools/reference/pickled_checkpoints.py`.

mod archive;
mod refused;

use crate::support;
use std::fs;
use std::path::{Path, PathBuf};

use archive::{SIX, View, archive, six, state, stream, stream_state, with_six};
use epicene_checkpoint::{CheckpointError, StoredTensors, Weights};
use epicene_core::Question;
use epicene_engine::{EngineOptions, System, TransformerModel};
use epicene_kernels::Precision;

const FILE: &str = "pytorch_model.bin";

fn twins() -> Vec<PathBuf> {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pickled");
    let mut found: Vec<PathBuf> = fs::read_dir(place)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    found.sort();
    found
}

/// A directory with the files of one container alone.
fn only(from: &Path, begin: &str) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if name.to_str().unwrap().starts_with(begin) {
            fs::copy(&path, place.path().join(name)).unwrap();
        }
    }
    place
}

/// Opens an archive.
fn open(bytes: &[u8]) -> Result<StoredTensors, CheckpointError> {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join(FILE), bytes).unwrap();
    StoredTensors::open(place.path())
}

fn read(weights: &StoredTensors, name: &str) -> Vec<f32> {
    let mut out = vec![0.0; weights.shape(name).unwrap().iter().product()];
    weights.read(name, 0, &mut out).unwrap();
    out
}

/// As kept, in two reads.
fn bits(weights: &StoredTensors, name: &str, precision: Precision) -> Vec<u8> {
    let count: usize = weights.shape(name).unwrap().iter().product();
    let mut out = vec![0; count * precision.bytes()];
    let (first, second) = out.split_at_mut(count / 2 * precision.bytes());
    assert!(weights.read_kept(name, 0, precision, first).unwrap());
    assert!(
        weights
            .read_kept(name, count / 2, precision, second)
            .unwrap()
    );
    out
}

#[test]
fn checkpoints_have_the_bits_of_their_twins() {
    let twins = twins();
    assert_eq!(twins.len(), 23);
    for path in twins {
        let place = only(&path, "pytorch_model");
        let pickled = StoredTensors::open(place.path()).unwrap();
        let place = only(&path, "model");
        let safe = StoredTensors::open(place.path()).unwrap();
        assert!(pickled.is_pickled() && !safe.is_pickled());
        let mut count = 0;
        for name in safe.names() {
            let about = format!("{}: {name}", path.display());
            let precision = safe.precision(name).unwrap();
            assert_eq!(pickled.precision(name), Some(precision), "{about}");
            assert_eq!(pickled.shape(name), safe.shape(name), "{about}");
            assert_eq!(
                bits(&pickled, name, precision),
                bits(&safe, name, precision),
                "{about}"
            );
            assert_eq!(read(&pickled, name), read(&safe, name), "{about}");
            count += 1;
        }
        // Tied tensors have all their names in a pickle.
        for name in pickled.names() {
            read(&pickled, name);
        }
        assert!(count > 5);
    }
}

#[test]
fn safetensors_are_preferred() {
    let path = &twins()[0];
    assert!(!StoredTensors::open(path).unwrap().is_pickled());
}

#[test]
fn big_endian_numbers_are_turned_around() {
    let mut bytes = six();
    bytes.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    let pickle = state(&[("a", SIX)]);
    let found = open(&archive(&[
        ("x/data.pkl", pickle),
        ("x/byteorder", b"big".to_vec()),
        ("x/data/0", bytes),
    ]))
    .unwrap();
    assert_eq!(read(&found, "a"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

/// A state dict may be longer than the piece of a file that is looked at first.
#[test]
fn a_stream_with_a_long_pickle_is_read() {
    let names: Vec<String> = (0..20_000).map(|n| format!("tensor number {n}")).collect();
    let tensors: Vec<(&str, View<'_>)> = names.iter().map(|name| (&**name, SIX)).collect();
    let pickle = stream_state(&tensors);
    assert!(pickle.len() > 2 << 20);
    let found = open(&stream(pickle, &["0"], &[(6, six())])).unwrap();
    assert_eq!(found.names().len(), names.len());
    assert_eq!(read(&found, &names[19_999]), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn views_are_read_in_their_order() {
    let view = |offset, shape, strides| View {
        offset,
        shape,
        strides,
        ..SIX
    };
    let tensors = [
        ("turned", view(0, &[3, 2], &[1, 3])),
        ("last", view(5, &[1, 1], &[77, 9])),
        ("row", view(3, &[3], &[1])),
        ("scalar", view(4, &[], &[])),
        ("none", view(6, &[0, 3], &[3, 1])),
    ];
    let found = open(&with_six(state(&tensors))).unwrap();
    assert_eq!(read(&found, "turned"), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    assert_eq!(read(&found, "last"), [6.0]);
    assert_eq!(read(&found, "row"), [4.0, 5.0, 6.0]);
    assert_eq!(read(&found, "scalar"), [5.0]);
    assert!(read(&found, "none").is_empty());
}

/// The whole engine on a pickle: the same answers, and the card says where the numbers came from.
#[test]
fn a_pickled_model_answers_as_its_twin() {
    let from = support::directory("bert");
    let safe = StoredTensors::open(&from).unwrap();
    let names = safe.names();
    let mut entries = Vec::new();
    let mut shapes = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let bytes = bits(&safe, name, Precision::F32);
        let shape: Vec<i64> = safe
            .shape(name)
            .unwrap()
            .iter()
            .map(|s| *s as i64)
            .collect();
        let strides: Vec<i64> = (0..shape.len())
            .map(|d| shape[d + 1..].iter().product())
            .collect();
        shapes.push((number.to_string(), bytes.len() as i64 / 4, shape, strides));
        entries.push((format!("archive/data/{number}"), bytes));
    }
    let tensors: Vec<(&str, View<'_>)> = names
        .iter()
        .zip(&shapes)
        .map(|(name, (key, count, shape, strides))| {
            let view = View {
                key,
                count: *count,
                shape,
                strides,
                ..SIX
            };
            (*name, view)
        })
        .collect();
    let mut all = vec![("archive/data.pkl", state(&tensors))];
    all.extend(
        entries
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.clone())),
    );
    let place = only(&from, "");
    fs::remove_file(place.path().join("model.safetensors")).unwrap();
    fs::write(place.path().join(FILE), archive(&all)).unwrap();
    let pickled = TransformerModel::open(place.path(), EngineOptions::default()).unwrap();
    assert!(pickled.card().source.ends_with(",pickled"));
    let question = Question::MaskedPair {
        masculine: "He said that it was so.".to_owned(),
        feminine: "She said that it was so.".to_owned(),
        one_token: false,
    };
    let query = [support::query(question)];
    assert_eq!(
        pickled.answer(&query).unwrap(),
        support::model("bert").answer(&query).unwrap()
    );
}
