#!/usr/bin/env python3
"""Builds and checks the parts of a release. The release workflow and tools/release_dry_run call it; it needs Python 3.11 alone.

    tools/release.py check TAG             the tag, the versions and the changelog agree
    tools/release.py archive TARGET OUT    the program with its licences, as OUT/epicene-VERSION-TARGET.tar.gz
    tools/release.py wheel TARGET OUT      the Python package
    tools/release.py crates OUT            the library crates, each built from its package; prints their sizes
    tools/release.py publish [--dry-run]   the library crates, in the order of their dependencies; skips what is published
    tools/release.py notices               licences of everything that is linked, on standard output
    tools/release.py sbom                  the same as CycloneDX 1.6
    tools/release.py size FILE             the program is not too large
    tools/release.py checksums DIR         DIR/SHA256SUMS over all files of DIR

`archive` and `wheel` for Linux need cargo-zigbuild, maturin and zig (tools/release/requirements.txt); `wheel` needs maturin everywhere."""
import contextlib
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]
VERSION = WORKSPACE["package"]["version"]
TARGETS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")
# zig links against this glibc, so that one program serves every distribution since 2018.
GLIBC = "2.28"
LICENCES = ("LICENSE-MIT", "LICENSE-APACHE", "DATA-LICENCES.md")
DOCUMENTS = ("README.md", "CHANGELOG.md", *LICENCES, "CITATION.cff")
# The program: above the first CI warns, above the second a release fails.
SIZE_WARNING, SIZE_LIMIT = 50_000_000, 60_000_000
# The registry takes no more.
CRATE_LIMIT = 10_000_000
LICENCE_NAME = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.I)


class Problem(Exception):
    """What is wrong with the release, in words."""


def run(*command, **options):
    print("+", *command, file=sys.stderr)
    return subprocess.run([str(word) for word in command], cwd=options.pop("cwd", ROOT), check=True, **options)


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout


# What is linked ------------------------------------------------------------------------------------------------------------------


def linked(targets=TARGETS):
    """The packages of other people that the program and the Python package are linked from, on any target, with their dependencies."""
    packages, needs = {}, {}
    for target in targets:
        metadata = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target))
        by_id = {package["id"]: package for package in metadata["packages"]}
        nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
        # A procedural macro runs in the compiler; it is not part of the program.
        is_macro = {key: any("proc-macro" in part["kind"] for part in package["targets"]) for key, package in by_id.items()}
        waiting = [key for key, package in by_id.items() if package["name"] in ("epicene", "epicene-python")]
        while waiting:
            key = waiting.pop()
            if key in packages and target in packages[key][1]:
                continue
            packages.setdefault(key, (by_id[key], set()))[1].add(target)
            for dependency in nodes[key]["deps"]:
                normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
                if normal and not is_macro[dependency["pkg"]]:
                    needs.setdefault(key, set()).add(dependency["pkg"])
                    waiting.append(dependency["pkg"])
    return {key: package for key, (package, _) in packages.items()}, needs


def licence_files(package):
    """The licences and notices in a package's sources: its own, and those of what it has taken over."""
    root = Path(package["manifest_path"]).parent
    found = [path for path in root.rglob("*") if path.is_file() and LICENCE_NAME.match(path.name) and path.suffix in ("", ".md", ".txt")
             or path.is_file() and re.fullmatch(r"LICENSE-[\w.-]+", path.name)]
    if package.get("license_file"):
        found.append(root / package["license_file"])
    return sorted(set(found))


