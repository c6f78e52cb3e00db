#!/usr/bin/env python3
"""Writes the statements of the coverage-*.cql conformance scripts, without answers.

    coverage-scripts.py server/src/test/resources/cql

Then record the answers with Conformance (see CONTRIBUTING.md). TypeCoverageTest lists what is missing: each type in
each place (key, clustering column, cell, element, field), written as literal, bound value, null, unset and empty.
"""
import pathlib
import sys

UUIDS = ["123e4567-e89b-%s2d3-a456-42661417400%d" % (version, i) for version in "14" for i in range(3)]
# Three values of each type, as literals of CQL and as bound values of the scripts (None: the same).
SCALARS = {
    "ascii": (["'a'", "'B'", "'ab'"], None),
    "bigint": (["1", "-2", "9223372036854775807"], None),
    "blob": (["0x01", "0xff", "0x0100"], None),
    "boolean": (["true", "false", "true"], None),
    "date": (["'2020-01-02'", "'1969-12-31'", "'2038-01-20'"], ["2020-01-02", "1969-12-31", "2038-01-20"]),
    "decimal": (["1.5", "-2.25", "1E+3"], None),
    "double": (["1.5", "-2.5", "1E100"], ["1.5", "-2.5", "1.0E100"]),
    "duration": (["1mo2d3ns", "-1d", "5h"], ["1mo2d3ns", "0mo-1d0ns", "0mo0d18000000000000ns"]),
    "float": (["1.5", "-2.5", "1E10"], ["1.5", "-2.5", "1.0E10"]),
    "inet": (["'127.0.0.1'", "'10.0.0.1'", "'::1'"], ["127.0.0.1", "10.0.0.1", "0:0:0:0:0:0:0:1"]),
    "int": (["1", "-2", "2147483647"], None),
    "smallint": (["1", "-2", "32767"], None),
    "text": (["'a'", "'B'", "'\u00e4\u20ac'"], None),
    "time": (["'10:11:12.000000013'", "'00:00:01'", "'23:59:59.5'"], ["10:11:12.000000013", "00:00:01", "23:59:59.5"]),
    "timestamp": (["'2020-01-02T03:04:05Z'", "'1969-12-31T23:59:59Z'", "'2038-01-20T00:00:00.001Z'"],
                  ["2020-01-02T03:04:05Z", "1969-12-31T23:59:59Z", "2038-01-20T00:00:00.001Z"]),
    "timeuuid": (UUIDS[:3], None),
    "tinyint": (["1", "-2", "127"], None),
    "uuid": (UUIDS[3:], None),
    "varint": (["1", "-2", "18446744073709551616"], None),
}
COMPOSED = {
    "frozen<list<int>>": (["[1, 2]", "[-1]", "[1, 3]"], None),
    "frozen<set<text>>": (["{'a', 'b'}", "{'B'}", "{'c'}"], None),
    "frozen<map<int, text>>": (["{1: 'a', 2: 'b'}", "{-1: 'B'}", "{1: 'c'}"], None),
    "tuple<int, text>": (["(1, 'a')", "(-2, 'B')", "(1, 'b')"], None),
    "frozen<pair>": (["{x: 1, y: 'a'}", "{x: -2, y: 'B'}", "{x: 1, y: 'b'}"], None),
    "vector<int, 2>": (["[1, 2]", "[-1, 0]", "[1, 3]"],
                       ["0x0000000100000002", "0xffffffff00000000", "0x0000000100000003"]),
}
MULTI_CELL = {
    "list<int>": COMPOSED["frozen<list<int>>"],
    "set<text>": COMPOSED["frozen<set<text>>"],
    "map<int, text>": COMPOSED["frozen<map<int, text>>"],
    "pair": COMPOSED["frozen<pair>"],
}


def name(kind):
    return kind.replace("frozen<", "f_").replace("<", "_").replace(">", "").replace(", ", "_")


# Types without an empty value. Bound within a user type, it is a server error in Cassandra.
WITHOUT_EMPTY = ("date", "duration", "smallint", "time", "tinyint", "frozen<list<int>>", "frozen<set<text>>", "frozen<map<int, text>>",
                 "vector<int, 2>")
# Types whose empty value isn't null in Cassandra; within a bound list, null is a server error.
EMPTY_NOT_NULL = ("ascii", "blob", "text", "tuple<int, text>", "frozen<pair>") + WITHOUT_EMPTY


