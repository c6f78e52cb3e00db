#!/usr/bin/env python3
"""Records what Apache Cassandra 5.0 says to the options of tables: server/src/test/resources/schema/table-options.txt.

    record-table-options.py HOST FILE

Each line of FILE is the WITH of a CREATE TABLE, after which the answer stands, parted by a tab; the file is
rewritten. Answers: the code in hexadecimal and the text of a refusal, or "done" and the options that differ
from the defaults as system_schema.tables shows them. Needs cassandra-driver.
"""
import sys

from cassandra import AlreadyExists, InvalidRequest
from cassandra.cluster import Cluster
from cassandra.protocol import ConfigurationException, SyntaxException
from cassandra.query import dict_factory

cluster = Cluster([sys.argv[1]], protocol_version=5)
session = cluster.connect()
session.row_factory = dict_factory
session.execute("CREATE KEYSPACE IF NOT EXISTS h4_options WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")


def options():
    row = dict(session.execute("SELECT * FROM system_schema.tables WHERE keyspace_name = 'h4_options' AND table_name = 't'").one())
    for name in ("keyspace_name", "table_name", "id", "cdc"):
        del row[name]
    return {name: dict(value) if hasattr(value, "items") else value for name, value in row.items()}


def text(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}={v}" for k, v in sorted(value.items())) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def answer(clause):
    try:
        session.execute("CREATE TABLE h4_options.t (k int PRIMARY KEY) WITH " + clause)
    except (InvalidRequest, ConfigurationException, SyntaxException, AlreadyExists) as refusal:
        message = str(refusal)
        code = message.split("code=")[1][:4]
        return code + " " + message.split('message="')[1].rsplit('"', 1)[0]
    changed = options()
    session.execute("DROP TABLE h4_options.t")
    return "done " + "; ".join(f"{k}={text(v)}" for k, v in sorted(changed.items()) if v != DEFAULTS[k])


session.execute("CREATE TABLE h4_options.t (k int PRIMARY KEY)")
DEFAULTS = options()
session.execute("DROP TABLE h4_options.t")
lines = [line.rstrip("\n").split("\t")[0] for line in open(sys.argv[2], encoding="utf-8")]
with open(sys.argv[2], "w", encoding="utf-8") as out:
    for line in lines:
        out.write(line + "\t" + answer(line) + "\n")
session.execute("DROP KEYSPACE h4_options")
cluster.shutdown()
