package io.helenus.server.dump;

import io.helenus.storage.engine.Fields;
import java.io.IOException;

/** Prints documents: a kind and named values. One thread. */
interface DumpPrinter {
  /** Prints one document. */
  void print(String kind, Fields fields) throws IOException;

  /** Writes out what was printed so far. */
  void flush() throws IOException;
}