def notices():
    packages, _ = linked()
    texts = {}
    lines = [
        f"epicene {VERSION}: licences of the software and data that are part of it",
        "",
        "epicene itself is under MIT or Apache-2.0 (LICENSE-MIT, LICENSE-APACHE). DATA-LICENCES.md lists its data.",
        "It is linked from the following crates; the numbers name the texts below.",
        "",
    ]
    foreign = sorted((package for package in packages.values() if package["source"]), key=lambda package: (package["name"], package["version"]))
    for package in foreign:
        files = licence_files(package)
        if not files or not package["license"]:
            raise Problem(f"{package['name']} {package['version']} has no licence text in its sources, or names no licence")
        numbers = []
        for file in files:
            text = file.read_text("utf-8", "replace").replace("\r\n", "\n").strip()
            numbers.append(texts.setdefault(text, len(texts) + 1))
        lines.append(f"{package['name']} {package['version']}: {package['license']}: {', '.join(map(str, sorted(set(numbers))))}")
    standard = Path(output("rustc", "--print", "sysroot").strip()) / "share/doc/rust/licenses"
    lines += ["", "Rust's standard library: MIT OR Apache-2.0, Copyright (c) The Rust Project Contributors. The texts are LICENSE-MIT and LICENSE-APACHE."]
    if (standard / "LLVM-exception.txt").is_file():
        lines.append("It contains code of LLVM (compiler-rt) under Apache-2.0 WITH LLVM-exception.")
        text = (standard / "LLVM-exception.txt").read_text("utf-8").strip()
        lines[-1] += f" The exception is {texts.setdefault(text, len(texts) + 1)}."
    [moses] = (path.read_text("utf-8").strip() for path in ROOT.glob("crates/*/*/data/moses/LICENSE-LGPL-2.1"))
    lines.append(f"Moses' lists of abbreviations (DATA-LICENCES.md): LGPL-2.1-or-later, given on under MIT by sacremoses: {texts.setdefault(moses, len(texts) + 1)}")
    for text, number in texts.items():
        lines += ["", "=" * 100, f"{number}", "", text]
    return "\n".join(lines) + "\n"


def sbom():
    packages, needs = linked()
    checksums = {}
    for package in tomllib.loads((ROOT / "Cargo.lock").read_text("utf-8"))["package"]:
        checksums[package["name"], package["version"]] = package.get("checksum")

    def reference(key):
        package = packages[key]
        return f"pkg:cargo/{package['name']}@{package['version']}"

    def component(key):
        package = packages[key]
        part = {
            "type": "library",
            "bom-ref": reference(key),
            "name": package["name"],
            "version": package["version"],
            "description": (package["description"] or "").strip(),
            "licenses": [{"expression": (package["license"] or "NOASSERTION").replace("/", " OR ")}],
            "purl": reference(key),
        }
        if checksum := checksums.get((package["name"], package["version"])):
            part["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        if package["repository"]:
            part["externalReferences"] = [{"type": "vcs", "url": package["repository"]}]
        return part

    program = next(key for key, package in packages.items() if package["name"] == "epicene")
    order = sorted(packages, key=reference)
    lock = (ROOT / "Cargo.lock").read_bytes()
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        # The same inputs give the same document.
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, VERSION + hashlib.sha256(lock).hexdigest())}",
        "version": 1,
        "metadata": {"component": {**component(program), "type": "application"}},
        "components": [component(key) for key in order if key != program],
        "dependencies": [{"ref": reference(key), "dependsOn": sorted({reference(need) for need in needs.get(key, ())})} for key in order],
    }


# The parts -----------------------------------------------------------------------------------------------------------------------


