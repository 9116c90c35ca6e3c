//! Data sets that may be used but not shipped, with the hash that makes a download theirs.

use crate::failure::Failure;

pub struct Dataset {
    pub name: &'static str,
    pub about: &'static str,
    pub licence: &'static str,
    pub editions: &'static [Edition],
}

pub struct Edition {
    pub version: &'static str,
    pub file: &'static str,
    pub url: &'static str,
    pub sha256: &'static str,
    pub bytes: u64,
}

pub static CATALOGUE: &[Dataset] = &[Dataset {
    name: "gest",
    about: "3,565 sentences of 16 gender stereotypes (editions 1.0 and 1.1)",
    licence: "Apache-2.0",
    editions: &[
        Edition {
            version: "1.0",
            file: "gest.csv",
            url: "https://raw.githubusercontent.com/kinit-sk/gest/7dd908cae11720ee5d95e43a4ab94fb410c8b790/data/gest.csv",
            sha256: "7e306adaa2913b660c6ddccddb26703a1de8c880cb0597ad27db4bca75380eea",
            bytes: 214_899,
        },
        Edition {
            version: "1.1",
            file: "gest_1.1.csv",
            url: "https://raw.githubusercontent.com/kinit-sk/gest/7dd908cae11720ee5d95e43a4ab94fb410c8b790/data/gest_1.1.csv",
            sha256: "51d14d5dc648d5be867d40bd312c016471c485827f6c28488c7234b9d30fcd9c",
            bytes: 218_585,
        },
    ],
}];

pub fn dataset(name: &str) -> Result<&'static Dataset, Failure> {
    CATALOGUE
        .iter()
        .find(|dataset| dataset.name == name)
        .ok_or_else(|| {
            let known: Vec<&str> = CATALOGUE.iter().map(|dataset| dataset.name).collect();
            Failure::usage(format!("unknown data set `{name}`"))
                .with_hint(format!("known here: {}", known.join(", ")))
        })
}

/// The edition a name means: `gest` is its first, `gest-1.1` that one.
pub fn edition(name: &str) -> Option<(&'static Dataset, &'static Edition)> {
    CATALOGUE.iter().find_map(|dataset| {
        let rest = name.strip_prefix(dataset.name)?;
        let edition = match rest.strip_prefix('-') {
            None if rest.is_empty() => dataset.editions.first(),
            None => None,
            Some(version) => dataset.editions.iter().find(|e| e.version == version),
        };
        Some((dataset, edition?))
    })
}
