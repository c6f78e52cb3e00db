"""Records what the oracle makes of constants and of bound bytes.

    python3 record_values.py literals > literals.tsv      type, kind, text, then `ok` and hex or `error` and the text
    python3 record_values.py wire > wire-validation.tsv   type, hex, then `ok` or `error` and the text
    python3 record_values.py texts > texts.tsv            type, hex, then what CAST(… AS text) gives

Texts are escaped as in Python string literals. Errors of the parser are left out.
"""
import random
import struct
import sys

from oracle_client import Oracle, OracleError

KEYSPACE = "helenus_values"
TYPES = ("ascii bigint blob boolean date decimal double duration float inet int smallint text time timestamp timeuuid tinyint"
         " uuid varint").split()
EVERY = {
    "STRING": ["abc", "", "12", "-12", "1.5", " 12", "true", "TRUE", "NaN", "123e4567-e89b-12d3-a456-426614174000", "1h", "2020-01-02",
               "2020-01-02 03:04", "12:34:56", "127.0.0.1", "é", "😀", "0xcafe", "it's"],
    "INTEGER": ["12", "-12", "0", "127", "128", "-128", "-129", "32767", "32768", "-32769", "2147483647", "2147483648", "-2147483648",
                "-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "00012", "-0",
                "4294967295", "4294967296", "86399999999999", "86400000000000", "123456789012345678901234567890"],
    "FLOAT": ["1.5", "-1.5", "1e10", "1.0E-400", "NaN", "Infinity", "-Infinity", "-0.0", "1.", "3.5e38", "1e308", "0.1", "00.10", "1.e5",
              "1E+5", "4.9e-324", "1.4e-45", "123456789012345678901234567890.1234567890"],
    "BOOLEAN": ["true", "FALSE", "tRuE"],
    "UUID": ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-42D3-A456-426614174000", "00000000-0000-0000-0000-000000000000",
             "ffffffff-ffff-1fff-ffff-ffffffffffff"],
    "HEX": ["0x", "0x0", "0x01", "0xCAFE", "0xcafebabe01"],
    "DURATION": ["1h", "-1d2h", "P1Y2M", "P1W", "P0001-02-03T04:05:06"],
}
SPECIAL = {
    ("date", "STRING"): ["-5877641-06-23", "-5877641-06-22", "5881580-07-11", "+5881580-07-11", "+5881580-07-12", "+10000-01-01", "10000-01-01", "2020-1-2",
                         "2020-02-30", "0000-01-01", "-0001-01-01", "+2020-01-02", "now", "4294967295", "4294967296", "2020-01-02Z", " 2020-01-02",
                         "20200102", "999999999-12-31", "1969-12-31", "-2020-01-02", "2019-02-29", "2020-02-29", "99999999999999999999", "-"],
    ("time", "STRING"): ["1:2:3", "12:34", "12:34:56.1", "12:34:56.1234567891", "24:00:00", "-1:00:00", "12:60:00", "12:34:60", "12:34:56.",
                         "23:59:59.999999999", "86399999999999", "86400000000000", "9223372036854775808", " 12:34:56", "12:34:56.12 ", "012:34:56",
                         "12:34:56.-1", "12::56", "+12:34:56", "12:34:56:78", "12-34-56", "12:34:", "12:34:5.5", "12:-4:56", "12.5:34:56", ":1:2",
                         "12:+4:56", "12:34:56.+1", "12:34:56.1a", "12:34:56. 1", "a:b:c", "12: 34:56", "12:34:56..1", "12:34:56.1.2"],
    ("timestamp", "STRING"): ["2020-01-02 03:04:05.1", "2020-01-02 03:04:05.123456789", "2020-01-02 03:04:05.1234567890", "2020-1-2 3:4", "2020-1-2",
                              "2020-01-02T03:04", "2020-01-02 03:04 PST", "2020-01-02 03:04 Pacific Standard Time", "2020-01-02 03:04 +01",
                              "2020-01-02 03:04+01", "2020-01-02 03:04+01:00", "2020-01-02 03:04 +01:00", "2020-01-02 03:04 +0100",
                              "2020-01-02 03:04Z", "2020-01-02 03:04 Z", "2020-01-02Z", "2020-01-02+0100", "2020-01-02+01:00", "2020-01-02 +01",
                              "2020-01-02 PST", "2020-01-02 03:04:05.", "2020-01-02 24:00:00", "2020-02-30", "2020-02-30 01:00", "0000-01-01",
                              "-0001-01-01", "-0001-01-01 00:00:00", "+10000-01-01", "10000-01-01", "10000-01-01 00:00:00Z",
                              "292278994-08-17 07:12:55.807Z", "2020-01-02 03:04:05 GMT", "2020-01-02 03:04:05 UTC",
                              "2020-01-02 03:04:05 Europe/Berlin", "2020-01-02 03:04:05GMT", "2020-01-02T03:04:05.678+01:30",
                              "9223372036854775807", "-9223372036854775808", "9223372036854775808", " ", "2020-01-02t03:04", "2020-01-02T03:04:05z",
                              "20-01-02", "20-01-02 01:00", "2020-01-02T03", "2020-06-02 03:04 CEST", "2020-01-02 03:04:05.123 PST",
                              "2020-01-02T03:04:05,5", "2011-02-03 04:05+0000", "2020-01-02 03:04 +1", "1969-12-31 23:59:59.999Z", "2020-02-31",
                              "2020-01-02 25:00", "2020-13-01", "0001-01-01", "-"],
    ("inet", "STRING"): ["0:0:0:0:0:0:0:1", "::ffff:1.2.3.4", "[::1]", "256.1.1.1", "1.2.3.256", "1.2.3.4.5", "01.02.03.04", "0x7f.1", "4294967295",
                         "4294967296", "::", "1::2::3", "2001:db8::1", "1.2.65535", "1.2.65536", "1.16777215", "::1.2.3.4", "127.0.0.1 ", "1..2",
                         ".1", "1.", "::FFFF:0102:0304", "fe80::1", "localhost", "nosuch.example.invalid", "1:2:3:4:5:6:7:8:9", "::g"],
    ("duration", "DURATION"): ["1y2mo3w4d5h6m7s8ms9us10ns", "1Y", "1MO", "1mo1mo", "1d1y", "1µs", "1h1h", "10000000000y", "2147483647mo", "2147483648mo",
                               "178956970y8mo", "2147483647d", "306783378w", "306783379w", "9223372036854775807ns", "2562047h", "2562048h", "P1Y",
                               "P1M", "P1D", "PT1H", "PT1M", "PT1S", "P1Y2M3DT4H5M6S", "-P1Y", "-P2W", "P0001-13-40T99:99:99",
                               "-P0001-02-03T04:05:06", "0s", "-0s", "1D", "1NS", "1Us", "1Ms", "1S", "1M", "1m1M", "1ms1us", "12mo", "48h", "1us1ms",
                               "-1y2mo", "1w1d", "1d1w", "1m1h", "1s1m", "1ns1us", "1mo1y", "14mo", "1ms1ms", "1us1us", "1ns1ns", "1w1w", "1y1y", "1s1s",
                               "153722867m", "153722868m", "9223372036s", "9223372037s", "1h9223372036s"],
}