def check(tag):
    """The tag, the files that name a version and the changelog agree."""
    if tag != f"v{VERSION}":
        raise Problem(f"the tag is {tag}, and Cargo.toml's version is {VERSION}")
    channels = tomllib.loads((ROOT / "releases.toml").read_text("utf-8"))["channels"]
    if channels.get("github") != VERSION:
        raise Problem(f'releases.toml does not list github = "{VERSION}": the action of this tag would install nothing')
    if not re.search(rf"^## {re.escape(VERSION)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M):
        raise Problem(f"CHANGELOG.md has no section {VERSION}")
    if not re.search(rf'^version: "?{re.escape(VERSION)}"?$', (ROOT / "CITATION.cff").read_text("utf-8"), re.M):
        raise Problem(f"CITATION.cff does not name version {VERSION}")
    check_dependencies()


def check_dependencies():
    """Published crates need crates of this version, and no crate that is not published."""
    metadata, published = members()
    for package in metadata["packages"]:
        for need in package["dependencies"]:
            # Without a version a dependency of tests alone is left out of the package.
            if not published[package["name"]] or not need.get("path") or (need["kind"] == "dev" and need["req"] == "*"):
                continue
            if not published[need["name"]]:
                raise Problem(f"{package['name']} is published and needs {need['name']}, which is not")
            if need["req"] != f"={VERSION}":
                raise Problem(f'{package["name"]} needs {need["name"]} {need["req"]}; write version = "={VERSION}" in Cargo.toml')


def archive(target, out):
    built = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / target / "dist"
    arguments = ["--profile", "dist", "--locked", "-p", "epicene", "--target"]
    if "linux" in target:
        run("cargo", "zigbuild", *arguments, f"{target}.{GLIBC}")
    else:
        run("cargo", "build", *arguments, target)
    program = built / ("epicene.exe" if "windows" in target else "epicene")
    size(program)
    if "linux" in target:
        check_glibc(program)
    name = f"epicene-{VERSION}-{target}"
    path = Path(out) / f"{name}.tar.gz"
    # Names, times and owners are the same in every build.
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed, tarfile.open(fileobj=packed, mode="w") as tar:
        members = [(ROOT / document, document, 0o644) for document in DOCUMENTS] + [(program, program.name, 0o755)]
        for source, member, mode in members:
            add(tar, f"{name}/{member}", source.read_bytes(), mode)
        add(tar, f"{name}/THIRD-PARTY-NOTICES.txt", notices().encode(), 0o644)
    print(f"{path}: {path.stat().st_size} bytes")


def size(program):
    found = Path(program).stat().st_size
    print(f"{program}: {found} bytes; the limit is {SIZE_LIMIT}")
    if found > SIZE_LIMIT:
        raise Problem("the program is too large; docs/releasing.md says what it is made of")
    if found > SIZE_WARNING:
        print(f"warning: the program is larger than {SIZE_WARNING} bytes", file=sys.stderr)


def add(tar, name, content, mode):
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), mode
    tar.addfile(member, io.BytesIO(content))


