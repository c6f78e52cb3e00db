"""Values of every type through the Python driver and back: round_trip.py HOST PORT TYPES. Ends with 0 if all come back.

TYPES lists columns with a literal each. What the driver decodes from the literal is bound to a prepared statement and must come back the same,
and as the same JSON; bound null removes it, an unset value leaves it."""

import decimal
import ipaddress
import sys
import uuid

from cassandra.cluster import Cluster
from cassandra.query import BatchStatement, BatchType, UNSET_VALUE, dict_factory
from cassandra.util import Date, Duration, Time

KEYSPACE = "python_types"
DECODED = {
    "bigint": -2**63,
    "blob": b"\x00\xff\x7f\x80",
    "date": Date("2026-11-20"),
    "decimal": decimal.Decimal("-12345.678900"),
    "duration": Duration(14, 25, 18367008009010),
    "inet": "2001:db8::ff00:42:8329",
    "text": "quotes ' and é 漢字 𝄞",
    "time": Time("13:30:54.234567891"),
    "varint": -123456789012345678901234567890,
    "list_int": [3, 1, 2, 1],
    "list_duration": [Duration(1, 0, 0), Duration(0, 2, 0), Duration(0, 0, 3)],
    "set_text": {"b", "", "é"},
    "map_text_int": {"x": 1, "": -2},
    "list_of_maps": [{"a": {1, 2}, "b": {3}}, {"c": {4}}],
    "map_of_lists": {1: [["a", "b"], ["c"]], 2: [["d"]]},
    "nested_empty": {1: [{"a", "b"}, set()], 2: []},
    "tuple": (1, "two", [Duration(0, 3, 0)]),
    "tuple_null": (None, "x", None),
    "tuple_nested": ((1, 2.5), {3: "three"}),
    "udt": ("Main", 12345, {"home", "old"}),
    "udt_null": (None, 1, None),
    "udt_nested": ("Ada", ("Main", 1, {"x"}), {"work": "1"}),
    "vector_float": [0.5, -0.25, 3.5],
    "vector_text": ["", "longer"],
}


def types(path):
    statements, columns = [], []
    with open(path, encoding="utf-8") as lines:
        for line in lines.read().splitlines():
            if "\t" in line:
                columns.append(tuple(line.split("\t")))
            elif not line.startswith("#"):
                statements.append(line)
    return statements, columns


def round_trip(session, columns):
    names = [name for name, _, _ in columns]
    session.execute("CREATE TABLE types (k int PRIMARY KEY, %s)" % ", ".join("%s %s" % column[:2] for column in columns))
    session.execute(
        "INSERT INTO types (k, %s) VALUES (1, %s)" % (", ".join(names), ", ".join(literal for _, _, literal in columns)))
    select = session.prepare("SELECT %s FROM types WHERE k = ?" % ", ".join(names))
    insert = session.prepare(
        "INSERT INTO types (k, %s) VALUES (?, %s)" % (", ".join(names), ", ".join("?" for _ in names)))
    decoded = session.execute(select, [1]).one()
    for name, value in DECODED.items():
        actual = decoded[name]
        assert (list(actual) if isinstance(value, list) else actual) == value, (name, actual, value)
    session.execute(insert, [2, *decoded.values()])
    assert session.execute(select, [2]).one() == decoded
    json = [session.execute("SELECT JSON %s FROM types WHERE k = %d" % (", ".join(names), k)).one()["[json]"] for k in (1, 2)]
    assert json[0] == json[1], json
    session.execute(insert, [2] + [UNSET_VALUE] * len(names))
    assert session.execute(select, [2]).one() == decoded
    session.execute(insert, [2] + [None] * len(names))
    assert session.execute(select, [2]).one() == dict.fromkeys(names)
    return decoded


def empty_values(session):
    """Empty multi-cell collections are null; empty frozen ones, texts, blobs and numbers are values."""
    session.execute(
        "CREATE TABLE empties (k int PRIMARY KEY, l list<int>, s set<int>, m map<int, int>, fl frozen<list<int>>,"
        " fs frozen<set<int>>, fm frozen<map<int, int>>, t text, b blob, i int, u uuid, d decimal)")
    insert = session.prepare("INSERT INTO empties (k, l, s, m, fl, fs, fm, t, b) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)")
    session.execute(insert, [[], set(), {}, [], set(), {}, "", b""])
    session.execute(
        "UPDATE empties SET i = blob_as_int(0x), u = blob_as_uuid(0x), d = blob_as_decimal(0x) WHERE k = 1")
    row = session.execute("SELECT l, s, m, fl, fs, fm, t, b, i, u, d FROM empties").one()
    assert list(row.values()) == [None, None, None, [], set(), {}, "", b"", None, None, None], row
    sizes = session.execute(
        "SELECT int_as_blob(i) AS i, uuid_as_blob(u) AS u, decimal_as_blob(d) AS d FROM empties").one()
    assert list(sizes.values()) == [b"", b"", b""], sizes


