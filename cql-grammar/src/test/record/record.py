#!/usr/bin/env python3
"""Records the answers of a running Cassandra to the statements of the parser's golden files.

  record.py HOST REFUSED ACCEPTED

REFUSED has one statement per line: code, tab, statement, tab, message, with \\n, \\r, \\t and \\\\ escaped. Code and message are
replaced with those of the answer to PREPARE, which changes nothing on the node; statements that Cassandra accepts are printed and
removed. ACCEPTED has one statement per line, escaped in the same way. Statements in it that Cassandra's parser rejects are printed,
and the exit status is 1 if there are any. Requires only Python 3.
"""
import re
import socket
import struct
import sys

# INVALID answers of the parser itself; all others come from a later stage, after the text has been accepted.
PARSER_INVALID = re.compile(r"Duplicate column '|Multiple PRIMARY KEY specified")
STARTUP, PREPARE, ERROR = 1, 9, 0
SYNTAX_ERROR, INVALID = 0x2000, 0x2200


def escape(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")


def unescape(text):
    names = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}
    return re.sub(r"\\(.)", lambda m: names[m.group(1)], text)


class Node:
    """A connection with the part of protocol v4 that PREPARE needs."""

    def __init__(self, host):
        self.socket = socket.create_connection((host, 9042), timeout=30)
        text = lambda s: struct.pack(">H", len(s)) + s.encode()
        self.request(STARTUP, struct.pack(">H", 1) + text("CQL_VERSION") + text("3.0.0"))

    def read(self, size):
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise EOFError("the node closed the connection")
            data += part
        return data

    def request(self, opcode, body):
        self.socket.sendall(struct.pack(">BBHBI", 4, 0, 0, opcode, len(body)) + body)
        _, _, _, answer, size = struct.unpack(">BBHBI", self.read(9))
        return answer, self.read(size)

    def prepare(self, statement):
        """Returns the kind of the answer and, if the parser rejected the statement, its message."""
        query = statement.encode()
        answer, body = self.request(PREPARE, struct.pack(">I", len(query)) + query)
        if answer != ERROR:
            return "ACCEPTED", ""
        code, size = struct.unpack(">IH", body[:6])
        message = body[6 : 6 + size].decode()
        if code == SYNTAX_ERROR:
            return "SYNTAX", message
        if code == INVALID and PARSER_INVALID.match(message):
            return "INVALID", message
        return "ACCEPTED", ""


def main(host, refused, accepted):
    node = Node(host)
    lines = []
    for line in open(refused, encoding="utf-8").read().split("\n"):
        if not line:
            continue
        statement = unescape(line.split("\t")[1])
        code, message = node.prepare(statement)
        if code == "ACCEPTED":
            print("accepted, removed:", statement)
        else:
            lines.append("\t".join([code, escape(statement), escape(message)]))
    with open(refused, "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")
    wrong = 0
    for line in open(accepted, encoding="utf-8").read().split("\n"):
        code, message = node.prepare(unescape(line)) if line else ("ACCEPTED", "")
        if code != "ACCEPTED":
            wrong += 1
            print("rejected:", line, "->", message)
    print(len(lines), "rejected statements recorded;", wrong, "statements of", accepted, "are rejected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:4]))
