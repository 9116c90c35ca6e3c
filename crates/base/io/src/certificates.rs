//! Which authorities may vouch for a server: those of the system, so that a private one works here as it does in other
//! programs. `SSL_CERT_FILE` and `SSL_CERT_DIR` say where they are, as for OpenSSL. Where the system has none, Mozilla's
//! list in the program is used.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use epicene_core::InputError;
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};

use crate::regular;

const FILE: &str = "SSL_CERT_FILE";
const DIRECTORY: &str = "SSL_CERT_DIR";

/// Where systems keep their authorities in one file.
const BUNDLES: [&str; 5] = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
    "/usr/local/etc/ssl/cert.pem",
];

/// The largest file of certificates.
const LARGEST: u64 = 16 << 20;

/// Refuses variables that name no certificates. Falling back to another list would be a surprise.
pub(crate) fn check() -> Result<(), InputError> {
    roots().as_ref().map(|_| ()).map_err(Clone::clone)
}

pub(crate) fn tls() -> TlsConfig {
    let roots = match roots() {
        Ok(roots) => roots.clone(),
        // With no authority, every encrypted connection fails.
        Err(_) => RootCerts::new_with_certs(&[]),
    };
    TlsConfig::builder().root_certs(roots).build()
}

fn roots() -> &'static Result<RootCerts, InputError> {
    static ROOTS: OnceLock<Result<RootCerts, InputError>> = OnceLock::new();
    ROOTS.get_or_init(|| {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        find(
            set(FILE).map(PathBuf::from).as_deref(),
            set(DIRECTORY).as_deref(),
            &BUNDLES.map(Path::new),
        )
    })
}

fn find(
    file: Option<&Path>,
    directories: Option<&std::ffi::OsStr>,
    bundles: &[&Path],
) -> Result<RootCerts, InputError> {
    let mut found = Vec::new();
    if let Some(file) = file {
        let read = certificates(file);
        let read = read.map_err(|problem| refused(FILE, file, &problem))?;
        if read.is_empty() {
            return Err(refused(FILE, file, "the file holds no certificate"));
        }
        found.extend(read);
    }
    if let Some(directories) = directories {
        for directory in std::env::split_paths(directories) {
            let listing = fs::read_dir(&directory)
                .map_err(|error| refused(DIRECTORY, &directory, &error.to_string()))?;
            let mut files: Vec<PathBuf> = listing.filter_map(|f| Some(f.ok()?.path())).collect();
            files.sort();
            // Other files may be beside them, as OpenSSL allows.
            found.extend(
                files
                    .iter()
                    .filter_map(|file| certificates(file).ok())
                    .flatten(),
            );
        }
        if found.is_empty() {
            return Err(refused(
                DIRECTORY,
                Path::new(directories),
                "no certificate is there",
            ));
        }
    }
    if file.is_none() && directories.is_none() {
        let bundle = bundles.iter().filter_map(|file| certificates(file).ok());
        found = bundle
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default();
    }
    if found.is_empty() {
        return Ok(RootCerts::WebPki);
    }
    Ok(RootCerts::new_with_certs(&found))
}

fn refused(variable: &str, path: &Path, problem: &str) -> InputError {
    InputError::new(variable, format!("`{}`: {problem}", path.display()))
        .with_hint(format!("name PEM certificates, or unset {variable}"))
}

/// The certificates of a PEM file.
fn certificates(path: &Path) -> Result<Vec<Certificate<'static>>, String> {
    let pem = regular::read(path, LARGEST).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for item in parse_pem(&pem) {
        match item.map_err(|error| error.to_string())? {
            PemItem::Certificate(certificate) => found.push(certificate),
            _ => continue,
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A certificate made for this test: `openssl req -x509 -newkey ed25519 -nodes -subj /CN=Test -days 36500`.
    const PEM: &str = include_str!("../tests/tables/authority.pem");

    fn count(roots: &RootCerts) -> usize {
        match roots {
            RootCerts::Specific(found) => found.len(),
            _ => 0,
        }
    }

    #[test]
    fn authorities_of_the_system_and_of_variables_are_used() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path
        };
        let one = write("one.pem", PEM);
        let two = write("certs/two.pem", &format!("# two\n{PEM}{PEM}"));
        write("certs/README", "no certificate");
        let none = write("empty/none.pem", "-");
        let missing = folder.path().join("missing.pem");
        let directory = two.parent().unwrap().as_os_str();
        assert_eq!(count(&find(Some(&one), None, &[]).unwrap()), 1);
        assert_eq!(count(&find(None, Some(directory), &[&one]).unwrap()), 2);
        assert_eq!(count(&find(Some(&one), Some(directory), &[]).unwrap()), 3);
        assert_eq!(count(&find(None, None, &[&missing, &two]).unwrap()), 2);
        assert!(matches!(
            find(None, None, &[&missing]),
            Ok(RootCerts::WebPki)
        ));
        for refused in [
            find(Some(&missing), None, &[&one]),
            find(Some(&none), None, &[&one]),
            find(Some(folder.path()), None, &[&one]),
            find(None, Some(none.parent().unwrap().as_os_str()), &[&one]),
            find(None, Some(missing.as_os_str()), &[&one]),
        ] {
            let error = refused.unwrap_err();
            assert!(error.file.starts_with("SSL_CERT_"), "{error}");
        }
    }
}
