//! Models in several files.

use std::fs;
use std::path::Path;

use epicene_checkpoint::gguf::Gguf;

use super::support::{Writer, string, typed};

/// Part `number` of three, with one tensor of four numbers.
fn part(number: u16, name: &str) -> Writer {
    let first = f32::from(number) * 10.0;
    let data = (0..4).flat_map(|i| (first + i as f32).to_le_bytes());
    let split = Writer::default()
        .with("split.no", typed(2, number.to_le_bytes()))
        .with("split.count", typed(2, 3u16.to_le_bytes()))
        .with("split.tensors.count", typed(5, 3i32.to_le_bytes()));
    let split = match number {
        0 => split.with("general.name", typed(8, string("whole"))),
        _ => split,
    };
    split.tensor(name, &[4], 0, 0).data(data.collect())
}

fn write(place: &Path, parts: &[(&str, Writer)]) {
    for (name, writer) in parts {
        fs::write(place.join(name), writer.bytes()).unwrap();
    }
}

const NAMES: [&str; 3] = [
    "m-00001-of-00003.gguf",
    "m-00002-of-00003.gguf",
    "m-00003-of-00003.gguf",
];

fn three() -> Vec<(&'static str, Writer)> {
    let parts = [part(0, "a"), part(1, "b"), part(2, "c")];
    NAMES.into_iter().zip(parts).collect()
}

#[test]
fn any_part_opens_the_whole() {
    let place = tempfile::tempdir().unwrap();
    write(place.path(), &three());
    for name in NAMES {
        let gguf = Gguf::open(&place.path().join(name)).unwrap();
        assert_eq!(gguf.text("general.name").unwrap(), Some("whole"));
        assert_eq!(gguf.tensors().len(), 3);
        for (number, tensor) in ["a", "b", "c"].into_iter().enumerate() {
            let mut row = [0.0; 4];
            gguf.row(gguf.tensor(tensor).unwrap(), 0, &mut row).unwrap();
            let first = number as f32 * 10.0;
            assert_eq!(row, [first, first + 1.0, first + 2.0, first + 3.0]);
        }
    }
}

#[test]
fn parts_that_do_not_go_together_are_refused() {
    let refusal = |parts: &[(&str, Writer)], name: &str| {
        let place = tempfile::tempdir().unwrap();
        write(place.path(), parts);
        Gguf::open(&place.path().join(name))
            .unwrap_err()
            .to_string()
    };
    let message = refusal(&three()[..2], NAMES[0]);
    assert!(message.ends_with("m-00003-of-00003.gguf: missing; the model has 3 parts"));
    let message = refusal(&[("renamed.gguf", part(1, "a"))], "renamed.gguf");
    assert_eq!(message, "renamed.gguf: part 2 of 3 of a split model");
    let mut twice = three();
    twice[2].1 = part(2, "a");
    assert!(refusal(&twice, NAMES[0]).contains("`a` is in another part too"));
    let mut wrong = three();
    wrong[1].1 = part(2, "b");
    assert!(refusal(&wrong, NAMES[0]).contains("m-00002-of-00003.gguf: metadata `split.no`"));
    let mut fewer = three();
    fewer[0].1.metadata[2].1 = typed(5, 4i32.to_le_bytes());
    assert!(refusal(&fewer, NAMES[0]).contains("is 4, but the parts have 3"));
}
