#!/usr/bin/env python3
"""Records what Apache Cassandra says of each statement of statements.cql.

    record.py HOST PORT > answers.txt

Needs cassandra-driver. Each answer is a line: OK, or the error code in hexadecimal and the message.
"""
import os
import re
import sys

from cassandra.cluster import Cluster

here = os.path.dirname(os.path.abspath(__file__))


def lines(name):
    with open(os.path.join(here, name), encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file if line.strip()]


def answer(session, statement):
    try:
        session.execute(statement)
        return "OK"
    except Exception as error:  # the driver has a class for each code
        found = re.search(r'code=([0-9a-f]{4}) \[.*?\] message="(.*)"', str(error), re.S)
        return found.group(1) + " " + found.group(2)


cluster = Cluster([sys.argv[1]], port=int(sys.argv[2]))
session = cluster.connect()
session.execute("DROP KEYSPACE IF EXISTS h7_golden")
for definition in lines("schema.cql"):
    session.execute(definition)
for statement in lines("statements.cql"):
    print(answer(session, statement))
session.execute("DROP KEYSPACE h7_golden")
cluster.shutdown()