def empty(kind):
    """A literal of the empty value or the nearest to it; None for tuples, which have none."""
    if kind in ("ascii", "text"):
        return "''"
    if kind == "blob":
        return "0x"
    if kind in SCALARS:
        return "blob_as_%s(0x)" % kind
    if kind.startswith("tuple"):
        return None
    return "[]" if "list" in kind or "vector" in kind else "{}"


def script(folder, topic, keyspace, comment, lines):
    head = [
        "# " + comment,
        "# Written by server/src/test/oracle/coverage-scripts.py.",
        "@cleanup " + keyspace,
        "CREATE KEYSPACE %s WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}" % keyspace,
        "USE " + keyspace,
        "CREATE TYPE pair (x int, y text)",
    ]
    text = "\n".join(head + lines + ["DROP KEYSPACE " + keyspace]) + "\n"
    (folder / (topic + ".cql")).write_text(text, encoding="utf-8")


def with_one(values, position, value):
    return values[:position] + [value] + values[position + 1:]


def prepared(statement, binds):
    return ["@bind " + ", ".join(bind) for bind in binds] + [statement]


def one_by_one(values, positions):
    """Each of the values in turn null, unset and empty."""
    return [with_one(values, i, value) for value in ("null", "unset", "empty") for i in positions]


def keys_and_cells(kind, values, bound):
    """The type as partition key, clustering column ASC and DESC, static and regular column."""
    one, two, three = values
    bound = bound or values
    table = "t_" + name(kind)
    insert = "INSERT INTO %s (k, a, d, s, r) VALUES (%%s)" % table

    def literal(*terms):
        return insert % ", ".join(terms)

    lines = [
        "CREATE TABLE %s (k %s, a %s, d %s, s %s static, r %s, PRIMARY KEY (k, a, d)) WITH CLUSTERING ORDER BY (a ASC, d DESC)"
        % (table, kind, kind, kind, kind, kind),
        literal(one, one, one, one, one),
        literal(one, one, two, one, two),
        literal(one, two, one, one, three),
        literal("null", one, one, one, one),
        literal(one, "null", one, one, one),
        literal(one, one, "null", one, one),
        literal(three, one, one, "null", "null"),
    ]
    if empty(kind):
        # The empty map in a column in descending order is a server error in Cassandra.
        positions = (0, 1, 3, 4) if "map" in kind else range(5)
        lines += [literal(*with_one([one] * 5, i, empty(kind))) for i in positions]
    b = [bound[1]] * 5
    lines += prepared(insert % "?, ?, ?, ?, ?", [b] + one_by_one(b, range(5)))
    lines += [
        "SELECT * FROM " + table,
        "SELECT * FROM %s WHERE k = %s" % (table, two),
        "SELECT d, r FROM %s WHERE k = %s AND a = %s" % (table, one, one),
        "SELECT a, d FROM %s WHERE k = %s ORDER BY a DESC, d ASC" % (table, one),
        "SELECT a, d FROM %s WHERE k = %s AND a > %s" % (table, one, two),
        "SELECT k, a, d FROM %s WHERE r = %s ALLOW FILTERING" % (table, two),
        "SELECT k, a, d FROM %s WHERE s = %s ALLOW FILTERING" % (table, one),
    ]
    b = [bound[1]] * 3
    lines += prepared("SELECT s, r FROM %s WHERE k = ? AND a = ? AND d = ?" % table, [b] + one_by_one(b, range(3)))
    b = [bound[2]] * 5
    lines += prepared("UPDATE %s SET s = ?, r = ? WHERE k = ? AND a = ? AND d = ?" % table, [b] + one_by_one(b, range(5)))
    lines += prepared("DELETE FROM %s WHERE k = ? AND a = ? AND d = ?" % table, [b[:3]] + one_by_one(b[:3], range(3)))
    return lines + ["SELECT * FROM " + table]


