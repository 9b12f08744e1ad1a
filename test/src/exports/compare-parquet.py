"""Compares each cell of parquet/part-*.parquet, as DuckDB, pyarrow and GeoPandas read it, with part-*.ndjson.gz."""

import datetime
import glob
import gzip
import json
import math

import duckdb
import geopandas
import pyarrow.parquet

TIMES = {"modified_at", "last_seen_at", "days_on_market"}


def value_at(row, path):
    for name in path:
        row = None if row is None else row.get(name)
    return row


def plain(value, column):
    """A cell as JSON has it."""
    if value is None or (isinstance(value, float) and math.isnan(value)) or str(value) == "NaT":
        return None
    if hasattr(value, "tolist"):
        value = value.tolist()
    if column["format"] == "date-time":
        moment = value.to_pydatetime() if hasattr(value, "to_pydatetime") else value
        return moment.astimezone(datetime.timezone.utc)
    if column["types"][0] == "integer":
        return int(value)
    return bool(value) if column["types"][0] == "boolean" else value


def expected(value, column):
    if value is not None and column["format"] == "date-time":
        return datetime.datetime.fromisoformat(value)
    return value


manifest = json.load(open("parquet/manifest.json"))
columns = [column for column in manifest["columns"] if column["name"] not in TIMES]
rows = {}
for name in glob.glob("part-*.ndjson.gz"):
    for line in gzip.open(name, "rt"):
        row = json.loads(line)
        rows[row["id"]] = row
assert len(rows) == manifest["rows"]


def compare(reader, read):
    count = 0
    for row in read:
        count += 1
        for column in columns:
            name = column["name"]
            found, wanted = plain(row[name], column), expected(value_at(rows[row["id"]], name.split(".")), column)
            assert found == wanted, (reader, row["id"], name, found, wanted)
        place = rows[row["id"]]["location"]
        point = row["geometry"]
        if reader == "GeoPandas":
            point = None if point is None else (point.x, point.y)
            assert point == (None if place["lat"] is None else (place["lng"], place["lat"])), (row["id"], point)
        else:
            assert (point is None) == (place["lat"] is None), (reader, row["id"])
    assert count == manifest["rows"], (reader, count)


for part in sorted(glob.glob("parquet/part-*.parquet")):
    assert pyarrow.parquet.ParquetFile(part).num_row_groups == 1, part
relation = duckdb.sql("select * from read_parquet('parquet/part-*.parquet')")
names = relation.columns
compare("DuckDB", (dict(zip(names, row)) for row in relation.fetchall()))
for reader, read in [
    ("pyarrow", lambda part: pyarrow.parquet.ParquetFile(part).read().to_pylist()),
    ("GeoPandas", lambda part: geopandas.read_parquet(part).to_dict("records")),
]:
    compare(reader, (row for part in sorted(glob.glob("parquet/part-*.parquet")) for row in read(part)))
