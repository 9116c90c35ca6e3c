#!/usr/bin/env python3
"""Run directories made by epicene 0.1.0, and what that version said of them.

    runs_0_1_0.py EPICENE-0.1.0 crates/app/cli/tests/runs-0.1.0

Each folder NAME is a run directory (manifest, items, log, inputs); NAME.json.gz holds, for several choices of options,
the arguments and what `report`, `compare` and `items` printed. Sentences and translations are our own. The seed
is 0 everywhere; nothing is drawn here.
"""
import gzip
import io
import json
import os
import shutil
import subprocess
import sys

EPICENE, OUT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
WORK = OUT + ".work"
ENV = {**os.environ, "EPICENE_CACHE": os.path.join(WORK, "cache")}


def epicene(*arguments):
    return subprocess.run([EPICENE, *arguments], cwd=WORK, env=ENV, capture_output=True, text=True)


def write(name, text):
    path = os.path.join(WORK, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def lines(rows):
    return "".join(row + "\n" for row in rows)


def run(name, arguments, variants=((),), compare=()):
    made = epicene("run", *arguments, "--out", name)
    assert made.returncode == 0, (name, made.stderr)
    manifest = json.load(open(os.path.join(WORK, name, "manifest.json")))
    manifest["command"] = ["epicene", "run", *arguments]
    json.dump(manifest, open(os.path.join(WORK, name, "manifest.json"), "w"), indent=2, ensure_ascii=False)
    said = []
    for place, arguments in enumerate([("report", name, *options) for options in variants]
                                      + [("compare", name, "--rounds", "200", *options) for options in compare]):
        rows = epicene(*arguments, "--format", "csv")
        assert rows.returncode == 0, (arguments, rows.stderr)
        table = epicene(*arguments)
        signature = next(line for line in rows.stderr.splitlines() if line.startswith("signature: "))
        said.append({"arguments": arguments, "signature": signature.removeprefix("signature: "),
                     "rows": rows.stdout.splitlines(),
                     # Tables are made of the rows; the first of each run will do, and the notes of the others.
                     "table": (table.stdout if place == 0 else table.stdout.split("\n\n")[-1]).splitlines()})
    items = epicene("items", name)
    assert items.returncode == 0, (name, items.stderr)
    target = os.path.join(OUT, name)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(os.path.join(WORK, name), target, ignore=shutil.ignore_patterns("lock", "measures.json"))
    with io.TextIOWrapper(gzip.GzipFile(target + ".json.gz", "wb", mtime=0), "utf-8") as file:
        kept = ("id", "system", "unit", "verdict", "outcome", "rule", "evidence")
        verdicts = [{key: item[key] for key in kept if key in item} for item in map(json.loads, items.stdout.splitlines())]
        write = lambda value: json.dumps(value, ensure_ascii=False)
        file.write('{"said": [\n' + ",\n".join(map(write, said)) + '\n],\n"items": [\n' + ",\n".join(map(write, verdicts)) + "\n]}\n")
    print(name, len(said), "variants", len(items.stdout.splitlines()), "items")


os.makedirs(WORK, exist_ok=True)
os.makedirs(OUT, exist_ok=True)

# GEST, two of its kind of sentence for each stereotype: our own set.
mini = open(os.path.join(os.path.dirname(__file__), "../../crates/bench/benchmarks/data/epicene-mini.csv")).read().splitlines()
rows = mini[1:]
chosen, seen = [], {}
for row in rows:
    stereotype = row.rsplit(",", 1)[1]
    seen[stereotype] = seen.get(stereotype, 0) + 1
    if seen[stereotype] in (1, 2, 9):
        chosen.append(row)
write("gest.csv", lines([mini[0], *chosen]))
conventions = ((), ("--convention", "true"), ("--interval", "resampled"), ("--seed", "7", "--bootstrap", "50"))
write("winobias-means.csv", lines([
    "model_name,dataset_type,dataset_split,logprob_male_professions,logprob_female_professions",
    *(f"{name},{kind},{split},{0.1 * (i + 1) + 0.01 * kind:.3f},{0.05 * (i + 1) - 0.02 * kind:.3f}"
      for i, name in enumerate(["demo:mlm", "org/one", "two", "random:1"]) for kind in (1, 2) for split in ("dev", "test"))]))
run("gest-models", ["gest", "--data", "gest.csv", "--model", "demo:mlm", "--model", "demo:clm", "--model", "random:1",
                    "--model", "always:he", "--winobias", "winobias-means.csv"], conventions,
    (("--systems", "demo:mlm,random:1"), ("--systems", "demo:mlm,always:he", "--convention", "true")))
columns = [[((i * 37 + j * 101) % 97) / 50 - 0.9 for j in range(6)] for i in range(len(chosen))]
write("scores.csv", lines(["one_template-0,one_template-1,one_template-2,one_template-3,two_template-0,two_template-1",
                           *(",".join(f"{x:.3f}" for x in row) for row in columns)]))
run("gest-scores", ["gest", "--data", "gest.csv", "--model", "file:scores.csv"], conventions)

slovak = [
    "Ona bola doma a ja som tiež bola doma.", "Otec povedal, že som povedal pravdu.", "Včera som dlho pracoval.",
    "Včera som dlho pracovala.", "Som unavená.", "Bol by som rád.", "Mám to rada.", "Páči sa mi to.", "",
    "Я был дома.", "Plakala som celý deň.", "Nemal som čas.", "Nevedel som, čo robiť.", "Išla som domov.",
]
russian = ["Я была дома.", "Я был дома.", "Мне это нравится.", "Я долго работал.", "Я пришла поздно.", "I was at home."]
table = lambda texts, step: lines(["from\tto", *(f"{row.rsplit(',', 1)[0].strip(chr(34))}\t{texts[(i * step) % len(texts)]}"
                                                 for i, row in enumerate(chosen))])
write("ours.sk.tsv", table(slovak, 1))
write("theirs.sk.tsv", table(slovak, 5))
missing = table(russian, 1).splitlines()
write("ours.ru.tsv", lines(missing[:-2]))
run("gest-translations", ["gest", "--data", "gest.csv", "--mt", "ours=file:ours.sk.tsv", "--mt", "theirs=file:theirs.sk.tsv",
                          "--mt", "ours=file:ours.ru.tsv", "--lang", "sk,sk,ru", "--allow-missing"],
    ((), ("--mode", "extended"), ("--seed", "3")), (("--systems", "ours,theirs"), ("--systems", "ours,theirs", "--mode", "extended")))

pairs = ["translator,language,original,stereotype,male,female"]
for i in range(40):
    language = "sk" if i % 3 else "cs"
    word = ["pracoval", "spal", "bol", "mal", "chcel"][i % 5]
    original = "I worked for my family." if i % 7 == 0 else f"I did it {i}."
    female = f"{word}a som to {i}." if i % 11 else f"robila som to {i}."
    pairs.append(f"t,{language},{original},{i % 16 + 1},{word} som to {i}.,{female}")
pairs.append(pairs[-1])
write("pairs.csv", lines(pairs))
write("pair-scores.csv", lines(["a,b", *(f"{((i * 31) % 17) / 10 - 0.7:.2f},{((i * 13) % 19) / 10 - 0.9:.2f}"
                                        for i in range(len(pairs) - 1))]))
run("gest-pairs", ["gest", "--pairs", "pairs.csv", "--model", "file:pair-scores.csv"], conventions,
    (("--systems", "a,b"),))

run("winobias", ["winobias", "--data", "epicene-winograd", "--model", "demo:mlm", "--model", "random:3"],
    ((), ("--convention", "true")))
run("winobias-means", ["winobias", "--model", "file:winobias-means.csv"], ((), ("--convention", "true")))

# MBE with vectors of our own; the demonstration model's are too long to keep here.
write("sets.tsv", lines(["gender\tline\ttext", *(f"{'fm'[i % 2]}\t{i + 1}\t{'She' if i % 2 == 0 else 'He'} did it {i}." for i in range(24))]))
for k, name in enumerate(("first", "second")):
    write(f"{name}.jsonl", lines(
        json.dumps({"aula": -1 - ((i * 7 + k * 3) % 11) / 10, "embedding": [1.0, ((i * 5 + k) % 7) / 3 - 1, (i % 3) / 2]})
        for i in range(24)))
run("mbe", ["mbe", "--data", "sets.tsv", "--model", "file:first.jsonl", "--model", "file:second.jsonl"],
    ((), ("--weight", "none"), ("--weight", "dot"), ("--min-similarity", "0.2"), ("--clip-negative",), ("--mcnemar", "chi2")),
    ((),))

crows = [("The nurse said that she was tired.", "The nurse said that he was tired.", "stereo", "gender"),
         ("The engineer lost his keys.", "The engineer lost her keys.", "stereo", "gender"),
         ("My sister loves to sew.", "My brother loves to sew.", "stereo", "gender"),
         ("Women drive badly.", "Men drive badly.", "antistereo", "gender"),
         ("He fixed the car.", "She fixed the car.", "stereo", "gender"),
         ("The old man was lonely.", "The young man was lonely.", "stereo", "age"),
         ("She stayed at home.", "She stayed at home.", "antistereo", "gender")]
write("crows.csv", lines([",sent_more,sent_less,stereo_antistereo,bias_type",
                          *(f"{i},{a},{b},{d},{t}" for i, (a, b, d, t) in enumerate(crows))]))
run("crows-pairs", ["crows-pairs", "--data", "crows.csv", "--bias-type", "all", "--model", "demo:mlm", "--model", "random:2"],
    ((), ("--round", "1"), ("--mcnemar", "chi2-corrected")), ((),))

items = [{"id": f"s{i}", "target": ["nurse", "boss"][i % 2], "bias_type": "gender",
          "context": f"The {['nurse', 'boss'][i % 2]} is BLANK {i}.",
          "stereotype": f"The {['nurse', 'boss'][i % 2]} is kind {i}.", "anti-stereotype": f"The {['nurse', 'boss'][i % 2]} is rude {i}.",
          "unrelated": f"The {['nurse', 'boss'][i % 2]} is a lamp {i}."} for i in range(8)]
write("stereoset.jsonl", lines(json.dumps(item) for item in items))
write("stereo-scores.csv", lines(["m/filled-blank,m/aula,n/cps", *(
    f"{((i * 7) % 13) / 13 + 0.01:.4f},{-1 - ((i * 5) % 9) / 10:.4f},{-((i * 3) % 7) / 7 - 0.00004 * i:.5f}" for i in range(24))]))
run("stereoset", ["stereoset", "--data", "stereoset.jsonl", "--model", "file:stereo-scores.csv"], ((), ("--round", "2")))

# Unambiguous: every fifty-third sentence of the small set, in German.
small = epicene("generate", "unambiguous", "--size", "xs").stdout.splitlines()[::53]
write("unambiguous.tsv", lines(small))
nouns = {"editor": ("Redakteur", "Redakteurin"), "accountant": ("Buchhalter", "Buchhalterin"), "designer": ("Designer", "Designerin"),
         "writer": ("Schriftsteller", "Schriftstellerin"), "engineer": ("Ingenieur", "Ingenieurin"), "physician": ("Arzt", "Ärztin"),
         "plumber": ("Klempner", "Klempnerin"), "carpenter": ("Tischler", "Tischlerin")}
relatives = {"brother": "Bruder", "sister": "Schwester", "father": "Vater", "mother": "Mutter"}


def german(place, sentence):
    words = sentence.split("\t")[0].split()
    occupation = next(word for word in words if word in nouns)
    relative = next(relatives[word] for word in words if word in relatives)
    female = (relative in ("Schwester", "Mutter")) != (place % 4 == 0)
    article = {"The": ("Der", "Die"), "That": ("Dieser", "Diese"), "My": ("Mein", "Meine")}[words[0]][female]
    if place % 9 == 8:
        return f"Das ist mein {relative} ."
    if place % 13 == 12:
        return f"Das Mitglied ist ein {relative} ."
    return f"{article} {nouns[occupation][female]} ist {'ihr' if 'her' in words else 'sein'}e {relative} ."


translated = [german(i, s) for i, s in enumerate(small)]
write("one.de.txt", lines(translated))
write("two.de.txt", lines(german(i + 2, s) for i, s in enumerate(small)))
judges = ((), ("--judge", "published"), ("--judge", "published", "--pick", "first"), ("--judge", "published", "--pick", "head-noun"),
          ("--judge", "published", "--pick", "majority", "--labelled-only"), ("--judge", "published", "--pick", "any-gendered"))
run("unambiguous", ["unambiguous", "--data", "unambiguous.tsv", "--mt", "file:one.de.txt", "--mt", "file:two.de.txt", "--lang", "de"],
    judges, ((), ("--judge", "published")))
tags = ["Masc", "Fem", "Masc", "_", "Fem", "None", "Neut", "Fem,Masc", "Com"]
write("tags.de.txt", lines(tags[i % len(tags)] for i in range(len(small))))
run("unambiguous-tags", ["unambiguous", "--data", "unambiguous.tsv", "--mt", "file:tags.de.txt", "--lang", "de"])
run("unambiguous-results", ["unambiguous", "--data", "unambiguous.tsv", "--mt", "file:one.de.txt", "--lang", "de",
                            "--input", "result:de=tags.de.txt"])
write("links.de.txt", lines("0-0 1-1 2-2 3-3" for _ in small))
run("unambiguous-links", ["unambiguous", "--data", "unambiguous.tsv", "--mt", "file:one.de.txt", "--lang", "de",
                          "--input", "align:de=links.de.txt"], ((), ("--judge", "published")))
write("tokens.de.txt", lines(translated))
run("unambiguous-tokens", ["unambiguous", "--data", "unambiguous.tsv", "--mt", "file:one.de.txt", "--lang", "de",
                           "--input", "tok:de=tokens.de.txt", "--input", "align:de=links.de.txt"], ((), ("--judge", "published")))

verbs = epicene("generate", "wibemt", "--part", "verb").stdout.splitlines()
wanted = ("nurse", "editor", "economist", "chemist", "writer", "driver", "carpenter", "physician", "technician", "cashier")
verbs = [row for row in verbs if row.split("\t")[3] in wanted][::17]
adjectives = [f"{gender}\t1\tThe nurse called the {o} because {p} was late.\tThe nurse\t{c}\t{a}\t{ac}\tA{i}" for i, (gender, p, o, c, a, ac) in enumerate([
    ("female", "she", "writer", "F", "---", "---"), ("male", "he", "writer", "F", "---", "---"),
    ("female", "she", "driver", "F", "eager", "M"), ("male", "he", "driver", "F", "pretty", "F")])]
write("wibemt.tsv", lines(verbs + adjectives))
german_nouns = {"nurse": ("Krankenpfleger", "Krankenschwester"), "editor": ("Redakteur", "Redakteurin"), "economist": ("Ökonom", "Ökonomin"),
                "chemist": ("Chemiker", "Chemikerin"), "writer": ("Schriftsteller", "Schriftstellerin"), "driver": ("Fahrer", "Fahrerin"),
                "carpenter": ("Tischler", "Tischlerin"), "physician": ("Arzt", "Ärztin"), "technician": ("Techniker", "Technikerin"),
                "cashier": ("Kassierer", "Kassiererin")}


def wibemt(place, row):
    occupation = row.split("\t")[3] if row.startswith("V") else "nurse"
    masculine, feminine = german_nouns[occupation]
    kinds = [f"Der {masculine} tanzt.", f"Die {feminine} tanzt.", f"{masculine} und {feminine} tanzen.", "Jemand tanzt.",
             f"Die {masculine} tanzen.", "", f"Der {masculine} oder die {feminine} tanzt, der {masculine} lacht."]
    return kinds[(place * 3) % len(kinds)]


texts = [wibemt(i, row) for i, row in enumerate(verbs + adjectives)]
write("one.de.wibemt.txt", lines(texts))
write("two.de.wibemt.txt", lines(wibemt(i + 1, row) for i, row in enumerate(verbs + adjectives)))
spanish = ["La enfermera baila.", "El enfermero baila.", "Baila.", "El escritor baila.", "La conductora baila.", "El médico baila."]
write("one.es.wibemt.txt", lines(spanish[i % len(spanish)] for i in range(len(texts))))
run("wibemt", ["wibemt", "--data", "wibemt.tsv", "--mt", "one=file:one.de.wibemt.txt", "--mt", "two=file:two.de.wibemt.txt",
               "--mt", "one=file:one.es.wibemt.txt", "--lang", "de,de,es"], ((), ("--judge", "published")), ((), ("--judge", "published")))
ids = [row.split("\t")[0] if row.startswith("V") else row.split("\t")[-1] for row in verbs + adjectives]
write("decisions.tsv", lines(["id\tlabel\tsystem", *(f"{name}\t{['female', 'male', 'neutral', 'wrong', ''][i % 5]}\t{'one' if i % 2 else ''}"
                                                     for i, name in enumerate(ids))]))
run("wibemt-decisions", ["wibemt", "--data", "wibemt.tsv", "--mt", "one=file:one.de.wibemt.txt", "--lang", "de",
                         "--input", "decisions=decisions.tsv"], ((), ("--judge", "published")))

winomt = []
for i, (noun, pronoun, gold) in enumerate([("physician", "she", "female"), ("nurse", "he", "male"), ("writer", "she", "female"),
                                           ("carpenter", "he", "male"), ("cashier", "she", "female"), ("driver", "they", "neutral"),
                                           ("editor", "he", "male"), ("technician", "she", "female"), ("chemist", "he", "male")] * 2):
    winomt.append((gold, 1, f"The {noun} spoke to the guest because {pronoun} was late{' again' if i > 8 else ''}.", noun))
write("en.txt", lines("\t".join(map(str, row)) for row in winomt))


def winomt_german(place, noun):
    masculine, feminine = german_nouns[noun]
    kinds = [f"Die {feminine} sprach mit dem Gast, weil sie spät dran war.", f"Der {masculine} sprach mit dem Gast, weil er spät dran war.",
             f"Das Kind sprach mit dem Gast.", ""]
    return kinds[(place * 7) % 4]


pairs = [(row[2], winomt_german(i, row[3])) for i, row in enumerate(winomt)]
write("one.de.winomt.txt", lines(f"{a} ||| {b}" for a, b in pairs[:-1]))
write("two.de.winomt.txt", lines(f"{a} ||| {winomt_german(i + 1, winomt[i][3])}" for i, (a, _) in enumerate(pairs)))
write("links.winomt.txt", lines("0-0 1-1" for _ in pairs))
run("winomt", ["winomt", "--data", "en.txt", "--mt", "one=file:one.de.winomt.txt", "--mt", "two=file:two.de.winomt.txt", "--lang", "de",
               "--allow-missing"], ((), ("--judge", "published"), ("--seed", "5", "--bootstrap", "20")), ((), ("--judge", "published")))
run("winomt-links", ["winomt", "--data", "en.txt", "--mt", "one=file:one.de.winomt.txt", "--lang", "de", "--allow-missing",
                     "--input", "align:de=links.winomt.txt"], ((), ("--judge", "published")))
shutil.rmtree(WORK)
