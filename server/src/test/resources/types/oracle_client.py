"""A minimal native-protocol client (v4, bytes in, bytes out) for the recorders beside it."""
import socket
import struct


class OracleError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.message = message


class Oracle:
    def __init__(self, host="127.0.0.9", port=9042):
        self.socket = socket.create_connection((host, port))
        self.columns = []
        self.request(1, struct.pack(">H", 1) + self.string("CQL_VERSION") + self.string("3.0.0"))

    @staticmethod
    def string(text):
        data = text.encode()
        return struct.pack(">H", len(data)) + data

    def receive(self, size):
        data = b""
        while len(data) < size:
            part = self.socket.recv(size - len(data))
            if not part:
                raise EOFError("the oracle hung up")
            data += part
        return data

    def request(self, opcode, body):
        self.socket.sendall(struct.pack(">BBhBI", 4, 0, 1, opcode, len(body)) + body)
        _, flags, _, opcode, size = struct.unpack(">BBhBI", self.receive(9))
        body = self.receive(size)
        if flags & 8:
            count, = struct.unpack_from(">H", body)
            at = 2
            for _ in range(count):
                length, = struct.unpack_from(">H", body, at)
                at += 2 + length
            body = body[at:]
        if opcode == 0:
            code, length = struct.unpack_from(">iH", body)
            raise OracleError(code, body[6:6 + length].decode())
        return body

    def query(self, text):
        data = text.encode()
        return self.rows(self.request(7, struct.pack(">I", len(data)) + data + struct.pack(">HB", 1, 0)))

    def prepare(self, text):
        data = text.encode()
        body = self.request(9, struct.pack(">I", len(data)) + data)
        length, = struct.unpack_from(">H", body, 4)
        return body[6:6 + length]

    def execute(self, prepared, values):
        body = struct.pack(">H", len(prepared)) + prepared + struct.pack(">HBH", 1, 1, len(values))
        for value in values:
            body += struct.pack(">i", -1) if value is None else struct.pack(">i", len(value)) + value
        return self.rows(self.request(10, body))

    def read_string(self, body, at):
        length, = struct.unpack_from(">H", body, at)
        return body[at + 2:at + 2 + length].decode(), at + 2 + length

    def skip_option(self, body, at):
        option, = struct.unpack_from(">H", body, at)
        at += 2
        if option == 0:
            _, at = self.read_string(body, at)
        elif option in (0x20, 0x22):
            at = self.skip_option(body, at)
        elif option == 0x21:
            at = self.skip_option(body, self.skip_option(body, at))
        elif option == 0x31:
            count, = struct.unpack_from(">H", body, at)
            at += 2
            for _ in range(count):
                at = self.skip_option(body, at)
        return at

    def rows(self, body):
        kind, = struct.unpack_from(">i", body)
        if kind != 2:
            return []
        flags, columns = struct.unpack_from(">ii", body, 4)
        at = 12
        if flags & 1:
            _, at = self.read_string(body, at)
            _, at = self.read_string(body, at)
        self.columns = []
        for _ in range(columns):
            if not flags & 1:
                _, at = self.read_string(body, at)
                _, at = self.read_string(body, at)
            name, at = self.read_string(body, at)
            self.columns.append(name)
            at = self.skip_option(body, at)
        count, = struct.unpack_from(">i", body, at)
        at += 4
        rows = []
        for _ in range(count):
            row = []
            for _ in range(columns):
                length, = struct.unpack_from(">i", body, at)
                at += 4
                row.append(None if length < 0 else body[at:at + length])
                at += max(length, 0)
            rows.append(row)
        return rows
