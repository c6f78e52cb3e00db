package io.helenus.server.dump;

import io.helenus.server.metadata.MetadataException;
import io.helenus.server.metadata.TimestampSlot;
import io.helenus.storage.engine.Fields;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Turns the file of reserved timestamps into documents. One thread. */
final class TimestampDump {
  private final DumpOutput out;

  TimestampDump(DumpOutput out) {
    this.out = out;
  }

  /**
   * Prints each slot, then the reservation that counts.
   *
   * @param slots the slots of the file; none if it is too short to have been synced
   * @param note receives a text about a slot that a torn write may have left
   * @throws MetadataException when the file is damaged
   */
  void print(String path, List<TimestampSlot> slots, Consumer<String> note) {
    for (TimestampSlot slot : slots) {
      if (out.countEntry()) {
        out.print("slot", fields(slot));
      }
    }
    TimestampSlot newest =
        slots.stream()
            .filter(slot -> slot.state() == TimestampSlot.State.VALID)
            .max(Comparator.comparingLong(TimestampSlot::sequence))
            .orElse(null);
    TimestampSlot invalid =
        slots.stream()
            .filter(slot -> slot.state() == TimestampSlot.State.INVALID)
            .findFirst()
            .orElse(null);
    if (newest != null) {
      out.print("reservation", new Fields().putMicros("reserved", newest.reservedMicros()));
    } else if (invalid == null) {
      note.accept(path + " holds no reservation: its creation was never synced");
    }
    if (invalid != null) {
      String where = path + " has no valid record at offset " + invalid.offset();
      if (newest == null) {
        throw new MetadataException(where + ", and no other");
      }
      note.accept(where + ": a torn write, or damage");
    }
  }

  private static Fields fields(TimestampSlot slot) {
    Fields fields =
        new Fields()
            .put("offset", slot.offset())
            .put("state", slot.state().name().toLowerCase(Locale.ROOT));
    return slot.state() == TimestampSlot.State.VALID
        ? fields.put("sequence", slot.sequence()).putMicros("reserved", slot.reservedMicros())
        : fields;
  }
}
