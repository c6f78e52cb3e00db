package io.helenus.server.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.config.TestSettings;
import io.helenus.server.process.Server;
import io.helenus.server.system.SystemKeyspaces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dumps files of reserved timestamps that are laid out by hand after docs/timestamps.md. */
class TimestampDumpTest {
  private static final int SLOT_BYTES = 512;

  @TempDir private Path folder;

  /** What a dump printed, and its exit code. */
  private record Printed(int code, String out, String err) {}

  private static Printed dump(Path file, boolean json, long limit) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Dump.run(
            new Dump.Request(Dump.Kind.TIMESTAMPS, file, json, limit),
            SystemKeyspaces.all(),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8));
    return new Printed(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static byte[] slot(int version, long sequence, long reserved) {
    ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES);
    slot.put("HLNTIME\0".getBytes(StandardCharsets.US_ASCII));
    slot.putInt(version).putLong(sequence).putLong(reserved);
    CRC32C checksum = new CRC32C();
    checksum.update(slot.array(), 0, slot.position());
    slot.putInt((int) checksum.getValue());
    return slot.array();
  }

  private Path file(byte[]... slots) throws IOException {
    ByteBuffer contents = ByteBuffer.allocate(slots.length * SLOT_BYTES);
    for (byte[] slot : slots) {
      contents.put(slot);
    }
    return Files.write(folder.resolve("timestamps"), contents.array());
  }

  @Test
  void bothSlotsAndTheReservationThatCounts() throws IOException {
    Path file = file(slot(1, 3, 1_500_000), slot(1, 2, 500_000));
    assertEquals(
        new Printed(
            0,
            """
            slot
              offset    0
              state     valid
              sequence  3
              reserved  1500000 (1970-01-01T00:00:01.500Z)

            slot
              offset    512
              state     valid
              sequence  2
              reserved  500000 (1970-01-01T00:00:00.500Z)

            reservation
              reserved  1500000 (1970-01-01T00:00:01.500Z)

            """,
            ""),
        dump(file, false, Long.MAX_VALUE));
    assertEquals(
        new Printed(
            0,
            """
            {"kind":"slot","offset":0,"state":"valid","sequence":3,"reserved":1500000}
            {"kind":"reservation","reserved":1500000}
            """,
            ""),
        dump(file, true, 1));
  }

  @Test
  void aTornWriteLeavesTheOtherSlot() throws IOException {
    byte[] torn = slot(1, 4, 2_000_000);
    torn[20]++;
    Path file = file(slot(1, 3, 1_500_000), torn);
    assertEquals(
        new Printed(
            0,
            """
            {"kind":"slot","offset":0,"state":"valid","sequence":3,"reserved":1500000}
            {"kind":"slot","offset":512,"state":"invalid"}
            {"kind":"reservation","reserved":1500000}
            """,
            "note: " + file + " has no valid record at offset 512: a torn write, or damage\n"),
        dump(file, true, Long.MAX_VALUE));
  }

  @Test
  void aFileWithoutAValidSlotIsDamaged() throws IOException {
    byte[] damaged = slot(1, 1, 1_500_000);
    damaged[3]++;
    Path file = file(damaged, new byte[SLOT_BYTES]);
    assertEquals(
        new Printed(
            1,
            """
            {"kind":"slot","offset":0,"state":"invalid"}
            {"kind":"slot","offset":512,"state":"blank"}
            """,
            "helenus: " + file + " has no valid record at offset 0, and no other\n"),
        dump(file, true, Long.MAX_VALUE));
  }

  @Test
  void aFileThatWasNeverSyncedHoldsNothing() throws IOException {
    Path file = file(new byte[10]);
    String note = "note: " + file + " holds no reservation: its creation was never synced\n";
    assertEquals(new Printed(0, "", note), dump(file, true, Long.MAX_VALUE));
    Printed blank = dump(file(new byte[SLOT_BYTES], new byte[SLOT_BYTES]), true, Long.MAX_VALUE);
    assertEquals(note, blank.err());
  }

  @Test
  void anUnknownVersionIsRefused() throws IOException {
    Path file = file(slot(2, 1, 1_500_000), new byte[SLOT_BYTES]);
    assertEquals(
        new Printed(1, "", "helenus: the file " + file + " has the unknown format version 2\n"),
        dump(file, true, Long.MAX_VALUE));
  }

  @Test
  void theFileOfANode() throws IOException {
    long started = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    try (Server server = Server.start(TestSettings.in(folder).build())) {
      assertTrue(server.port() > 0);
    }
    Printed printed = dump(folder.resolve("timestamps"), true, Long.MAX_VALUE);
    assertEquals("", printed.err());
    assertEquals(0, printed.code());
    String last = printed.out().lines().toList().getLast();
    assertTrue(last.startsWith("{\"kind\":\"reservation\",\"reserved\":"), last);
    assertTrue(Long.parseLong(last.replaceAll("\\D", "")) >= started, last);
  }
}
