//! How the numbers of a tensor are stored: plain, or in blocks with a scale of their own.

/// A type this engine reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    F32,
    F16,
    Bf16,
    Q8_0,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q4K,
    Q5K,
    Q6K,
    Q2K,
    Q3K,
    Iq2Xxs,
    Iq2Xs,
    Iq3Xxs,
    Iq1S,
    Iq4Nl,
    Iq3S,
    Iq2S,
    Iq4Xs,
    Iq1M,
    Tq1_0,
    Tq2_0,
    Mxfp4,
}

/// Number in the file, name, type if it is read here.
const KNOWN: &[(u32, &str, Option<Kind>)] = &[
    (0, "F32", Some(Kind::F32)),
    (1, "F16", Some(Kind::F16)),
    (2, "Q4_0", Some(Kind::Q4_0)),
    (3, "Q4_1", Some(Kind::Q4_1)),
    (6, "Q5_0", Some(Kind::Q5_0)),
    (7, "Q5_1", Some(Kind::Q5_1)),
    (8, "Q8_0", Some(Kind::Q8_0)),
    (9, "Q8_1", None),
    (10, "Q2_K", Some(Kind::Q2K)),
    (11, "Q3_K", Some(Kind::Q3K)),
    (12, "Q4_K", Some(Kind::Q4K)),
    (13, "Q5_K", Some(Kind::Q5K)),
    (14, "Q6_K", Some(Kind::Q6K)),
    (15, "Q8_K", None),
    (16, "IQ2_XXS", Some(Kind::Iq2Xxs)),
    (17, "IQ2_XS", Some(Kind::Iq2Xs)),
    (18, "IQ3_XXS", Some(Kind::Iq3Xxs)),
    (19, "IQ1_S", Some(Kind::Iq1S)),
    (20, "IQ4_NL", Some(Kind::Iq4Nl)),
    (21, "IQ3_S", Some(Kind::Iq3S)),
    (22, "IQ2_S", Some(Kind::Iq2S)),
    (23, "IQ4_XS", Some(Kind::Iq4Xs)),
    (24, "I8", None),
    (25, "I16", None),
    (26, "I32", None),
    (27, "I64", None),
    (28, "F64", None),
    (29, "IQ1_M", Some(Kind::Iq1M)),
    (30, "BF16", Some(Kind::Bf16)),
    (34, "TQ1_0", Some(Kind::Tq1_0)),
    (35, "TQ2_0", Some(Kind::Tq2_0)),
    (39, "MXFP4", Some(Kind::Mxfp4)),
];

impl Kind {
    /// The type with a number, or how to call the one that is not read.
    pub fn of(code: u32) -> Result<Kind, String> {
        match KNOWN.iter().find(|(known, ..)| *known == code) {
            Some((_, _, Some(kind))) => Ok(*kind),
            Some((_, name, None)) => Err((*name).to_owned()),
            None => Err(format!("type {code}")),
        }
    }

    pub fn name(self) -> &'static str {
        let found = KNOWN.iter().find(|(.., kind)| *kind == Some(self));
        found.map_or("?", |(_, name, _)| name)
    }

    /// Numbers in a block.
    pub const fn block(self) -> usize {
        match self {
            Kind::F32 | Kind::F16 | Kind::Bf16 => 1,
            Kind::Q8_0 | Kind::Q4_0 | Kind::Q4_1 | Kind::Q5_0 | Kind::Q5_1 => 32,
            Kind::Iq4Nl | Kind::Mxfp4 => 32,
            Kind::Q4K | Kind::Q5K | Kind::Q6K => 256,
            Kind::Q2K
            | Kind::Q3K
            | Kind::Iq2Xxs
            | Kind::Iq2Xs
            | Kind::Iq3Xxs
            | Kind::Iq1S
            | Kind::Iq3S
            | Kind::Iq2S
            | Kind::Iq4Xs
            | Kind::Iq1M
            | Kind::Tq1_0
            | Kind::Tq2_0 => 256,
        }
    }

    /// Bytes of a block.
    pub const fn block_bytes(self) -> usize {
        match self {
            Kind::F32 => 4,
            Kind::F16 | Kind::Bf16 => 2,
            Kind::Q8_0 => 34,
            Kind::Q4_0 => 18,
            Kind::Q4_1 => 20,
            Kind::Q5_0 => 22,
            Kind::Q5_1 => 24,
            Kind::Q4K => 144,
            Kind::Q5K => 176,
            Kind::Q6K => 210,
            Kind::Q2K => 84,
            Kind::Q3K => 110,
            Kind::Iq2Xxs => 66,
            Kind::Iq2Xs => 74,
            Kind::Iq3Xxs => 98,
            Kind::Iq1S => 50,
            Kind::Iq4Nl => 18,
            Kind::Iq3S => 110,
            Kind::Iq2S => 82,
            Kind::Iq4Xs => 136,
            Kind::Iq1M => 56,
            Kind::Tq1_0 => 54,
            Kind::Tq2_0 => 66,
            Kind::Mxfp4 => 17,
        }
    }
}
