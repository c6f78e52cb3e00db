package io.helenus.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What a server that wants a login receives, and what the user sees when it refuses. */
class PasswordTest {
  private static final int VERSION = 4;
  private static final int ERROR = 0;
  private static final int AUTHENTICATE = 3;
  private static final int OPTIONS = 5;
  private static final int SUPPORTED = 6;
  private static final int AUTH_RESPONSE = 15;
  private static final int PROTOCOL_ERROR = 0x0A;
  private static final int BAD_CREDENTIALS = 0x100;

  /** A server that wants a login in version 4 of the protocol, and refuses everybody. */
  private static final class Refusing implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final Queue<String> logins = new ConcurrentLinkedQueue<>();

    Refusing() throws IOException {
      Thread.ofVirtual().start(this::accept);
    }

    String address() {
      return "127.0.0.1:" + listener.getLocalPort();
    }

    private void accept() {
      try {
        while (true) {
          Socket client = listener.accept();
          Thread.ofVirtual().start(() -> serve(client));
        }
      } catch (IOException e) {
        // closed
      }
    }

    private void serve(Socket client) {
      try (client) {
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        while (true) {
          int version = in.readUnsignedByte();
          in.readUnsignedByte();
          int stream = in.readUnsignedShort();
          int opcode = in.readUnsignedByte();
          byte[] body = in.readNBytes(in.readInt());
          if (version > VERSION) {
            send(
                out,
                stream,
                ERROR,
                error(PROTOCOL_ERROR, "Invalid or unsupported protocol version"));
          } else if (opcode == AUTH_RESPONSE) {
            logins.add(new String(body, Integer.BYTES, body.length - Integer.BYTES, UTF_8));
            send(out, stream, ERROR, error(BAD_CREDENTIALS, "wrong password"));
          } else if (opcode == OPTIONS) {
            send(out, stream, SUPPORTED, new byte[2]);
          } else {
            send(out, stream, AUTHENTICATE, string("PasswordAuthenticator"));
          }
        }
      } catch (IOException e) {
        // the client has gone
      }
    }

    private static void send(DataOutputStream out, int stream, int opcode, byte[] body)
        throws IOException {
      out.writeByte(0x80 | VERSION);
      out.writeByte(0);
      out.writeShort(stream);
      out.writeByte(opcode);
      out.writeInt(body.length);
      out.write(body);
      out.flush();
    }

    private static byte[] string(String text) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      new DataOutputStream(bytes).writeUTF(text);
      return bytes.toByteArray();
    }

    private static byte[] error(int code, String message) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(code);
      out.write(string(message));
      return bytes.toByteArray();
    }

    @Override
    public void close() throws IOException {
      listener.close();
    }
  }

  private record Outcome(int code, String errors) {}

  private static Outcome run(Map<String, String> environment, String... arguments) {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    try (PrintStream err = new PrintStream(errors, true, UTF_8)) {
      int code = Main.run(arguments, environment, false, System.out, err);
      return new Outcome(code, errors.toString(UTF_8));
    }
  }

  @Test
  void theLoginIsSentAndItsRefusalIsReported() throws IOException {
    try (Refusing server = new Refusing()) {
      Outcome refused =
          run(
              Map.of("HELENUS_FROM_PASSWORD", "secret"),
              "--from",
              server.address(),
              "--from-user",
              "reader",
              "--to",
              "127.0.0.1:1",
              "shop");
      assertEquals("\0reader\0secret", server.logins.peek());
      assertEquals(1, refused.code());
      assertTrue(
          refused.errors().startsWith("helenus copy: cannot connect to --from " + server.address()),
          refused.errors());
      assertTrue(refused.errors().contains("wrong password"), refused.errors());
    }
  }

  @Test
  void aUserWithoutAPasswordIsToldWhereItComesFrom() {
    Outcome refused =
        run(Map.of(), "--from", "127.0.0.1:1", "--from-user", "reader", "--to", "127.0.0.1:1", "s");
    assertEquals(1, refused.code());
    assertEquals(
        "helenus copy: set the environment variable HELENUS_FROM_PASSWORD: passwords are not taken"
            + " from the command line, which other users can read\n",
        refused.errors());
  }

  @Test
  void aServerThatWantsALoginIsNamed() throws IOException {
    try (Refusing server = new Refusing()) {
      Outcome refused = run(Map.of(), "--from", server.address(), "--to", "127.0.0.1:1", "shop");
      assertEquals(1, refused.code());
      assertTrue(
          refused
              .errors()
              .endsWith(
                  "Give the role with --from-user and its password in HELENUS_FROM_PASSWORD\n"),
          refused.errors());
    }
  }
}
