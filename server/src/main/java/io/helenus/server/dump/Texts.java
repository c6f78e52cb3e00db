package io.helenus.server.dump;

import io.helenus.storage.engine.Fields;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Formats scalar values as text. Stateless. */
final class Texts {
  /** Longer values are truncated in human-readable output. */
  private static final int SHOWN_CHARACTERS = 120;

  private static final long MICROS_PER_SECOND = 1_000_000;

  /**
   * The end of the year 9999. Timestamps outside of 1970 to 9999 are not times but arbitrary
   * numbers chosen by a client.
   */
  private static final long LAST_SECOND = 253_402_300_799L;

  private Texts() {}

  /** Formats bytes as a CQL blob. */
  static String hex(byte[] bytes) {
    return "0x" + HexFormat.of().formatHex(bytes);
  }

  /** Returns the bytes as text if they are printable UTF-8, otherwise null. */
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

  /** Formats a scalar for human-readable output, on one line. */
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
        : text.substring(0, SHOWN_CHARACTERS) + "… (" + length + " in total)";
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