def check_glibc(program):
    symbols = output("objdump", "-T", str(program))
    wanted = sorted({tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([0-9.]+)", symbols)})
    limit = tuple(map(int, GLIBC.split(".")))
    if not wanted or wanted[-1] > limit:
        raise Problem(f"{program} needs glibc {wanted[-1:]}; the limit is {GLIBC}")


def wheel(target, out):
    texts = ROOT / "python/THIRD-PARTY-NOTICES.txt"
    texts.write_text(notices(), "utf-8", newline="\n")
    options = ["--zig", "--compatibility", f"manylinux_{GLIBC.replace('.', '_')}"] if "linux" in target else []
    run("maturin", "build", "--profile", "dist", "--target", target, *options, "--out", Path(out).resolve(), cwd=ROOT / "python")


def members():
    """The packages of the workspace, and whether each is published."""
    metadata = json.loads(output("cargo", "metadata", "--format-version", "1", "--locked", "--no-deps"))
    return metadata, {package["name"]: package["publish"] != [] for package in metadata["packages"]}


@contextlib.contextmanager
def licences_in_crates(metadata, names):
    """Copies the licences into the crates while they are packaged: the registry wants them in each, the repository once."""
    if changed := output("git", "status", "--porcelain"):
        raise Problem(f"crates are packaged from a clean checkout; these files are not committed:\n{changed.rstrip()}")
    copies = []
    try:
        for package in metadata["packages"]:
            if package["name"] in names:
                for licence in LICENCES:
                    copies.append(Path(package["manifest_path"]).with_name(licence))
                    shutil.copyfile(ROOT / licence, copies[-1])
        yield
    finally:
        for copy in copies:
            copy.unlink(missing_ok=True)


def crates(out):
    check_dependencies()
    metadata, published = members()
    names = [name for name, is_published in published.items() if is_published]
    unpublished = [name for name, is_published in published.items() if not is_published]
    excluded = [word for name in unpublished for word in ("--exclude", name)]
    # In one folder, so that what the crates share is built once; nobody debugs these builds.
    target = metadata["target_directory"]
    settings = {"CARGO_TARGET_DIR": target, "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0"}
    with licences_in_crates(metadata, names):
        # Dirty by the licences alone: `licences_in_crates` stops if anything else is not committed.
        run("cargo", "package", "--workspace", "--locked", "--allow-dirty", *excluded, env={**os.environ, **settings})
    built = Path(target) / "package"
    for name in sorted(names):
        path = built / f"{name}-{VERSION}.crate"
        size = path.stat().st_size
        print(f"{path.name}: {size} bytes")
        if size > CRATE_LIMIT:
            raise Problem(f"{path.name} is larger than the {CRATE_LIMIT} bytes that the registry takes")
        with tarfile.open(path) as tar:
            for licence in LICENCES:
                try:
                    held = tar.extractfile(f"{name}-{VERSION}/{licence}").read()
                except KeyError:
                    held = None
                if held != (ROOT / licence).read_bytes():
                    raise Problem(f"{path.name} does not hold the repository's {licence}")
        shutil.copy(path, out)


def publish(dry):
    metadata, published = members()
    needs = {package["name"]: {need["name"] for need in package["dependencies"] if need.get("path")} for package in metadata["packages"]}
    names = sorted(name for name, is_published in published.items() if is_published)
    waiting, done = list(names), []
    with licences_in_crates(metadata, names):
        while waiting:
            name = next((name for name in waiting if needs[name] <= set(done)), None)
            if name is None:
                raise Problem(f"{', '.join(waiting)} need each other, or a crate that is not published")
            waiting.remove(name)
            done.append(name)
            if is_published(name):
                print(f"{name} {VERSION}: already published")
            elif dry:
                print(f"{name} {VERSION}: would be published")
            else:
                run("cargo", "publish", "--locked", "--no-verify", "--allow-dirty", "--package", name)


def is_published(name):
    # Asked outside of the workspace, where cargo would answer with the checkout's own crate.
    with tempfile.TemporaryDirectory() as folder:
        command = ["cargo", "info", "--quiet", "--registry", "crates-io", f"{name}@{VERSION}"]
        asked = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    if asked.returncode != 0 and "could not find" not in asked.stderr:
        raise Problem(f"cargo cannot ask the registry for {name} {VERSION}: {asked.stderr.strip()}")
    return asked.returncode == 0


def checksums(directory):
    files = sorted(path for path in Path(directory).iterdir() if path.is_file() and path.name != "SHA256SUMS")
    if not files:
        raise Problem(f"{directory} holds no files")
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (Path(directory) / "SHA256SUMS").write_text("".join(lines), "utf-8", newline="\n")


def main(arguments):
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    match arguments:
        case ["check", tag]:
            check(tag)
        case ["archive" | "wheel" as part, target, out] if target in TARGETS:
            Path(out).mkdir(parents=True, exist_ok=True)
            {"archive": archive, "wheel": wheel}[part](target, out)
        case ["crates", out]:
            Path(out).mkdir(parents=True, exist_ok=True)
            crates(out)
        case ["publish"] | ["publish", "--dry-run"]:
            publish(len(arguments) == 2)
        case ["notices"]:
            print(notices(), end="")
        case ["sbom"]:
            print(json.dumps(sbom(), indent=1, ensure_ascii=False))
        case ["size", program]:
            size(program)
        case ["checksums", directory]:
            checksums(directory)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Problem as problem:
        sys.exit(f"error: {problem}")