def cells(kind, values, bound):
    """The type as static and regular column, where it cannot be in a key."""
    one, two, three = values
    bound = bound or values
    table = "c_" + name(kind)
    insert = "INSERT INTO %s (k, c, s, r) VALUES (%%s)" % table
    lines = [
        "CREATE TABLE %s (k int, c int, s %s static, r %s, PRIMARY KEY (k, c))" % (table, kind, kind),
        insert % ("1, 1, %s, %s" % (one, one)),
        insert % ("1, 2, %s, %s" % (two, three)),
        insert % "2, 1, null, null",
    ]
    if empty(kind):
        lines += [insert % ("3, 1, %s, %s" % (empty(kind), one)), insert % ("4, 1, %s, %s" % (one, empty(kind)))]
    b = [bound[1], bound[1]]
    binds = [b] + one_by_one(b, range(2))
    lines += prepared(insert % "?, ?, ?, ?", [[str(5 + i), "1"] + bind for i, bind in enumerate(binds)])
    lines += [
        "SELECT * FROM " + table,
        "SELECT * FROM %s WHERE k = 1 AND c = 2" % table,
        "SELECT k, c FROM %s WHERE r = %s ALLOW FILTERING" % (table, one),
        "SELECT k, c FROM %s WHERE s = %s ALLOW FILTERING" % (table, two),
    ]
    lines += prepared("UPDATE %s SET s = ?, r = ? WHERE k = ? AND c = 1" % table, [bind + [str(5 + i)] for i, bind in enumerate(binds)])
    return lines + ["SELECT * FROM " + table]


def counters():
    lines = ["CREATE TABLE c_counter (k int, c int, s counter static, r counter, PRIMARY KEY (k, c))"]
    for column in "rs":
        key = "k = 1 AND c = 1" if column == "r" else "k = 1"
        lines += [
            "UPDATE c_counter SET %s = %s + 1 WHERE %s" % (column, column, key),
            "UPDATE c_counter SET %s = %s - 3 WHERE %s" % (column, column, key),
            "UPDATE c_counter SET %s = %s + null WHERE %s" % (column, column, key),
            "UPDATE c_counter SET %s = 1 WHERE %s" % (column, key),
        ]
        for operator in "+-":
            lines += prepared("UPDATE c_counter SET %s = %s %s ? WHERE %s" % (column, column, operator, key),
                              [[value] for value in ("5", "null", "unset")])
        lines += ["SELECT * FROM c_counter"]
    return lines + [
        "INSERT INTO c_counter (k, c, r) VALUES (1, 1, 1)",
        "SELECT * FROM c_counter WHERE r = 3 ALLOW FILTERING",
    ]


def refused_keys(kind):
    columns = ["k %s PRIMARY KEY, r int" % kind]
    columns += ["k int, c %s, r int, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c %s" % (kind, order) for order in ("ASC", "DESC")]
    return ["CREATE TABLE refused (%s)" % each for each in columns]


PLACES = {
    "l": ("list<%s>", "[%s]"),
    "z": ("set<%s>", "{%s}"),
    "m": ("map<%s, int>", "{%s: 0}"),
    "w": ("map<int, %s>", "{0: %s}"),
    "t": ("tuple<%s, int>", "(%s, 0)"),
    "u": ("u_%s", "{f: %s}"),
    "g": ("frozen<u_%s>", "{f: %s}"),
    "v": ("vector<%s, 1>", "[%s]"),
}


def type_in(place, kind):
    return PLACES[place][0] % (name(kind) if place in "ug" else kind)


def can_be_bound(kind, places, values):
    """Whether Cassandra answers these elements within bound values with anything but a server error."""
    of = dict(zip(places, values))
    if "unset" in values or of["l"] == "null" or (of["l"] == "empty" and kind not in EMPTY_NOT_NULL):
        return False
    return kind not in WITHOUT_EMPTY or "empty" not in (of["u"], of["g"])


