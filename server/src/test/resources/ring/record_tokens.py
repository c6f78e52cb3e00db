"""Records the oracle's tokens.

    python3 record_tokens.py > tokens.tsv     (against a Cassandra 5.0 on 127.0.0.9:9042)

A line: the bytes of a partition key as hex, its token. Lines that start with `composite` have the columns of
a key of text, int and blob, as hex each ("-" is the empty value), then the token.
"""
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "types"))
sys.dont_write_bytecode = True
from oracle_client import Oracle  # noqa: E402

KEYSPACE = "helenus_tokens"


def signed(data):
    return int.from_bytes(data, "big", signed=True)


def keys(rng):
    for length in range(1, 34):
        yield b"\x00" * length
        yield b"\xff" * length
        yield b"\x80" * length
        yield b"\x7f" * length
        yield bytes(range(0x80, 0x80 + length))
        for _ in range(4):
            yield bytes(rng.randrange(0x80, 0x100) for _ in range(length))
            yield rng.randbytes(length)
    for name in ("alice", "bob", "carol", "dave", "é", "日本"):
        yield name.encode()
    yield rng.randbytes(1000)


def main():
    rng = random.Random(5)
    oracle = Oracle()
    oracle.query(f"CREATE KEYSPACE IF NOT EXISTS {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}")
    oracle.query(f"CREATE TABLE IF NOT EXISTS {KEYSPACE}.one (k blob PRIMARY KEY)")
    oracle.query(f"CREATE TABLE IF NOT EXISTS {KEYSPACE}.three (a text, b int, c blob, PRIMARY KEY ((a, b, c)))")
    insert = oracle.prepare(f"INSERT INTO {KEYSPACE}.one (k) VALUES (?)")
    for key in keys(rng):
        oracle.execute(insert, [key])
    for key, token in sorted(oracle.query(f"SELECT k, token(k) FROM {KEYSPACE}.one")):
        print(key.hex(), signed(token), sep="\t")
    insert = oracle.prepare(f"INSERT INTO {KEYSPACE}.three (a, b, c) VALUES (?, ?, ?)")
    for _ in range(40):
        oracle.execute(insert, [rng.choice(["", "x", "naïve", "日本"]).encode(), rng.randbytes(4), rng.randbytes(rng.randrange(0, 20))])
    for row in sorted(oracle.query(f"SELECT a, b, c, token(a, b, c) FROM {KEYSPACE}.three")):
        print("composite", *(column.hex() or "-" for column in row[:3]), signed(row[3]), sep="\t")
    oracle.query(f"DROP KEYSPACE {KEYSPACE}")


main()
