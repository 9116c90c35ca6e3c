"""Tables of our own as the Hugging Face hub stores data sets: Parquet by pyarrow, one file for each way of packing pages.

    python tools/reference/parquet_tables.py crates/base/io/tests/tables

Seedless: the rows stand below. Needs pyarrow.
"""

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = [
    # GEST_ID, Source, Stereotype_ID, Neutral, Masculine, Feminine
    (3, "I am tired.", 6.0, None, "Estoy cansado", "Estoy cansada"),
    (4, 'I said "no" once.', 16.0, "Dije «no» una vez.", None, None),
    (9, "I ran home.", 16.0, "Corrí a casa.\u2028¡Sí!", None, None),
]
NAMES = ["GEST_ID", "Source", "Stereotype_ID", "Neutral", "Masculine", "Feminine"]
SCHEMA = pa.schema(
    [
        ("GEST_ID", pa.int64()),
        ("Source", pa.string()),
        ("Stereotype_ID", pa.float64()),
        ("Neutral", pa.string()),
        ("Masculine", pa.string()),
        ("Feminine", pa.string()),
    ]
)


def main(folder: Path) -> None:
    columns = {name: [row[place] for row in ROWS] for place, name in enumerate(NAMES)}
    table = pa.table(columns, schema=SCHEMA)
    for packing in ["snappy", "gzip", "none", "zstd"]:
        pq.write_table(table, folder / f"spanish.{packing}.parquet", compression=packing)
    nested = pa.table({"id": [1], "words": [["a", "b"]]})
    pq.write_table(nested, folder / "nested.parquet")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
