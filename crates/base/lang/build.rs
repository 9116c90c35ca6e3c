//! Packs the word lists, `data/LANG/NAME.txt`, and lists `persons.txt`, `agreement.txt`, `inclusive.txt`, `speaker.txt`, `words.txt` and
//! `language.toml` of all languages, so that adding such a file adds its words and needs no code.

use std::path::Path;
use std::{env, fs, io};

use miniz_oxide::deflate::compress_to_vec_zlib;

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let data = Path::new(&root).join("data");
    println!("cargo::rerun-if-changed=data");
    println!("cargo::rerun-if-changed=build.rs");
    let mut codes = Vec::new();
    for entry in fs::read_dir(&data)? {
        codes.push(entry?.file_name().to_string_lossy().into_owned());
    }
    codes.sort();
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    let out = Path::new(&out);
    let mut lists = [
        ("persons", String::from("&[\n")),
        ("agreement", String::from("&[\n")),
        ("inclusive", String::from("&[\n")),
        ("speaker", String::from("&[\n")),
        ("language", String::from("&[\n")),
        ("words", String::from("&[\n")),
    ];
    for code in codes {
        let folder = data.join(&code);
        if !folder.is_dir() {
            continue;
        }
        fs::create_dir_all(out.join(&code))?;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let Some(name) = path.file_stem().and_then(|name| name.to_str()) else {
                continue;
            };
            let packed = out.join(&code).join(format!("{name}.txt.z"));
            fs::write(&packed, compress_to_vec_zlib(&fs::read(&path)?, 9))?;
            for (kind, list) in &mut lists {
                if name == *kind {
                    *list += &format!("({code:?}, Packed(include_bytes!({packed:?}))),\n");
                }
            }
        }
    }
    for (kind, list) in lists {
        fs::write(out.join(format!("{kind}.rs")), list + "]\n")?;
    }
    Ok(())
}
