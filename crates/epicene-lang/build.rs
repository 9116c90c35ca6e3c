//! Lists `data/LANG/persons.txt` and `data/LANG/agreement.txt`, so that adding such a file adds its
//! words and needs no code.

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let data = Path::new(&root).join("data");
    println!("cargo::rerun-if-changed=data");
    let mut codes = Vec::new();
    for entry in fs::read_dir(&data)? {
        codes.push(entry?.file_name().to_string_lossy().into_owned());
    }
    codes.sort();
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    for kind in ["persons", "agreement"] {
        let mut list = String::from("&[\n");
        for code in &codes {
            let path = data.join(code).join(format!("{kind}.txt"));
            if path.is_file() {
                list += &format!("({code:?}, include_str!({path:?})),\n");
            }
        }
        list += "]\n";
        fs::write(Path::new(&out).join(format!("{kind}.rs")), list)?;
    }
    Ok(())
}
