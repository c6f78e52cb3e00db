package io.helenus.server.viewbuild;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The keys of some rows of a table, page by page. One thread at a time. */
final class ViewRowPage implements RowSink {
  private static final int ROWS = 256;
  private static final byte[] END = {KeyFormat.SECTION_ROWS, KeyFormat.TAG_BOUND_AFTER};

  /** After the sections of a partition. */
  private static final int AFTER_PARTITION = KeyFormat.SECTION_ROWS + 1;

  private final List<Row> rows = new ArrayList<>();
  private byte[] prefix = {};
  private byte[] after = {};
  private boolean inPartition;
  private boolean ended;

  /**
   * The key of a row.
   *
   * @param suffix with section and closing tag
   */
  record Row(byte[] prefix, byte[] suffix) {}

  /** The rows of the page. */
  List<Row> rows() {
    return List.copyOf(rows);
  }

  /** Whether there is no further page. */
  boolean isLast() {
    return ended;
  }

  /** Makes a request for the next page. */
  void request(ReadRequest request) {
    rows.clear();
    ByteWriter lower = new ByteWriter(prefix.length + 1).putBytes(prefix);
    if (inPartition) {
      ByteWriter first = new ByteWriter(after.length).putBytes(after);
      ByteWriter last = new ByteWriter(END.length).putBytes(END);
      request
          .partition(lower.segment(), 0, lower.size())
          .addSlice(first.segment(), 0, first.size(), last.segment(), 0, last.size());
      return;
    }
    if (prefix.length > 0) {
      lower.putByte(AFTER_PARTITION);
    }
    request.partitions(lower.segment(), 0, lower.size(), lower.segment(), 0, 0);
  }

  /** The page has been read; {@code stopped} if it is full. */
  void read(boolean stopped) {
    if (stopped) {
      after = rows.getLast().suffix().clone();
      after[after.length - 1] = KeyFormat.TAG_BOUND_AFTER;
    } else {
      ended = !inPartition;
    }
    inPartition = stopped;
  }

  @Override
  public Next partition(MemorySegment key, long offset, int length) {
    prefix = Bytes.toArray(key, offset, length);
    return Next.CONTINUE;
  }

  @Override
  public Next staticRow(RowView row) {
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    ByteWriter suffix = new ByteWriter(length + 1).putByte(KeyFormat.SECTION_ROWS);
    rows.add(new Row(prefix, suffix.putBytes(clustering, offset, length).toArray()));
    return rows.size() == ROWS ? Next.STOP : Next.CONTINUE;
  }
}
