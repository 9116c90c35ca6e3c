//! Under which licence the data of a run stand, and whether it lets others read them.

use epicene_core::DataCard;

use super::{MINI_NAME, catalogue};

/// What is on record of a data set.
pub struct Published {
    pub licence: &'static str,
    /// Where its authors keep it; data inside the program have no address of their own.
    pub source: Option<&'static str>,
}

/// The record of an edition. A file of one's own has none, although it carries the benchmark's name.
pub fn published(data: &DataCard) -> Option<Published> {
    // Sets that this program makes or holds are under its own licence; files of one's own have the version `custom`.
    if data.is(MINI_NAME, "1") || data.version.starts_with("epicene-") {
        return Some(Published {
            licence: "MIT OR Apache-2.0",
            source: None,
        });
    }
    let dataset = catalogue::all()
        .iter()
        .find(|dataset| dataset.name == data.name)?;
    let mut editions = dataset.editions.iter();
    editions
        .any(|edition| edition.version == data.version)
        .then_some(Published {
            licence: &dataset.licence,
            source: Some(&dataset.source),
        })
}

/// Licences that let anybody publish copies. What is not listed does not, nor does what forbids commerce or changes.
const OPEN: [&str; 10] = [
    "MIT",
    "APACHE-2.0",
    "BSD-2-CLAUSE",
    "BSD-3-CLAUSE",
    "CC0-1.0",
    "ODC-BY-1.0",
    "CC-BY-3.0",
    "CC-BY-4.0",
    "CC-BY-SA-3.0",
    "CC-BY-SA-4.0",
];

/// Whether sentences under a licence may be published; one of several alternatives is enough.
pub fn allows_redistribution(licence: &str) -> bool {
    let licence = licence.to_ascii_uppercase();
    licence.split(" OR ").any(|one| OPEN.contains(&one.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_licences_on_the_list_let_sentences_out() {
        for open in ["MIT", "Apache-2.0", "MIT OR Apache-2.0", "cc-by-sa-4.0"] {
            assert!(allows_redistribution(open), "{open}");
        }
        for closed in [
            "none",
            "",
            "CC-BY-NC-4.0",
            "CC-BY-ND-4.0",
            "MIT AND proprietary",
        ] {
            assert!(!allows_redistribution(closed), "{closed}");
        }
    }

    #[test]
    fn a_file_of_ones_own_has_no_licence_on_record() {
        let card = |name: &str, version: &str| DataCard {
            name: name.to_owned(),
            version: version.to_owned(),
            sha256: String::new(),
            items: 1,
        };
        assert!(published(&card(MINI_NAME, "1")).is_some());
        for dataset in catalogue::all() {
            assert!(published(&card(&dataset.name, "custom")).is_none());
            for edition in &dataset.editions {
                let known = published(&card(&dataset.name, &edition.version)).unwrap();
                assert_eq!(known.licence, dataset.licence);
            }
        }
    }
}
