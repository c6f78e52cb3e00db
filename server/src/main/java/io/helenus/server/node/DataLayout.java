package io.helenus.server.node;

import io.helenus.server.metadata.LocalMetadataLog;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * The layout of a data folder: which files it contains and the format of each. Until version 1.0 it
 * may change without a way to read the old one, so the file {@code layout} at the top of the folder
 * holds its number as a decimal line, and a node refuses a folder with another number before it
 * reads anything else. Raise {@link #NUMBER} with every such change. Used once per start, by one
 * thread.
 */
public final class DataLayout {
  /** The layout that this version reads and writes. */
  static final int NUMBER = 1;

  static final String FILE = "layout";

  private static final String NEW_FILE = "layout.new";
  private static final int LONGEST_BYTES = 16;

  private final FileSystem files;

  private DataLayout(FileSystem files) {
    this.files = files;
  }

  /**
   * Checks the layout of a data folder, or records it in a folder without data.
   *
   * @throws IOException if the folder has another layout; says what to do
   */
  static void checkOrRecord(FileSystem files) throws IOException {
    DataLayout layout = new DataLayout(files);
    if (files.exists(FILE) || !files.list(LocalMetadataLog.FOLDER).isEmpty()) {
      layout.check();
    } else {
      layout.record();
    }
  }

  /**
   * Checks the layout of a data folder with data.
   *
   * @throws IOException if it has another layout; says what to do
   */
  public static void check(FileSystem files) throws IOException {
    new DataLayout(files).check();
  }

  private void check() throws IOException {
    String found = files.exists(FILE) ? read() : "";
    if (found.equals(Integer.toString(NUMBER))) {
      return;
    }
    String what = found.isEmpty() ? "no layout number" : "layout '" + found + "'";
    throw new IOException(
        "the data folder has "
            + what
            + ", but this version of Helenus reads only layout "
            + NUMBER
            + ": start the version that wrote it, and copy its data to an empty node of this"
            + " version with 'helenus copy'");
  }

  private String read() throws IOException {
    FileSystem.File file = files.open(FILE);
    try {
      int length = (int) Math.min(file.size(), LONGEST_BYTES);
      ByteWriter bytes = new ByteWriter(LONGEST_BYTES);
      bytes.reserve(LONGEST_BYTES);
      MemorySegment segment = bytes.segment();
      long count = file.read(0, segment, 0, length);
      byte[] text = Bytes.toArray(segment, 0, count);
      return new String(text, StandardCharsets.US_ASCII).strip();
    } finally {
      file.close();
    }
  }

  /** Records the layout durably, before there is any data. */
  private void record() throws IOException {
    if (files.exists(NEW_FILE)) {
      files.delete(NEW_FILE);
    }
    FileSystem.File file = files.create(NEW_FILE);
    try {
      ByteWriter line = new ByteWriter(LONGEST_BYTES);
      line.putBytes((NUMBER + "\n").getBytes(StandardCharsets.US_ASCII));
      file.write(0, line.segment(), 0, line.size());
      file.sync();
    } finally {
      file.close();
    }
    files.rename(NEW_FILE, FILE);
    files.syncFolder("");
  }
}
