package io.helenus.server.dump;

import io.helenus.storage.engine.Fields;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Scalar values as text. Stateless. */
final class Texts {
  /** Longer values are cut where people read them. */
  private static final int SHOWN_CHARACTERS = 120;

  private static final long MICROS_PER_SECOND = 1_000_000;

  /** Years 1970 to 9999: other timestamps are numbers that a client made up. */
  private static final long LAST_SECOND = 253_402_300_799L;

  private Texts() {}

  /** Bytes as CQL writes blobs. */
  static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }

  /** The bytes as text if they are printable UTF-8, else null. */
  static @Nullable String printable(byte[] bytes) {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException notText) {
      return null;
    }
    boolean prints =
        text.codePoints().noneMatch(c -> Character.isISOControl(c) || !Character.isDefined(c));
    return prints && !text.isEmpty() ? text : null;
  }

  /** A scalar for a person, on one line. */
  static String shown(Object value) {
    return switch (value) {
      case byte[] bytes -> cut(hex(bytes), bytes.length);
      case Fields.Time time -> shown(time);
      case Boolean bool -> bool ? "yes" : "no";
      case String text -> cut(text, text.length());
      default -> value.toString();
    };
  }

  private static String cut(String text, int length) {
    return text.length() <= SHOWN_CHARACTERS
        ? text
        : text.substring(0, SHOWN_CHARACTERS) + "… (" + length + " in all)";
  }

  private static String shown(Fields.Time time) {
    long seconds = time.isMicros() ? Math.floorDiv(time.value(), MICROS_PER_SECOND) : time.value();
    if (seconds < 0 || seconds > LAST_SECOND) {
      return Long.toString(time.value());
    }
    long micros = time.isMicros() ? Math.floorMod(time.value(), MICROS_PER_SECOND) : 0;
    return time.value() + " (" + Instant.ofEpochSecond(seconds, micros * 1000) + ")";
  }
}
