package io.helenus.server.process.logging;

import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.TimeZone;

/**
 * The local time of a line of the log, by the pattern of {@link DateTimeFormatter} that is its
 * option. Logback's own {@code %d} uses the zones of {@code java.time}, the first of which looks
 * for providers of time zones in every jar, which takes a tenth of a start. Any thread.
 */
public final class LogTime extends ClassicConverter {
  private static final int MILLIS = 1000;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private final TimeZone zone = TimeZone.getDefault();
  private DateTimeFormatter formatter = DateTimeFormatter.ISO_LOCAL_DATE_TIME;

  /** Called by {@link LogSetup}. */
  LogTime() {}

  @Override
  public void start() {
    formatter = DateTimeFormatter.ofPattern(getFirstOption());
    super.start();
  }

  @Override
  public String convert(ILoggingEvent event) {
    long local = event.getTimeStamp() + zone.getOffset(event.getTimeStamp());
    int nanos = Math.floorMod(local, MILLIS) * NANOS_PER_MILLI;
    return formatter.format(
        LocalDateTime.ofEpochSecond(Math.floorDiv(local, MILLIS), nanos, ZoneOffset.UTC));
  }
}
