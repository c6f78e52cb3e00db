"""Records how Cassandra sorts clustering values of composite types: key-order-composite.tsv, with the columns type, direction, values in order.

    python3 record_composite_key_order.py > key-order-composite.tsv
"""
import random
import struct
import sys

from oracle_client import Oracle

KEYSPACE = "helenus_composite_key_order"


def vint(number):
    return bytes([number]) if number < 128 else bytes([0x80 | number >> 8, number & 0xff])


def sized(value):
    return struct.pack(">i", -1) if value is None else struct.pack(">i", len(value)) + value


def ints(rng):
    return struct.pack(">i", rng.choice([0, 1, -1, 2 ** 31 - 1, -2 ** 31, rng.randrange(-300, 300)]))


def texts(rng):
    return rng.choice([b"", b"a", b"b", b"ab", b"\0", b"a\0", b"a\0\0", b"\x01", b"\x7f", b"abcdefgh", b"abcdefgh\0"])


def floats(rng):
    return struct.pack(">f", rng.choice([0.0, -0.0, 1.0, -1.0, 2.5, float("inf"), float("-inf")]))


def blobs(rng):
    return bytes(rng.choice((0, 1, 0x20, 0x38, 0x3e, 0x3f, 0x40, 0xff)) for _ in range(rng.randrange(0, 4)))


def decimals(rng):
    return struct.pack(">i", rng.choice([0, 1])) + rng.choice([b"\0", b"\x01", b"\x0a", b"\xff", b"\xf6"])


def many(element):
    def make(rng):
        elements = [element(rng) for _ in range(rng.randrange(0, 4))]
        return struct.pack(">i", len(elements)) + b"".join(map(sized, elements))
    return make


def entries(key, value):
    def make(rng):
        pairs = {key(rng): value(rng) for _ in range(rng.randrange(0, 3))}
        return struct.pack(">i", len(pairs)) + b"".join(sized(k) + sized(pairs[k]) for k in pairs)
    return make


def tuples(*elements):
    def make(rng):
        given = elements[:rng.randrange(1, len(elements) + 1)]
        return b"".join(sized(None if rng.random() < 0.25 else element(rng)) for element in given)
    return make


def vector(element, dimension, fixed):
    def make(rng):
        elements = [element(rng) for _ in range(dimension)]
        return b"".join(value if fixed else vint(len(value)) + value for value in elements)
    return make


TYPES = {
    "frozen<list<int>>": many(ints),
    "frozen<list<text>>": many(texts),
    "frozen<list<blob>>": many(blobs),
    "frozen<set<text>>": many(texts),
    "frozen<map<int, text>>": entries(ints, texts),
    "frozen<map<text, frozen<list<int>>>>": entries(texts, many(ints)),
    "frozen<list<frozen<list<blob>>>>": many(many(blobs)),
    "frozen<list<decimal>>": many(decimals),
    "frozen<tuple<int, text>>": tuples(ints, texts),
    "frozen<tuple<text, int, blob>>": tuples(texts, ints, blobs),
    "frozen<tuple<frozen<tuple<int, text>>, frozen<list<int>>>>": tuples(tuples(ints, texts), many(ints)),
    "frozen<list<frozen<tuple<text, int>>>>": many(tuples(texts, ints)),
    "vector<float, 2>": vector(floats, 2, True),
    "vector<int, 3>": vector(ints, 3, True),
    "vector<text, 2>": vector(texts, 2, False),
    "vector<frozen<list<int>>, 2>": vector(many(ints), 2, False),
    "frozen<list<vector<int, 2>>>": many(vector(ints, 2, True)),
}


def show(value):
    return value.hex() or "-"


def order_of(oracle, name, direction, inserted):
    oracle.query(f"DROP TABLE IF EXISTS {KEYSPACE}.t")
    oracle.query(f"CREATE TABLE {KEYSPACE}.t (k int, c {name}, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c {direction})")
    insert = oracle.prepare(f"INSERT INTO {KEYSPACE}.t (k, c) VALUES (?, ?)")
    for value in inserted:
        oracle.execute(insert, [bytes(4), value])
    return [row[0] for row in oracle.query(f"SELECT c FROM {KEYSPACE}.t WHERE k = 0")]


def main():
    rng = random.Random(4712)
    oracle = Oracle()
    oracle.query(f"CREATE KEYSPACE IF NOT EXISTS {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}")
    for name, make in TYPES.items():
        inserted = [make(rng) for _ in range(80)]
        for direction in ("asc", "desc"):
            print(name, direction, *map(show, order_of(oracle, name, direction, inserted)), sep="\t")
            sys.stdout.flush()
    oracle.query(f"DROP KEYSPACE {KEYSPACE}")


main()
