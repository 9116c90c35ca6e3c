//! More than two hundred files that must not be read: each refused, in one line, without a number of it being looked at.

use epicene_checkpoint::CheckpointError;

use super::archive::{BEGIN, Pickle, SIX, View, Wrong, archive, archive_with, six, state};
use super::archive::{state_behind, stream, stream_state, stream_with_six, with_six};
use super::{FILE, open};

/// Names that pickles of attackers, of whole modules and of other libraries carry.
const GLOBALS: &[&str] = &[
    "os.system",
    "posix.system",
    "nt.system",
    "os.popen",
    "os.execve",
    "subprocess.Popen",
    "subprocess.check_output",
    "builtins.eval",
    "builtins.exec",
    "builtins.getattr",
    "builtins.__import__",
    "builtins.open",
    "builtins.dict",
    "__builtin__.eval",
    "__builtin__.set",
    "sys.exit",
    "importlib.import_module",
    "runpy._run_code",
    "pickle.loads",
    "_pickle.loads",
    "marshal.loads",
    "shutil.rmtree",
    "socket.create_connection",
    "webbrowser.open",
    "ctypes.CDLL",
    "functools.partial",
    "operator.attrgetter",
    "copyreg._reconstructor",
    "collections.defaultdict",
    "collections.OrderedDict.__init__",
    "timeit.timeit",
    "numpy.core.multiarray._reconstruct",
    "numpy.load",
    "torch.load",
    "torch.hub.load",
    "torch.storage._load_from_bytes",
    "torch._utils._rebuild_sparse_tensor",
    "torch.nn.modules.linear.Linear",
    "torch.FloatStorage.from_file",
    "torch.UntypedStorage",
    "transformers.models.bert.modeling_bert.BertModel",
];

/// The same name where a state dict could have one.
fn disguises(name: &str, new: fn() -> Pickle) -> Vec<Vec<u8>> {
    let call = |pickle: Pickle| pickle.global(name).raw("(").text("echo owned").raw("tR");
    let (module, last) = name.rsplit_once('.').unwrap();
    vec![
        // The pickle itself; a value; a key; hidden in a tensor's hooks; named by texts; old operations.
        call(new()).end(),
        call(new().raw("}(").text("weight")).raw("u").end(),
        call(new().raw("}(")).number(1).raw("u").end(),
        call(
            new()
                .raw("}(")
                .text("weight")
                .global("torch._utils._rebuild_tensor_v2")
                .raw("(")
                .storage(SIX.class, "0", 6)
                .number(0)
                .numbers(SIX.shape)
                .numbers(SIX.strides)
                .raw([0x89]),
        )
        .raw("tRu")
        .end(),
        new().text(module).text(last).raw([0x93]).raw(")R").end(),
    ]
}

#[test]
fn foreign_names_are_refused_by_name() {
    let mut count = 0;
    for name in GLOBALS {
        let archives = disguises(name, Pickle::new).into_iter().map(with_six);
        let of_stream = || disguises(name, || Pickle::of_stream(b"N")).into_iter();
        // In the state dict, and in the pickles around it.
        let around = of_stream().flat_map(|pickle| {
            let end = BEGIN.windows(2).rposition(|pair| pair == b"\x80\x02");
            let machine = [&BEGIN[..end.unwrap()], &pickle].concat();
            let version = [&BEGIN[..15], &pickle].concat();
            let keys = [BEGIN, &stream_state(&[("a", SIX)]), &pickle].concat();
            [version, machine, keys]
        });
        for file in archives
            .chain(of_stream().map(stream_with_six))
            .chain(around)
        {
            match open(&file) {
                Err(CheckpointError::PickledCode { file, global }) => {
                    assert_eq!((file.as_str(), global.as_str()), (FILE, *name));
                }
                other => panic!("{name}: {other:?}"),
            }
            count += 1;
        }
    }
    println!("{count} pickles with foreign names");
    assert!(count >= 200);
}

/// Operations that make objects without naming a function on the stack.
#[test]
fn operations_of_objects_are_refused() {
    for operation in [
        &b"ios\nsystem\n"[..],
        b"o",
        b"\x81",
        b"\x92",
        b"P1\n",
        b"\x82\x01",
        b"\x83\x01\0",
        b"\x84\x01\0\0\0",
        b"\x97",
        b"\x98",
        b"C\x01x",
        b"0",
        b"1",
        b"2",
        b"\x8f",
        b"\x96\xff\xff\xff\xff\xff\xff\xff\x7f",
    ] {
        let pickle = Pickle::new().raw("}(").raw(operation).raw("u").end();
        let message = refusal(&with_six(pickle));
        assert!(message.contains("which no state dict needs"), "{message}");
    }
}