def keys(session, columns, decoded):
    """Each type that a key can have, as partition key and as clustering column in both orders."""
    for name, cql_type, _ in columns:
        if "duration" in cql_type or name == "udt_null":
            continue
        frozen = cql_type if cql_type.startswith("frozen<") or "<" not in cql_type else "frozen<%s>" % cql_type
        frozen = cql_type if cql_type.startswith("vector<") else frozen
        session.execute(
            "CREATE TABLE key_%s (p %s, a %s, d %s, v int, PRIMARY KEY (p, a, d)) WITH CLUSTERING ORDER BY (a ASC, d DESC)"
            % (name, frozen, frozen, frozen))
        value = decoded[name]
        session.execute(session.prepare("INSERT INTO key_%s (p, a, d, v) VALUES (?, ?, ?, 7)" % name), [value] * 3)
        rows = session.execute(
            session.prepare("SELECT * FROM key_%s WHERE p = ? AND (a, d) IN ((?, ?)) AND v = 7 ALLOW FILTERING" % name),
            [value] * 3).all()
        assert rows == [dict(p=value, a=value, d=value, v=7)], (name, rows)


def counters_and_fields(session):
    """Counters count; the fields of a user type that is not frozen are written one by one."""
    session.execute("CREATE TABLE counters (p int, c int, hits counter, PRIMARY KEY (p, c))")
    count = session.prepare("UPDATE counters SET hits = hits + ? WHERE p = 1 AND c = ?")
    batch = BatchStatement(BatchType.COUNTER)
    for c, delta in ((1, 5), (1, -2), (2, 2**62)):
        batch.add(count, (delta, c))
    session.execute(batch)
    assert [row["hits"] for row in session.execute("SELECT hits FROM counters WHERE p = 1")] == [3, 2**62]
    session.execute("CREATE TABLE fields (k int PRIMARY KEY, home address)")
    insert = session.prepare("INSERT INTO fields (k, home) VALUES (1, ?)")
    session.execute(insert, [("Main", 12345, {"x"})])
    session.execute(session.prepare("UPDATE fields SET home.zip = ? WHERE k = 1"), [7])
    assert session.execute("SELECT home FROM fields").one()["home"] == ("Main", 7, {"x"})
    session.execute(insert, [None])
    assert session.execute("SELECT home FROM fields WHERE k = 1").one()["home"] is None


def metadata(cluster, statements, columns):
    """The driver's picture of the schema is what was defined."""
    keyspace = cluster.metadata.keyspaces[KEYSPACE]
    assert sorted(keyspace.user_types) == ["address", "person"], keyspace.user_types
    person = keyspace.user_types["person"]
    assert person.field_names == ["name", "home", "phones"], person.field_names
    assert person.field_types == ["text", "frozen<address>", "frozen<map<text, text>>"], person.field_types
    table = keyspace.tables["types"]
    for name, cql_type, _ in columns:
        defined = "frozen<%s>" % cql_type if cql_type.startswith("tuple<") else cql_type
        assert table.columns[name].cql_type == defined, (name, table.columns[name].cql_type)
    assert "CREATE TYPE %s.person" % KEYSPACE in keyspace.export_as_string()
    assert "list_of_udts list<frozen<address>>" in table.export_as_string()


def main(host, port, path):
    statements, columns = types(path)
    cluster = Cluster([host], port=port, connect_timeout=60, control_connection_timeout=60)
    try:
        session = cluster.connect()
        session.default_timeout = 60
        session.row_factory = dict_factory
        session.execute("DROP KEYSPACE IF EXISTS " + KEYSPACE)
        session.execute(
            "CREATE KEYSPACE %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}" % KEYSPACE)
        session.set_keyspace(KEYSPACE)
        for statement in statements:
            session.execute(statement)
        decoded = round_trip(session, columns)
        empty_values(session)
        keys(session, columns, decoded)
        counters_and_fields(session)
        metadata(cluster, statements, columns)
        session.execute("DROP KEYSPACE " + KEYSPACE)
    finally:
        cluster.shutdown()
    print("all of it works")


main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