def escape(text):
    return text.encode("unicode_escape").decode()


def literal(kind, text):
    return "'" + text.replace("'", "''") + "'" if kind == "STRING" else text


def record_literals(oracle):
    for name in TYPES:
        for kind, texts in EVERY.items():
            for text in texts + SPECIAL.get((name, kind), []):
                try:
                    oracle.query(f"INSERT INTO v_{name} (k, v) VALUES (0, {literal(kind, text)})")
                    shown = "ok", stored(oracle, name).hex()
                except OracleError as error:
                    if error.code != 0x2200 or error.message.startswith("Failed parsing"):
                        continue
                    shown = "error", escape(error.message)
                print(name, kind, escape(text), *shown, sep="\t")


def stored(oracle, name):
    return oracle.query(f"SELECT v FROM v_{name} WHERE k = 0")[0][0]


def wire_cases(rng):
    cases = [bytes(n) for n in range(18)] + [b"\xff" * n for n in (1, 2, 4, 8, 16)]
    cases += [bytes.fromhex(h) for h in ("01 02 7f 80 0001 fffe 010203 123e4567e89b12d3a456426614174000 123e4567e89b42d3a456426614174000"
                                         " a23e4567e89b02d3a456426614174000 616263 c3a9 c3 c328 c080 c081 c180 e08080 e0a080 eda080 ed7f80 efbfbf"
                                         " f09f9880 f0808080 f4908080 f7bfbfbf f8808080 fe ff 61c3 c3a961 61626364656667c3a9 6162636465666768c3"
                                         " 00004e94914f0000 00004e94914effff 010000 020100 020202 000001 f0ffffffff0000 f0fffffffe0000 f1000000000000"
                                         " 00f0ffffffff00 00f100000000000000 0000ffffffffffffffffff 0000fffffffffffffffffe 000000ff").split()]
    cases += [rng.randbytes(rng.randrange(1, 6)) for _ in range(60)]
    return cases