/// Float8 is no attack.
#[test]
fn tensors_of_other_kinds_are_called_so() {
    let pickle = |name: &str| Pickle::new().raw("}(").text("a").global(name).end();
    let message = refusal(&with_six(pickle("torch._utils._rebuild_tensor_v3")));
    assert!(message.contains("tensors of eight-bit floats"), "{message}");
    let message = refusal(&with_six(pickle("torch._utils._rebuild_qtensor")));
    assert!(message.contains("tensors that are quantised"), "{message}");
}

#[test]
fn broken_streams_are_refused() {
    let good = || stream_state(&[("a", SIX)]);
    let whole = stream_with_six(good());
    assert!(open(&whole).is_ok());
    let changed = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let version = 15 + 3;
    let little = BEGIN.len() - 3;
    let viewed = state_behind(Pickle::of_stream(b"(N)t"), &[("a", SIX)]);
    let five = state(&[("a", SIX)]);
    let double = View {
        class: "torch.DoubleStorage",
        count: 3,
        shape: &[3],
        strides: &[1],
        ..SIX
    };
    let more = [whole.clone(), vec![0]].concat();
    let two = stream(good(), &["0", "0"], &[(6, six()), (6, six())]);
    let endless = View {
        count: i64::MAX,
        ..SIX
    };
    let cases = [
        ("not what torch.save", changed(4, b'm')),
        ("that there never was", changed(version, 0)),
        ("little-endian", changed(little, 0x89)),
        ("a view of another", stream_with_six(viewed)),
        ("no storage", stream_with_six(five)),
        ("no storage `0`", stream(good(), &[], &[])),
        (
            "belongs to no tensor",
            stream(good(), &["1"], &[(6, six())]),
        ),
        ("occurs twice", two),
        ("another count", stream(good(), &["0"], &[(5, six())])),
        (
            "another count",
            stream(good(), &["0"], &[(u64::MAX, six())]),
        ),
        ("is cut off", stream(good(), &["0"], &[(6, vec![0; 23])])),
        ("is cut off", stream(good(), &["0"], &[])),
        (
            "is cut off",
            stream(
                stream_state(&[("a", endless)]),
                &["0"],
                &[(i64::MAX as u64, six())],
            ),
        ),
        ("goes on after", more),
        (
            "stored as DoubleStorage",
            stream(stream_state(&[("a", double)]), &["0"], &[(3, six())]),
        ),
        (
            "list of storages is none",
            [BEGIN, &good(), &Pickle::new().raw("}").end()].concat(),
        ),
        (
            "list of storages is none",
            [BEGIN, &good(), &Pickle::new().raw("](K\x01e").end()].concat(),
        ),
    ];
    for (wanted, bytes) in cases {
        let message = refusal(&bytes);
        assert!(message.contains(wanted), "{wanted}: {message}");
    }
    for end in 0..whole.len() {
        refusal(&whole[..end]);
    }
}

fn refusal(bytes: &[u8]) -> String {
    match open(bytes) {
        Ok(_) => panic!("opened"),
        Err(error) => {
            let known = matches!(
                error,
                CheckpointError::Pickled { .. }
                    | CheckpointError::PickledCode { .. }
                    | CheckpointError::Dtype { .. }
            );
            let message = error.to_string();
            assert!(known && message.starts_with(FILE), "{message}");
            assert!(
                !message.contains('\n') && error.hint().is_some(),
                "{message}"
            );
            message
        }
    }
}

