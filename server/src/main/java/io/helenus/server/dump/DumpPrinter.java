package io.helenus.server.dump;

import io.helenus.storage.engine.Fields;
import java.io.IOException;

/** Prints documents, each of a kind and with named values. One thread. */
interface DumpPrinter {
  /** Prints one document. */
  void print(String kind, Fields fields) throws IOException;

  /** Flushes the output. */
  void flush() throws IOException;
}
