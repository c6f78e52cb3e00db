"""Records in which order the oracle keeps clustering values.

    python3 record_key_order.py > key-order.tsv     (against a Cassandra 5.0 on 127.0.0.9:9042)

A line: type, asc or desc, then the values in the order in which they are read back, as hex ("-" for the
empty value). Values that are equal in order appear once, with the bytes that the oracle answered. A line
`equal`: type, the values inserted in turn into one row, then the bytes read back from memory and after a
flush of each. A line `mixed`: the rows of a table with three clustering columns (text desc, int asc, blob desc).
"""
import random
import struct
import sys

from oracle_client import Oracle, OracleError

KEYSPACE = "helenus_key_order"


def signed(size, numbers):
    return [n.to_bytes(size, "big", signed=True) for n in numbers]


def varint(n):
    return n.to_bytes((n + (n < 0)).bit_length() // 8 + 1, "big", signed=True)


def decimal(unscaled, scale):
    return struct.pack(">i", scale) + varint(unscaled)


def uuid(text):
    return bytes.fromhex(text.replace("-", ""))


def values(rng):
    powers = [s * (2 ** b) + d for b in range(0, 63, 3) for s in (1, -1) for d in (-1, 0, 1)]
    texts = ["", "a", "b", "ab", "aa", "A", "\0", "a\0", "a\0b", "a\0\0", "\x01", "a\x01", "\x7f", "é", "€", "😀", "z" * 40, "z" * 39,
             "abcdefg", "abcdefgh", "abcdefghi", "abcdefgh\0", "abcdefg\0i"]
    blobs = [b"", b"\0", b"\0\0", b"\xff", b"\xff\xff", b"\0\xff", b"\xff\0", b"\xff\0\0", b"\x01", b"\x80", b"\x7f"]
    blobs += [bytes(rng.choice((0, 1, 0x7f, 0x80, 0xfe, 0xff)) for _ in range(rng.randrange(1, 20))) for _ in range(60)]
    floats = [0.0, -0.0, 1.0, -1.0, 1.5, 3.4028234e38, -3.4028234e38, 1.4e-45, -1.4e-45, float("inf"), float("-inf"), 1e10, -1e10]
    doubles = floats + [1.7976931348623157e308, -1.7976931348623157e308, 5e-324, -5e-324, 0.1, -0.1]
    uuids = [bytes(16), b"\xff" * 16]
    for version in range(16):
        for _ in range(5):
            raw = bytearray(rng.randbytes(16))
            raw[6] = version << 4 | raw[6] & 15
            uuids.append(bytes(raw))
    timeuuids = []
    for time in (0, 1, 2 ** 31, 2 ** 32, 2 ** 47, 2 ** 48, 2 ** 59, 2 ** 60 - 1, 0x1b21dd213814000):
        for low in (0, 1, 0x7f7f7f7f7f7f7f7f, 0x8080808080808080, 2 ** 64 - 1, 0x80 << 56, 0x7f << 56, 0x807f807f807f807f, 0x7f80, 0x80ff000000000001):
            timeuuids.append(struct.pack(">IHHQ", time & 0xffffffff, time >> 32 & 0xffff, time >> 48 | 0x1000, low))
    uuids += timeuuids[::4]
    varints = [0, 1, -1, 127, 128, -128, -129, 255, 256, -255, -256, 10 ** 40, -10 ** 40, 10 ** 400, -10 ** 400] + powers
    decimals = [(0, 0), (1, 0), (-1, 0), (10, 0), (1, -1), (11, 1), (15, 1), (-15, 1), (1, 400), (-1, 400), (1, -400), (-1, -400), (123456789, 4),
                (123456788, 4), (5, 3), (-5, 3), (5, -3), (99, 1), (10 ** 30 + 1, 25), (-(10 ** 30) - 1, 25), (1, 2 ** 31 - 1), (1, -2 ** 31), (-1, 2 ** 31 - 1),
                (100, 0), (101, 0), (1001, 1), (9, 0), (90001, 4), (9, -3), (12, 0), (1234, 2), (12345, 3)]
    decimals += [(rng.randrange(-10 ** 6, 10 ** 6), rng.randrange(-6, 7)) for _ in range(60)]
    longs = [0, 1, -1, 2 ** 63 - 1, -2 ** 63] + powers
    ints = [0, 1, -1, 2 ** 31 - 1, -2 ** 31] + [n for n in powers if -2 ** 31 <= n < 2 ** 31]
    return {
        "ascii": [t.encode() for t in texts if t.isascii()],
        "bigint": [b""] + signed(8, longs),
        "blob": blobs,
        "boolean": [b"", b"\0", b"\x01"],
        "date": [struct.pack(">I", n) for n in (0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1, 19000 + 2 ** 31)],
        "decimal": [b""] + [decimal(*d) for d in decimals],
        "double": [b"", bytes.fromhex("7ff8000000000000")] + [struct.pack(">d", d) for d in doubles],
        "float": [b"", bytes.fromhex("7fc00000")] + [struct.pack(">f", f) for f in floats],
        "inet": [b""] + [rng.randbytes(4) for _ in range(10)] + [rng.randbytes(16) for _ in range(10)] + [bytes(4), bytes(16), b"\xff" * 4, b"\xff" * 16, b"\x7f\0\0\x01"],
        "int": [b""] + signed(4, ints),
        "smallint": signed(2, [0, 1, -1, 127, 128, -128, -129, 32767, -32768]),
        "text": [t.encode() for t in texts],
        "time": [struct.pack(">q", n) for n in (0, 1, 86399999999999, 43200000000000)],
        "timestamp": [b""] + signed(8, longs),
        "timeuuid": [b""] + timeuuids,
        "tinyint": signed(1, [0, 1, -1, 127, -128]),
        "uuid": [b""] + uuids,
        "varint": [b""] + [varint(n) for n in varints],
    }


EQUAL = {
    "decimal": [decimal(10, 1), decimal(1, 0), decimal(1000, 3), b"\0\0\0\0\0\x01"],
    "varint": [b"\x01", b"\0\x01", b"\0\0\0\x01"],
    "boolean": [b"\x01", b"\x02", b"\xff"],
    "double": [bytes.fromhex("7ff8000000000000"), bytes.fromhex("fff8000000000001"), bytes.fromhex("7ff0000000000001")],
    "float": [bytes.fromhex("7fc00000"), bytes.fromhex("ffc00001")],
}


def show(value):
    return value.hex() or "-"


def order_of(oracle, name, direction, inserted):
    oracle.query(f"DROP TABLE IF EXISTS {KEYSPACE}.t")
    oracle.query(f"CREATE TABLE {KEYSPACE}.t (k int, c {name}, PRIMARY KEY (k, c)) WITH CLUSTERING ORDER BY (c {direction})")
    insert = oracle.prepare(f"INSERT INTO {KEYSPACE}.t (k, c) VALUES (?, ?)")
    for value in inserted:
        try:
            oracle.execute(insert, [bytes(4), value])
        except OracleError as error:
            print("refused", name, direction, show(value), error.message, sep="\t")
    return [row[0] for row in oracle.query(f"SELECT c FROM {KEYSPACE}.t WHERE k = 0")]


def record_equal(oracle, name, forms):
    for first in range(len(forms)):
        turn = forms[first:] + forms[:first]
        print("equal", name, *map(show, turn), "=>", *map(show, order_of(oracle, name, "asc", turn)), sep="\t")


def record_mixed(oracle, rng):
    oracle.query(f"DROP TABLE IF EXISTS {KEYSPACE}.t")
    oracle.query(f"CREATE TABLE {KEYSPACE}.t (k int, a text, b int, c blob, PRIMARY KEY (k, a, b, c)) WITH CLUSTERING ORDER BY (a DESC, b ASC, c DESC)")
    insert = oracle.prepare(f"INSERT INTO {KEYSPACE}.t (k, a, b, c) VALUES (?, ?, ?, ?)")
    for _ in range(150):
        a = rng.choice([b"", b"\0", b"a", b"a\0", b"ab", b"b"])
        b = rng.choice([b""] + signed(4, [-1, 0, 1, 255, -256]))
        c = rng.choice([b"", b"\0", b"\xff", b"\xff\0", b"\0\xff", b"\x38", b"\x20"])
        oracle.execute(insert, [bytes(4), a, b, c])
    for row in oracle.query(f"SELECT a, b, c FROM {KEYSPACE}.t WHERE k = 0"):
        print("mixed", *map(show, row), sep="\t")


def main():
    rng = random.Random(4711)
    oracle = Oracle()
    oracle.query(f"CREATE KEYSPACE IF NOT EXISTS {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}")
    for name, inserted in values(rng).items():
        rng.shuffle(inserted)
        for direction in ("asc", "desc"):
            print(name, direction, *map(show, order_of(oracle, name, direction, inserted)), sep="\t")
            sys.stdout.flush()
    for name, forms in EQUAL.items():
        record_equal(oracle, name, forms)
    record_mixed(oracle, rng)
    oracle.query(f"DROP KEYSPACE {KEYSPACE}")


main()