#[test]
fn broken_state_dicts_are_refused() {
    let view = |offset, shape, strides| View {
        offset,
        shape,
        strides,
        ..SIX
    };
    const HUGE: i64 = i64::MAX;
    let tensors: &[(&str, View<'_>)] = &[
        ("reach outside", view(1, &[2, 3], &[3, 1])),
        ("reach outside", view(0, &[2, 4], &[4, 1])),
        ("reach outside", view(7, &[0], &[1])),
        ("reach outside", view(HUGE, &[1], &[1])),
        ("reach outside", view(0, &[HUGE, HUGE], &[HUGE, 1])),
        ("reach outside", view(0, &[2], &[HUGE])),
        ("reach outside", view(0, &[HUGE], &[1])),
        ("share their places", view(0, &[2, 3], &[0, 1])),
        ("share their places", view(0, &[1 << 40], &[0])),
        ("share their places", view(0, &[2, 2], &[1, 1])),
        ("below zero", view(-1, &[1], &[1])),
        ("below zero", view(0, &[-2, -3], &[3, 1])),
        ("below zero", view(0, &[2], &[-1])),
        ("strides than dimensions", view(0, &[2, 3], &[1])),
        ("shape that is none", view(0, &[1; 9], &[1; 9])),
        ("not those of", View { count: 7, ..SIX }),
        ("not those of", View { count: HUGE, ..SIX }),
        ("no storage `1`", View { key: "1", ..SIX }),
        (
            "no storage",
            View {
                key: "../data.pkl",
                ..SIX
            },
        ),
        (
            "not those of",
            View {
                class: "torch.DoubleStorage",
                ..SIX
            },
        ),
        ("no storage", View { count: -1, ..SIX }),
    ];
    for (wanted, tensor) in tensors {
        let message = refusal(&with_six(state(&[("a", *tensor)])));
        assert!(message.contains(wanted), "{wanted}: {message}");
    }
    let double = View {
        class: "torch.DoubleStorage",
        count: 3,
        shape: &[3],
        strides: &[1],
        ..SIX
    };
    let message = refusal(&with_six(state(&[("a", double)])));
    assert!(message.contains("stored as DoubleStorage"), "{message}");
    let twice = state(&[("a", SIX), ("a", SIX)]);
    assert!(refusal(&with_six(twice)).contains("`a`: occurs twice"));
    let half = View {
        class: "torch.HalfStorage",
        count: 12,
        ..SIX
    };
    let two_kinds = state(&[("a", SIX), ("b", half)]);
    assert!(refusal(&with_six(two_kinds)).contains("of two kinds"));
}

#[test]
fn broken_pickles_are_refused() {
    let end = |pickle: Pickle| pickle.end();
    let new = Pickle::new;
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("cut off", new().raw("}").0),
        ("cut off", new().raw(b"X\xff\xff\xff\xff").text("a").0),
        (
            "cut off",
            new().raw(b"\x8d\xff\xff\xff\xff\xff\xff\xff\xff").0,
        ),
        ("cut off", new().raw(b"\x8a\xff\x01").0),
        ("more than 64 bits", end(new().raw([0x8a, 9]).raw([1; 9]))),
        (
            "longer than the file",
            end(new().raw([0x95]).raw([0xff; 8]).raw("}")),
        ),
        ("cut off", new().raw("cos").0),
        ("no state dict needs", end(new().raw("I99\n"))),
        ("protocol", b"}.".to_vec()),
        ("protocol", vec![0x80, 9, b'}', b'.']),
        ("protocol", b"(dp0\nS'a'\np1\nI1\ns.".to_vec()),
        ("too few values", end(new())),
        ("too few values", end(new().raw("}(s"))),
        ("too few values", end(new().raw(b"(\x85"))),
        ("too few values", end(new().raw("}(R"))),
        ("too few values", end(new().raw([b'K', 1, 0x87]))),
        ("no mark", end(new().raw("}u"))),
        ("no mark", end(new().raw("t"))),
        ("left over", end(new().raw("}}"))),
        ("left over", end(new().raw("(}"))),
        ("recalls", end(new().raw("h\x05"))),
        ("two values in one place", end(new().raw("}q\0}q\0u"))),
        ("key without", end(new().raw("}(").text("a").raw("u"))),
        ("no list", end(new().raw("}(").text("a").raw("e"))),
        (
            "no dictionary",
            end(new().raw("](").text("a").number(1).raw("u")),
        ),
        ("not a dictionary", end(new().raw("]"))),
        ("not a dictionary", end(new().tensor(&SIX))),
        (
            "is no text",
            end(new().raw("}(").number(1).tensor(&SIX).raw("u")),
        ),
        (
            "is no tensor",
            end(new().raw("}(").text("a").number(1).raw("u")),
        ),
        (
            "is no tensor",
            end(new().raw("}q\0(").text("a").raw("h\0u")),
        ),
        ("no function", end(new().text("os.system").raw(")R"))),
        (
            "no function",
            end(new().global("torch.FloatStorage").raw(")R")),
        ),
        (
            "tuple of arguments",
            end(new().global("collections.OrderedDict").raw("]R")),
        ),
        (
            "no state dict has",
            end(new().global("collections.OrderedDict").raw(b"]\x85R")),
        ),
        (
            "no state dict has",
            end(new().global("torch._utils._rebuild_tensor_v2").raw(")R")),
        ),
        (
            "no parameter",
            end(new()
                .global("torch._utils._rebuild_parameter")
                .raw(b"(}\x89}tR")),
        ),
        ("no storage", end(new().text("storage").raw("Q"))),
        ("no storage", end(new().raw("(").text("module").raw("tQ"))),
        ("sets the state", end(new().raw("]}b"))),
        (
            "sets the state",
            end(new().raw("}").text("__setstate__").raw("b")),
        ),
        (
            "goes on after its end",
            [state(&[("a", SIX)]), vec![b'.']].concat(),
        ),
        ("text that is none", end(new().raw(b"X\x01\0\0\0\xff"))),
        ("a name that is no text", end(new().raw(b"c\xff\nx\n"))),
        (
            "a name that is no text",
            end(new().number(1).number(2).raw([0x93])),
        ),
    ];
    let mut failures = Vec::new();
    for (wanted, pickle) in cases {
        let message = refusal(&with_six(pickle));
        // A parameter of no tensor is said the other way round.
        let wanted = wanted.replace("no parameter", "parameter that is no tensor");
        if !message.contains(&wanted) {
            failures.push((wanted, message));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn more_values_than_any_state_dict_has_are_refused() {
    let pickle = Pickle::new().raw(vec![b'N'; 5 << 20]).end();
    assert!(refusal(&with_six(pickle)).contains("more values than"));
    let pickle = Pickle::new().raw("}q\0").raw(b"h\0".repeat(5 << 20)).end();
    assert!(refusal(&with_six(pickle)).contains("more values than"));
}

#[test]
fn broken_archives_are_refused() {
    let good = state(&[("a", SIX)]);
    let entries = |more: &[(&'static str, &[u8])]| {
        let mut all = vec![("x/data.pkl", good.clone()), ("x/data/0", six())];
        all.extend(more.iter().map(|(name, bytes)| (*name, bytes.to_vec())));
        all
    };
    let wrong = |wrong: Wrong| archive_with(&entries(&[]), wrong);
    let none = Wrong::default();
    let cases = [
        ("occurs twice", archive(&entries(&[("x/data/0", b"y")]))),
        (
            "more than one data.pkl",
            archive(&entries(&[("y/data.pkl", b".")])),
        ),
        ("no data.pkl", archive(&[("x/data/0", six())])),
        ("no data.pkl", archive(&[("a/x/data.pkl", good.clone())])),
        ("no storage `0`", archive(&[("x/data.pkl", good.clone())])),
        (
            "TorchScript",
            archive(&entries(&[("x/constants.pkl", b".")])),
        ),
        (
            "byte order",
            archive(&entries(&[("x/byteorder", b"middle")])),
        ),
        ("compressed", wrong(Wrong { method: 8, ..none })),
        ("encrypted", wrong(Wrong { flags: 1, ..none })),
        (
            "outside the file",
            wrong(Wrong {
                size: 1 << 30,
                ..none
            }),
        ),
        ("not where", wrong(Wrong { header: 3, ..none })),
        (
            "not where",
            wrong(Wrong {
                header: 1 << 30,
                ..none
            }),
        ),
        ("cut off", wrong(Wrong { count: 1, ..none })),
        ("more than the entries", wrong(Wrong { count: -1, ..none })),
        ("not what torch.save", b"PK".to_vec()),
        ("not what torch.save", b"\x80\x02}.".to_vec()),
        ("not what torch.save", Vec::new()),
        ("no zip archive", b"PK\x03\x04".to_vec()),
        (
            "before 0.1.10",
            [vec![0; 257], b"ustar\x0000".to_vec(), vec![0; 400]].concat(),
        ),
    ];
    for (wanted, bytes) in cases {
        let message = refusal(&bytes);
        assert!(message.contains(wanted), "{wanted}: {message}");
    }
    // One entry inside the other.
    let inner = archive(&[("x/data/0", six())]);
    let outer = archive(&[("x/data.pkl", good.clone()), ("x/z", inner)]);
    assert!(open(&outer).is_err());
    // Cut off anywhere.
    let whole = archive(&entries(&[]));
    for end in 0..whole.len() {
        refusal(&whole[..end]);
    }
}
