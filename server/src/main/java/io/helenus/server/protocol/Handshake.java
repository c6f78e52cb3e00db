package io.helenus.server.protocol;

import io.helenus.server.error.CqlError;
import io.helenus.server.error.CqlException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The opening of a connection: versions, options, compression. The error texts are Cassandra's,
 * since drivers search them for certain phrases. Stateless.
 */
final class Handshake {
  private static final int BETA_VERSION = 6;
  private static final int CREDENTIALS_OPCODE = 0x04;
  private static final List<String> OPCODE_NAMES =
      List.of(
          "ERROR",
          "STARTUP",
          "READY",
          "AUTHENTICATE",
          "CREDENTIALS",
          "OPTIONS",
          "SUPPORTED",
          "QUERY",
          "RESULT",
          "PREPARE",
          "EXECUTE",
          "REGISTER",
          "EVENT",
          "BATCH",
          "AUTH_CHALLENGE",
          "AUTH_RESPONSE",
          "AUTH_SUCCESS");

  /** The content of SUPPORTED. */
  static final Map<String, List<String>> SUPPORTED =
      new TreeMap<>(
          Map.of(
              "PROTOCOL_VERSIONS",
              List.of("3/v3", "4/v4", "5/v5"),
              "COMPRESSION",
              List.of("snappy", "lz4"),
              "CQL_VERSION",
              List.of("3.4.7")));

  private Handshake() {}

  /** The error in a frame header; null if the header is valid. */
  static @Nullable CqlError headerError(
      int settled, int version, int flags, int direction, int opcode) {
    String text = null;
    if (version == BETA_VERSION && direction == 0 && (flags & FrameFlags.USE_BETA) == 0) {
      text = "Beta version of the protocol used (6/v6-beta), but USE_BETA flag is unset";
    } else if (version < ProtocolVersions.LOWEST || version > ProtocolVersions.HIGHEST) {
      text =
          "Invalid or unsupported protocol version ("
              + version
              + "); supported versions are (3/v3, 4/v4, 5/v5)";
    } else if (opcode >= OPCODE_NAMES.size()) {
      text = "Unknown opcode " + opcode;
    } else if (direction != 0 || isResponse(opcode)) {
      text =
          "Wrong protocol direction (expected "
              + (isResponse(opcode) ? "RESPONSE" : "REQUEST")
              + ", got "
              + (direction != 0 ? "RESPONSE" : "REQUEST")
              + ") for opcode "
              + opcode
              + " ("
              + OPCODE_NAMES.get(opcode)
              + ")";
    } else if (settled != 0 && version != settled) {
      text = versionChanged(settled, version);
    }
    return text == null ? null : new CqlError.ProtocolError(text);
  }

  /** Cassandra's text lacks a space in v5. */
  private static String versionChanged(int settled, int version) {
    return "Invalid message version. Got %d/v%d but previous%smessages on this connection had"
            .formatted(version, version, settled >= ProtocolVersions.V5 ? "" : " ")
        + " version %d/v%d".formatted(settled, settled);
  }

  private static boolean isResponse(int opcode) {
    return switch (opcode) {
      case Opcodes.ERROR,
          Opcodes.READY,
          Opcodes.AUTHENTICATE,
          Opcodes.SUPPORTED,
          Opcodes.RESULT,
          Opcodes.EVENT,
          Opcodes.AUTH_CHALLENGE,
          Opcodes.AUTH_SUCCESS ->
          true;
      default -> false;
    };
  }

  /** The error text if a message is not allowed at this stage of the connection; null if it is. */
  static @Nullable String stageError(Session.Stage stage, int opcode) {
    String name = OPCODE_NAMES.get(opcode);
    return switch (stage) {
      case ESTABLISHED ->
          opcode == Opcodes.STARTUP || opcode == Opcodes.OPTIONS
              ? null
              : "Unexpected message " + name + ", expecting STARTUP or OPTIONS";
      case AUTHENTICATING ->
          opcode == Opcodes.AUTH_RESPONSE || opcode == Opcodes.OPTIONS
              ? null
              : "Unexpected message " + name + ", expecting SASL_RESPONSE";
      case READY -> {
        if (opcode == CREDENTIALS_OPCODE) {
          yield "Unsupported message";
        }
        yield opcode == Opcodes.STARTUP
            ? "Unexpected message STARTUP, the connection is already initialized"
            : null;
      }
    };
  }

  /** Reads the options of STARTUP, with their names in upper case. */
  static Map<String, String> startupOptions(BodyCursor cursor) {
    Map<String, String> options = new HashMap<>();
    for (int left = cursor.getShort(); left > 0; left--) {
      String name = cursor.getString().toUpperCase(Locale.ROOT);
      options.put(name, cursor.getString());
    }
    return options;
  }

  /** Throws a protocol error unless the client's version of CQL is supported. */
  static void requireCqlVersion(@Nullable String version) {
    if (version == null) {
      throw CqlException.protocol("Missing value CQL_VERSION in STARTUP message");
    }
    int dot = version.indexOf('.');
    int major = 0;
    int digits = 0;
    for (;
        digits < Math.min(dot, 9) && Character.digit(version.charAt(digits), 10) >= 0;
        digits++) {
      major = 10 * major + Character.digit(version.charAt(digits), 10);
    }
    boolean minor = dot + 1 < version.length() && Character.isDigit(version.charAt(dot + 1));
    if (dot < 1 || digits < dot || !minor) {
      throw CqlException.protocol("Invalid version value: " + version);
    }
    if (major < 3) {
      throw CqlException.protocol(
          "CQL version "
              + version
              + " is not supported by the binary protocol (supported version are >= 3.0.0)");
    }
  }

  /** The compression that the client chose; null for none. */
  static @Nullable Compression compression(
      @Nullable String asked, int version, Workspace workspace) {
    if (asked == null || asked.isEmpty()) {
      return null;
    }
    String name = asked.toLowerCase(Locale.ROOT);
    if (name.equals("lz4")) {
      return workspace.lz4();
    }
    if (!name.equals("snappy")) {
      throw CqlException.protocol("Unknown compression algorithm: " + name);
    }
    if (version >= ProtocolVersions.V5) {
      throw CqlException.protocol("Snappy compression is not supported in protocol V5");
    }
    return new Compression.SnappyBlocks();
  }
}
