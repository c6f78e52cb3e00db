"""Records what the oracle's native functions give and refuse.

    python3 record_functions.py > functions.tsv     (against a Cassandra 5.0 on 127.0.0.9:9042)

Lines, fields separated by tabs; a value is hex, "-" when empty, "null" when null:

    call       name, types of the arguments, their values (both with commas), then `ok` and the value or `error` and the text
    cast       type, value, target type, then as call
    aggregate  name, type, the values of the rows (with commas), then as call
    operation  left type, operator, right type, left value, right value, then as call
    resolve    name, arguments with commas (a type: a column of it; ?; null; KIND:text: a constant), then `ok`, the
               column's name and the option of its type, or `error` and the text

Arguments of known type appear in texts as `system.blob_as_T(0x…)` or as `c_T`. The order of signatures in an error's
list is not the same on every start of Cassandra.
"""
import pathlib
import random
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "types"))
sys.dont_write_bytecode = True
from oracle_client import Oracle, OracleError  # noqa: E402

KEYSPACE = "helenus_functions"
NUMBERS = "tinyint smallint int bigint varint float double decimal".split()
TYPES = ("ascii bigint blob boolean date decimal double duration float inet int smallint text time timestamp timeuuid tinyint"
         " uuid varint").split()


def pack(form, *numbers):
    return [struct.pack(form, n) for n in numbers]


