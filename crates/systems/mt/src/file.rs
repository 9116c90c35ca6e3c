//! `file:PATH`: existing translations. They are read with the benchmark's items; nobody is asked.

use crate::kind::{Form, Kind};

pub(crate) const KIND: Kind = Kind {
    names: &["file"],
    options: &[],
    forms: &[Form {
        form: "file:PATH",
        about: "existing translations",
        needs: "",
        price: None,
    }],
    check: |spec| match spec.place() {
        "" => Err("no path after `file:`".to_owned()),
        _ => Ok(()),
    },
    open: |spec, _| Err(spec.refused("a file has answers and cannot be asked")),
};