def elements(kind, values, bound):
    """The type within collections, tuples, user types and vectors."""
    one, two, three = values
    bound = bound or values
    places = [place for place in PLACES if not (kind == "duration" and place in "zm")]
    table = "e_" + name(kind)
    insert = "INSERT INTO %s (k, %s) VALUES (%%s)" % (table, ", ".join(places))
    lines = [
        "CREATE TYPE u_%s (f %s)" % (name(kind), kind),
        "CREATE TABLE %s (k int PRIMARY KEY, %s)" % (table, ", ".join(p + " " + type_in(p, kind) for p in places)),
        insert % ", ".join(["0"] + [PLACES[p][1] % one for p in places]),
    ]
    for place in places:
        shape = PLACES[place][1]
        lines += ["INSERT INTO %s (k, %s) VALUES (-1, %s)" % (table, place, shape % "null")]
    if empty(kind):
        for place in places:
            lines += ["INSERT INTO %s (k, %s) VALUES (-2, %s)" % (table, place, PLACES[place][1] % empty(kind))]
    for place in [p for p in places if p in "lzmw"]:
        statement = "INSERT INTO %s (k, %s) VALUES (-3, %s)" % (table, place, PLACES[place][1] % "?")
        lines += prepared(statement, [[bound[1]]])
    b = [bound[1]] * 4
    # An unset field of a user type that isn't frozen differs (docs/compatibility.md).
    binds = [b] + [bind for bind in one_by_one(b, range(4))
                   if bind[1] != "unset" and (kind not in WITHOUT_EMPTY or "empty" not in bind[1:3])]
    lines += prepared("INSERT INTO %s (k, t, u, g, v) VALUES (?, (?, 0), {f: ?}, {f: ?}, [?])" % table,
                      [[str(1 + i)] + bind for i, bind in enumerate(binds)])
    whole = [p for p in places if p != "v"]
    b = [bound[2]] * len(whole)
    lines += prepared("INSERT INTO %s (k, %s) VALUES (?, %s)" % (table, ", ".join(whole), ", ".join("?" * len(whole))),
                      [[str(101 + i)] + [PLACES[p][1] % v for p, v in zip(whole, bind)]
                       for i, bind in enumerate([b] + one_by_one(b, range(len(whole)))) if can_be_bound(kind, whole, bind)])
    lines += [
        "SELECT * FROM " + table,
        "SELECT k FROM %s WHERE l CONTAINS %s ALLOW FILTERING" % (table, one),
        "SELECT k FROM %s WHERE w CONTAINS %s ALLOW FILTERING" % (table, one),
        "SELECT k FROM %s WHERE t = (%s, 0) ALLOW FILTERING" % (table, one),
        "SELECT k FROM %s WHERE g = {f: %s} ALLOW FILTERING" % (table, one),
        "SELECT k FROM %s WHERE v = [%s] ALLOW FILTERING" % (table, one),
    ]
    if "z" in places:
        lines += [
            "SELECT k FROM %s WHERE z CONTAINS %s ALLOW FILTERING" % (table, one),
            "SELECT k FROM %s WHERE m CONTAINS KEY %s ALLOW FILTERING" % (table, one),
            "SELECT z[%s], m[%s] FROM %s WHERE k = 0" % (one, one, table),
        ]
        lines += prepared("UPDATE %s SET m[?] = 1 WHERE k = 0" % table, [[bound[1]], ["null"], ["unset"], ["empty"]])
        lines += prepared("UPDATE %s SET z = z - {?} WHERE k = 0" % table, [[bound[0]], ["null"], ["unset"], ["empty"]])
    for target in ("l[0] = ?", "w[0] = ?", "u.f = ?", "l = l + [?]"):
        lines += prepared("UPDATE %s SET %s WHERE k = 0" % (table, target), [[bound[2]], ["null"], ["unset"], ["empty"]])
    return lines + ["SELECT * FROM %s WHERE k = 0" % table]


def refused_elements(kind, places):
    lines = []
    for place in places:
        if place in "ug":
            lines += ["CREATE TYPE refused_%s_%s (f %s)" % (place, name(kind), kind)]
        else:
            lines += ["CREATE TABLE refused_%s_%s (k int PRIMARY KEY, r %s)" % (place, name(kind), type_in(place, kind))]
    return lines


def flat(lists):
    return [each for part in lists for each in part]


def main(folder):
    in_keys = {kind: values for kind, values in SCALARS.items() if kind != "duration"}
    script(folder, "coverage-columns", "v_columns",
           "Every scalar type as partition key, clustering column ASC and DESC, static and regular column: literal, bound, null, unset, empty.",
           flat(keys_and_cells(kind, *values) for kind, values in in_keys.items()))
    script(folder, "coverage-columns-composed", "v_columns_composed",
           "Every composed type in keys and cells, and the types that only cells have: literal, bound, null, unset, empty.",
           flat(keys_and_cells(kind, *values) for kind, values in COMPOSED.items())
           + flat(cells(kind, *values) for kind, values in ({"duration": SCALARS["duration"]} | MULTI_CELL).items())
           + counters()
           + flat(refused_keys(kind) for kind in ["duration", "counter"] + list(MULTI_CELL)))
    script(folder, "coverage-elements", "v_elements",
           "Every scalar type within collections, tuples, user types and vectors: literal, bound, null, unset, empty.",
           flat(elements(kind, *values) for kind, values in SCALARS.items())
           + refused_elements("duration", "zm") + refused_elements("counter", "lzmwtu"))
    script(folder, "coverage-elements-composed", "v_elements_composed",
           "Every composed type within collections, tuples, user types and vectors: literal, bound, null, unset, empty.",
           flat(elements(kind, *values) for kind, values in COMPOSED.items())
           + flat(refused_elements(kind, "lzmwtuv") for kind in MULTI_CELL))


main(pathlib.Path(sys.argv[1]))
