package io.helenus.server.dump;

import io.helenus.storage.engine.Fields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;

/** Prints documents until a limit is reached or the output is closed by its reader. One thread. */
final class DumpOutput {
  private static final int CHECK_INTERVAL = 256;

  private final DumpPrinter printer;
  private final BooleanSupplier broken;
  private long left;
  private int printed;

  /**
   * Creates an output.
   *
   * @param broken whether the reader, such as {@code head}, has closed the output
   * @param limit the maximum number of entries to print
   */
  DumpOutput(DumpPrinter printer, BooleanSupplier broken, long limit) {
    this.printer = printer;
    this.broken = broken;
    left = limit;
  }

  /** Counts an entry; returns whether it may be printed. */
  boolean countEntry() {
    if (left <= 0 || printed % CHECK_INTERVAL == 0 && broken.getAsBoolean()) {
      left = 0;
      return false;
    }
    left--;
    return true;
  }

  void print(String kind, Fields fields) {
    printed++;
    try {
      printer.print(kind, fields);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void flush() throws IOException {
    printer.flush();
  }
}
