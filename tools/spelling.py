#!/usr/bin/env python3
"""Finds misspelt words in README, the other pages of the repository, docs and the program's help.

    tools/spelling.py [PROGRAM]       with PROGRAM (target/debug/epicene) its help is read, too

A word is right if hunspell knows it in American or British English, or if tools/spelling-words.txt lists it: names, terms of the field,
examples in other languages. Code is not read. Ends with 1 if a word is wrong."""
import re
import subprocess
import sys
from pathlib import Path

from readability import ROOT, prose

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
NOT_PROSE = re.compile(r"https?://\S+|\S+@\S+|<[^>]*>|`[^`]*`")
# In help: options, values in capitals, files and names with signs in them are not prose either.
NOT_HELP = re.compile(r"\S*[<>{}\[\]_=/\\|]\S*|--?\w\S*|\b[A-Z][A-Z0-9]+\b|\S+[.:]\S+|'[^']*'|\"[^\"]*\"")


def pages():
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


def lines_of_pages():
    for page in pages():
        for number, _, line in prose(page.read_text("utf-8")):
            yield f"{page.relative_to(ROOT)}:{number}", NOT_PROSE.sub(" ", line)


def lines_of_help(program):
    """The help of every command, found through the groups that `epicene --help` lists."""

    def text(*words):
        return subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout

    def subcommands(help_text):
        return re.findall(r"^  ([a-z][a-z-]+)  +\S", help_text.split("Options:")[0], re.M)

    commands = [()]
    for command in commands:
        found = text(*command)
        if len(command) < 2:
            commands.extend((*command, name) for name in subcommands(found) if name != "help")
        for number, line in enumerate(found.split("Examples:")[0].splitlines(), 1):
            yield f"epicene {' '.join((*command, '--help'))}:{number}", NOT_HELP.sub(" ", NOT_PROSE.sub(" ", line))


def main():
    listed = {
        word for line in (ROOT / "tools/spelling-words.txt").read_text("utf-8").splitlines() if not line.startswith("#") for word in line.split()
    }
    lines = list(lines_of_pages())
    if len(sys.argv) > 1:
        lines += lines_of_help(sys.argv[1])
    places = {}
    for place, line in lines:
        for word in WORD.findall(line):
            word = word.replace("’", "'").removesuffix("'s")
            if len(word) > 2:
                places.setdefault(word, []).append(place)
    unknown = subprocess.run(
        ["hunspell", "-l", "-i", "utf-8", "-d", "en_US,en_GB"],
        input="\n".join(places), capture_output=True, text=True, check=True,
    ).stdout.split()
    wrong = sorted(word for word in set(unknown) if word in places and word not in listed)
    for word in wrong:
        print(f"{places[word][0]}: `{word}` is in no dictionary; correct it or list it in tools/spelling-words.txt")
    print(f"{len(places)} different words, {len(wrong)} unknown")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