def varint(n):
    return n.to_bytes((n + (n < 0)).bit_length() // 8 + 1, "big", signed=True)


def decimal(unscaled, scale):
    return struct.pack(">i", scale) + varint(unscaled)


DOUBLES = (0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.1, 2.99, -2.99, 1e7, 1e10, 1e300, -1e300, 123456789.125, 1e-7, float("inf"), float("-inf"))
VALUES = {
    "tinyint": pack(">b", 0, 1, -2, 10, 127, -128),
    "smallint": pack(">h", 0, 1, -3, 300, 32767, -32768),
    "int": pack(">i", 0, 1, -7, 100, 1000, 65536, 2 ** 31 - 1, -2 ** 31),
    "bigint": pack(">q", 0, 1, -5, 40, 100, 1000, 2 ** 32, 2 ** 63 - 1, -2 ** 63),
    "varint": [varint(n) for n in (0, 1, -300, 2, 10, 100, 1000, 10 ** 30, 2 ** 63, -2 ** 63 - 1)],
    "float": pack(">f", 0.0, -0.0, 1.0, -3.5, 2.5, -2.5, 0.1, 2.99, 1e7, 1e10, 1e30, float("inf"), float("-inf")) + [bytes.fromhex("7fc00000")],
    "double": pack(">d", *DOUBLES) + [bytes.fromhex("7ff8000000000000")],
    "decimal": [decimal(*d) for d in ((0, 0), (0, 2), (1, 0), (-150, 2), (25, 1), (-25, 1), (15, 1), (1, -3), (1, -30), (1, 10), (123456789012345678901234567890, 10), (-299, 2), (10, 0), (100, 0), (2718281828, 9))],
    "boolean": [b"\0", b"\x01", b"\x02"],
    "date": pack(">I", 0, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 19000, 2 ** 32 - 1),
    "time": pack(">q", 0, 45296100000000),
    "timestamp": pack(">q", 0, -1, 1577934245678, -86400000, -86400001),
    "timeuuid": [bytes.fromhex(h) for h in ("123e4567e89b12d3a456426614174000", "00000000000010000000000000000000", "138140001dd211b28080808080808080")],
    "uuid": [bytes.fromhex("123e4567e89b42d3a456426614174000")],
    "inet": [b"\x7f\0\0\x01", bytes(15) + b"\x01"],
    "ascii": [b"", b"abc"],
    "text": [b"", "é".encode()],
    "blob": [b"", b"\xca\xfe", b"\0\0\0\x01", b"\x02", bytes(8), bytes(16), b"\xff"],
    "duration": [bytes.fromhex("020406")],
}
EMPTY_ALLOWED = "bigint boolean decimal double float inet int timestamp timeuuid uuid varint".split()


def show(value):
    return "null" if value is None else value.hex() or "-"


def escape(text):
    return text.encode("unicode_escape").decode()


def expression(name, value):
    if value is None:
        return f"({name})null"
    return "0x" + value.hex() if name == "blob" else f"blob_as_{name}(0x{value.hex()})"


def result(oracle, selection):
    try:
        return "ok", show(oracle.query(f"SELECT {selection} FROM one WHERE k = 0")[0][0])
    except OracleError as error:
        return "error", escape(error.message)


def record_calls(oracle):
    def call(function, *arguments):
        shown = result(oracle, f"{function}({', '.join(expression(t, v) for t, v in arguments)})")
        print("call", function, ",".join(t for t, _ in arguments), ",".join(show(v) for _, v in arguments), *shown, sep="\t")

    for name in NUMBERS:
        values = VALUES[name] + [None] + ([b""] if name in EMPTY_ALLOWED else [])
        for value in values:
            for function in "abs exp log log10 round".split():
                big = name in ("varint", "decimal") and abs(int.from_bytes(value or b"\0", "big", signed=True)) > 2 ** 45
                if not (function == "exp" and big):
                    call(function, (name, value))
    for function, types in {"to_date": ("timestamp", "timeuuid"), "todate": ("timestamp",), "to_timestamp": ("date", "timeuuid"),
                            "totimestamp": ("date",), "to_unix_timestamp": ("date", "timestamp", "timeuuid"), "tounixtimestamp": ("date",),
                            "min_timeuuid": ("timestamp",), "maxtimeuuid": ("timestamp",), "max_timeuuid": ("timestamp",)}.items():
        for name in types:
            for value in VALUES[name] + [None] + ([b""] if name in EMPTY_ALLOWED else []):
                call(function, (name, value))
    for name in TYPES:
        if name != "blob":
            for value in VALUES["blob"] + [None]:
                call(f"blob_as_{name}", ("blob", value))
            call(f"blobas{name}", ("blob", b"\x01\x02\x03"))
            call(f"{name}_as_blob", (name, VALUES[name][-1]))
            call(f"{name}asblob", (name, None))


def record_casts(oracle):
    for name in TYPES:
        insert = oracle.prepare(f"INSERT INTO one (k, c_{name}) VALUES (?, ?)")
        for target in TYPES:
            values = VALUES[name] if name in NUMBERS and target in NUMBERS or target in ("text", "date", "timestamp") else VALUES[name][-1:]
            for value in values + [None] + ([b""] if name in EMPTY_ALLOWED else []):
                oracle.execute(insert, [bytes(4), value])
                shown = result(oracle, f"CAST(c_{name} AS {target})")
                if "IndexOutOfBounds" in shown[1]:
                    continue  # a failure of Cassandra's own
                print("cast", name, show(value), target, *shown, sep="\t")


def record_aggregates(oracle, rng):
    groups = {
        "tinyint": [pack(">b", 127, 127), pack(">b", 1, 2, 2), pack(">b", -1, -2)], "smallint": [pack(">h", 32767, 32767), pack(">h", -7, 2)],
        "int": [pack(">i", 2 ** 31 - 1, 2 ** 31 - 1), pack(">i", 5, 0, 0), pack(">i", -1, -2)],
        "bigint": [pack(">q", 2 ** 63 - 1, 2 ** 63 - 1), pack(">q", -2 ** 63, -2 ** 63, 1), pack(">q", 1, 2, 2)],
        "varint": [[varint(5), varint(0), varint(0)], [varint(10 ** 30), varint(1)], [varint(-7), varint(2)]],
        "decimal": [[decimal(*d) for d in row] for row in ([(110, 2), (2205, 3)], [(1, 0), (2, 0), (25, 1)], [(5, 0), (0, 0), (0, 0)], [(1, -40), (-1, 40)], [(10, 1), (1, 0)])],
        "float": [pack(">f", *row) for row in ([3.4e38, 3.4e38], [0.1, 0.2, 0.3], [-0.0, 0.0, 1e-45], [float("inf"), float("-inf")], [float("inf"), 1.0], [float("nan"), 1.0])],
        "double": [pack(">d", *row) for row in ([1.7e308, 1.7e308], [0.1, 0.2, 0.3], [1.7e308, 1.7e308, -1.7e308], [float("inf"), float("-inf")], [float("inf"), 1.0], [float("nan"), 1.0])],
        "text": [[b"b", b"a", b"ab", b""]], "uuid": [VALUES["uuid"] + VALUES["timeuuid"]], "timeuuid": [VALUES["timeuuid"]], "boolean": [VALUES["boolean"]],
        "blob": [VALUES["blob"]], "date": [VALUES["date"]], "time": [VALUES["time"]], "timestamp": [VALUES["timestamp"]], "inet": [VALUES["inet"]], "ascii": [VALUES["ascii"]],
        "duration": [[bytes.fromhex("020406"), bytes.fromhex("000002"), bytes.fromhex("040200")]],
    }
    for name in ("float", "double"):
        for _ in range(12):
            row = [rng.uniform(-1, 1) * 10 ** rng.randint(-5, 8) for _ in range(rng.randrange(3, 12))]
            groups[name].append(pack(">f" if name == "float" else ">d", *row))
    for name, rows_of in groups.items():
        oracle.query(f"CREATE TABLE IF NOT EXISTS rows_{name} (k int, c int, v {name}, PRIMARY KEY (k, c))")
        insert = oracle.prepare(f"INSERT INTO rows_{name} (k, c, v) VALUES (?, ?, ?)")
        for k, values in enumerate(rows_of + [[], [None], [None] + rows_of[0]]):
            for c, value in enumerate(values):
                oracle.execute(insert, pack(">i", k, c) + [value])
            for function in ("count", "min", "max") + (("sum", "avg") if name in NUMBERS else ()):
                try:
                    shown = "ok", show(oracle.query(f"SELECT {function}(v) FROM rows_{name} WHERE k = {k}")[0][0])
                except OracleError as error:
                    shown = "error", escape(error.message)
                print("aggregate", function, name, ",".join(map(show, values)), *shown, sep="\t")


OPERANDS = {
    "tinyint": pack(">b", 7, -128), "smallint": pack(">h", -300, 32767), "int": pack(">i", 10, -2 ** 31), "bigint": pack(">q", 3, 2 ** 63 - 1),
    "varint": [varint(-17), varint(10 ** 25)], "float": pack(">f", 2.5, 3e38), "double": pack(">d", -0.1, 1e300), "decimal": [decimal(-150, 2), decimal(7, 40), decimal(0, 1)],
}


def record_operations(oracle):
    def operation(left, sign, right, a, b):
        shown = result(oracle, f"{expression(left, a)} {sign} {expression(right, b)}")
        print("operation", left, sign, right, show(a), show(b), *shown, sep="\t")

    for left in NUMBERS:
        for right in NUMBERS:
            for sign in "+-*/%":
                for a in OPERANDS[left]:
                    for b in OPERANDS[right]:
                        operation(left, sign, right, a, b)
                operation(left, sign, right, OPERANDS[left][0], None)
        for sign in "/%":
            for right in NUMBERS:
                zero = {"varint": b"\0", "decimal": bytes(5)}.get(right, bytes(len(OPERANDS[right][0])))
                operation(left, sign, right, OPERANDS[left][0], zero)
        for value in OPERANDS[left] + [None]:
            shown = result(oracle, f"-{expression(left, value)}" if value is not None else f"-({expression(left, value)})")
            print("call", "_negate", left, show(value), *shown, sep="\t")
    for a in (b"", b"abc", None):
        for left, right in (("text", "text"), ("text", "ascii"), ("ascii", "text"), ("ascii", "ascii")):
            operation(left, "+", right, a, b"x")
    durations = [bytes.fromhex(h) for h in ("020000", "000200", "0000fc068c61714000", "010300", "1a0000", "010000")] + [None]
    for sign in "+-":
        for moment in (0, 1577934245678, 1582934400000, 1580428800000, -86400001, 951782400000):
            for duration in durations:
                if duration != bytes.fromhex("010300"):
                    operation("timestamp", sign, "duration", struct.pack(">q", moment), duration)
                    operation("date", sign, "duration", struct.pack(">I", moment // 86400000 + 2 ** 31), duration)
    for left, sign, right in (("date", "-", "date"), ("time", "+", "duration"), ("uuid", "+", "int"), ("boolean", "+", "boolean"), ("duration", "+", "duration"),
                              ("text", "-", "text"), ("text", "+", "int"), ("timestamp", "*", "int"), ("timestamp", "+", "int"), ("date", "+", "int"), ("duration", "+", "timestamp"), ("inet", "%", "inet")):
        operation(left, sign, right, VALUES[left][-1], VALUES[right][-1])


def record_resolutions(oracle):
    arguments = {"?": "?", "null": "null"}
    calls = []
    for function in ("abs to_date to_timestamp to_unix_timestamp min_timeuuid sum avg min max count now uuid current_date token int_as_blob"
                     " blob_as_int nope countrows count_rows dateof cast_as_int cast_as_text cast_as_date castasint ttlof system.abs system.nope other.abs").split():
        calls += [(function, ()), (function, ("?",)), (function, ("null",)), (function, ("int", "int"))]
        calls += [(function, (name,)) for name in TYPES]
        calls += [(function, (c,)) for c in ("STRING:abc", "STRING:2020-01-01", "INTEGER:12", "INTEGER:3000000000", "INTEGER:30000000000000000000", "FLOAT:1.5",
                                            "FLOAT:0.12345678901234567890", "FLOAT:NaN", "BOOLEAN:true", "UUID:123e4567-e89b-12d3-a456-426614174000", "HEX:0x00000001", "DURATION:1h")]
    for function, given in calls:
        if function == "count" and given and ":" in given[0]:
            continue  # count(constant) counts rows: the parser's knowledge
        texts = []
        for argument in given:
            kind, _, text = argument.partition(":")
            texts.append(arguments.get(argument) or (f"'{text}'" if kind == "STRING" else text if text else f"c_{argument}"))
        try:
            body = oracle.query(f"SELECT {function}({', '.join(texts)}) FROM one WHERE k = 0")
            shown = "ok", oracle.columns[0]
        except OracleError as error:
            if error.code == 0x2000:
                continue
            if "IndexOutOfBounds" in error.message:
                continue  # a failure of Cassandra's own
            shown = "error", escape(error.message)
        print("resolve", function, ",".join(given), *shown, sep="\t")


def main():
    rng = random.Random(3)
    oracle = Oracle()
    oracle.query(f"CREATE KEYSPACE IF NOT EXISTS {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}")
    oracle.query(f"USE {KEYSPACE}")
    oracle.query(f"CREATE TABLE IF NOT EXISTS one (k int PRIMARY KEY, {', '.join(f'c_{name} {name}' for name in TYPES)})")
    oracle.query("INSERT INTO one (k) VALUES (0)")
    record_calls(oracle)
    record_casts(oracle)
    record_aggregates(oracle, rng)
    record_operations(oracle)
    record_resolutions(oracle)
    oracle.query(f"DROP KEYSPACE {KEYSPACE}")


main()