def record_wire(oracle):
    rng = random.Random(17)
    cases = wire_cases(rng)
    for name in TYPES:
        insert = oracle.prepare(f"INSERT INTO v_{name} (k, v) VALUES (?, ?)")
        for case in cases:
            try:
                oracle.execute(insert, [bytes(4), case])
                shown = ("ok",)
            except OracleError as error:
                if error.code != 0x2200:
                    continue
                shown = "error", escape(error.message)
            print(name, case.hex(), *shown, sep="\t")


def text_cases():
    def pack(form, *numbers):
        return [struct.pack(form, n) for n in numbers]

    doubles = (0.0, -0.0, 1.0, 0.1, 1e7, 9999999.0, 1e-3, 9.99e-4, 1e300, -2.5, 123456789.125, float("inf"), float("-inf"), 5e-324, 2e-323, 2.2250738585072014e-308)
    return {
        "tinyint": pack(">b", 0, -128, 127), "smallint": pack(">h", 0, -32768), "int": pack(">i", 0, -7, 2 ** 31 - 1),
        "bigint": pack(">q", 0, -5, 2 ** 63 - 1), "varint": [b"\0", b"\xff", b"\0\xff", b"\x7f" * 20],
        "double": pack(">d", *doubles) + [bytes.fromhex("7ff8000000000000")],
        "float": pack(">f", 0.0, -0.0, 1.0, 0.1, 1e7, 1e10, 3.4028234e38, 1.4e-45, 2.8e-45, float("inf"), -2.5) + [bytes.fromhex("7fc00000")],
        "decimal": [struct.pack(">i", s) + u for s, u in ((0, b"\0"), (2, b"\0"), (1, b"\x0f"), (-3, b"\x01"), (6, b"\x01"), (7, b"\x01"), (10, b"\xff"), (400, b"\x0c"), (-400, b"\x0c"), (3, b"\x7f" * 9))],
        "boolean": [b"\0", b"\x01", b"\x05"],
        "date": pack(">I", 0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 19000, 2 ** 32 - 1, 2 ** 31 - 719529, 2 ** 31 - 719528, 2 ** 31 + 2932897),
        "time": pack(">q", 0, 1, 86399999999999, 45296100000000),
        "timestamp": pack(">q", 0, -1, 1577934245678, 253402300799999, 253402300800000, -62135596800000, -62167219200000, -62167219200001, 2 ** 63 - 1, -2 ** 63, -12219292800000, -12219292800001, -14000000000000),
        "inet": [bytes(4), b"\x7f\0\0\x01", bytes(16), bytes(15) + b"\x01", bytes.fromhex("20010db8000000000000000000000001"), bytes(10) + b"\xff\xff\x01\x02\x03\x04", bytes(12) + b"\x01\x02\x03\x04"],
        "uuid": [bytes(16), bytes.fromhex("123e4567e89b42d3a456426614174000")], "timeuuid": [bytes.fromhex("123e4567e89b12d3a456426614174000")],
        "ascii": [b"", b"a'b"],
    }


def record_texts(oracle):
    for name, cases in text_cases().items():
        insert = oracle.prepare(f"INSERT INTO v_{name} (k, v) VALUES (?, ?)")
        for case in cases:
            oracle.execute(insert, [bytes(4), case])
            try:
                text = oracle.query(f"SELECT CAST(v AS text) FROM v_{name} WHERE k = 0")[0][0]
            except OracleError as error:
                print("left out", name, case.hex(), error.message, file=sys.stderr)
                continue
            print(name, case.hex(), "null" if text is None else escape(text.decode()), sep="\t")


def main():
    oracle = Oracle()
    oracle.query(f"CREATE KEYSPACE IF NOT EXISTS {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}")
    oracle.query(f"USE {KEYSPACE}")
    for name in TYPES:
        oracle.query(f"CREATE TABLE IF NOT EXISTS v_{name} (k int PRIMARY KEY, v {name})")
    {"literals": record_literals, "wire": record_wire, "texts": record_texts}[sys.argv[1]](oracle)


main()
