//! The names that a state dict may have, and no others.

/// How the numbers of a storage are kept: the name of its class.
pub type Kind = &'static str;

/// The storages of PyTorch, and the bytes of one number of each.
const STORAGES: &[(Kind, usize)] = &[
    ("FloatStorage", 4),
    ("HalfStorage", 2),
    ("BFloat16Storage", 2),
    ("DoubleStorage", 8),
    ("LongStorage", 8),
    ("IntStorage", 4),
    ("ShortStorage", 2),
    ("CharStorage", 1),
    ("ByteStorage", 1),
    ("BoolStorage", 1),
];

/// What may be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Global {
    OrderedDict,
    RebuildTensor,
    RebuildTensorV2,
    RebuildParameter,
    Storage(Kind),
}

impl Global {
    pub fn named(module: &str, name: &str) -> Option<Global> {
        Some(match (module, name) {
            ("collections", "OrderedDict") => Global::OrderedDict,
            ("torch._utils", "_rebuild_tensor") => Global::RebuildTensor,
            ("torch._utils", "_rebuild_tensor_v2") => Global::RebuildTensorV2,
            ("torch._utils", "_rebuild_parameter") => Global::RebuildParameter,
            ("torch", name) => {
                let (kind, _) = STORAGES.iter().find(|(kind, _)| *kind == name)?;
                Global::Storage(kind)
            }
            _ => return None,
        })
    }
}

/// Functions that make tensors of kinds that are not read here, and what those are.
pub const OTHER_TENSORS: &[(&str, &str)] = &[
    (
        "_rebuild_tensor_v3",
        "of eight-bit floats or unsigned integers",
    ),
    ("_rebuild_qtensor", "that are quantised"),
];

/// Bytes of one number of a storage.
pub fn width(kind: Kind) -> usize {
    STORAGES
        .iter()
        .find(|(name, _)| *name == kind)
        .map(|(_, width)| *width)
        .expect("storages are made of this table")
}
