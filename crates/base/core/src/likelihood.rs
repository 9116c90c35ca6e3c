//! Ways to give a sentence a likelihood with a masked model.

use std::fmt;

/// The last three depend on the sentence it is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LikelihoodMethod {
    /// All unmasked, weighted by attention (Kaneko & Bollegala 2022).
    Aula,
    /// All unmasked, plain mean.
    Aul,
    /// Shared tokens masked one by one (CrowS-Pairs).
    Cps,
    /// Modified tokens masked together (StereoSet-style).
    Sss,
    /// SSS as the released script computes it.
    SssReleased,
}

impl LikelihoodMethod {
    pub const ALL: [LikelihoodMethod; 5] = [
        LikelihoodMethod::Aula,
        LikelihoodMethod::Aul,
        LikelihoodMethod::Cps,
        LikelihoodMethod::Sss,
        LikelihoodMethod::SssReleased,
    ];

    pub fn name(self) -> &'static str {
        match self {
            LikelihoodMethod::Aula => "aula",
            LikelihoodMethod::Aul => "aul",
            LikelihoodMethod::Cps => "cps",
            LikelihoodMethod::Sss => "sss",
            LikelihoodMethod::SssReleased => "sss-released",
        }
    }

    pub fn from_name(name: &str) -> Option<LikelihoodMethod> {
        let mut all = LikelihoodMethod::ALL.into_iter();
        all.find(|method| method.name() == name)
    }

    /// Whether a sentence's likelihood depends on the sentence it is compared with.
    pub fn needs_pair(self) -> bool {
        !matches!(self, LikelihoodMethod::Aula | LikelihoodMethod::Aul)
    }
}

impl fmt::Display for LikelihoodMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
