package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** Collects the result of a read as text. */
final class RowCollector implements RowSink {
  final List<String> lines = new ArrayList<>();
  private final long nowSeconds;
  int stopAfter = Integer.MAX_VALUE;
  int skipAfter = Integer.MAX_VALUE;
  private int inPartition;

  private final ReadRequest request;

  RowCollector(ReadRequest request) {
    nowSeconds = request.nowSeconds();
    this.request = request;
  }

  @Override
  public Next partition(MemorySegment prefix, long offset, int length) {
    byte[] bytes = Bytes.toArray(prefix, offset + 8, length - 10);
    lines.add(new String(bytes, StandardCharsets.UTF_8));
    inPartition = 0;
    return Next.CONTINUE;
  }

  @Override
  public Next staticRow(RowView row) {
    lines.add("static " + cells(row));
    return Next.CONTINUE;
  }

  @Override
  public Next row(MemorySegment clustering, long offset, int length, RowView row) {
    int a = Bytes.getInt(clustering, offset + 1) ^ Integer.MIN_VALUE;
    int b = Bytes.getInt(clustering, offset + 6) ^ Integer.MIN_VALUE;
    lines.add(a + "," + b + " " + cells(row));
    inPartition++;
    if (lines.size() >= stopAfter) {
      return Next.STOP;
    }
    return inPartition >= skipAfter ? Next.SKIP_PARTITION : Next.CONTINUE;
  }

  /** Whether a column was requested; a read may return anything for the others. */
  private boolean isWanted(int column) {
    return !request.hasColumns() || Arrays.binarySearch(request.columns(), column) >= 0;
  }

  /** Whether an element was requested. */
  private boolean isWanted(RowView cell) {
    int path = Bytes.getInt(cell.segment(), cell.pathOffset());
    boolean wanted = request.elementsCount() == 0;
    for (int i = 0; i < request.elementsCount(); i++) {
      int lower = request.elementsOffset(i);
      int upperLength = request.elementsUpperLength(i);
      int from = Bytes.getInt(request.segment(), lower);
      wanted |=
          switch (upperLength) {
            case ReadRequest.ONE_ELEMENT -> path == from;
            case 0 -> path >= from;
            case 4 -> path >= from && path < Bytes.getInt(request.segment(), lower + 4);
            // followed by a zero byte, which includes the end
            default -> path >= from && path <= Bytes.getInt(request.segment(), lower + 4);
          };
    }
    return wanted;
  }

  /** The place of a cell in the order of cells: by column, the column deletion first, by path. */
  private static long place(RowView cell) {
    long path = cell.pathLength() < 0 ? -1 : Bytes.getInt(cell.segment(), cell.pathOffset());
    return ((long) cell.column() << 32) + path;
  }

  private TreeMap<Integer, String> cells(RowView row) {
    TreeMap<Integer, String> cells = new TreeMap<>();
    long last = Long.MIN_VALUE;
    while (row.nextCell()) {
      long place = place(row);
      assertTrue(place > last, "cells are in order");
      last = place;
      if (row.cellIsLive(nowSeconds)
          && isWanted(row.column())
          && (row.pathLength() < 0 || isWanted(row))) {
        byte[] value = Bytes.toArray(row.segment(), row.valueOffset(), row.valueLength());
        cells.put(
            row.pathLength() < 0
                ? row.column()
                : RowModel.pathCell(Bytes.getInt(row.segment(), row.pathOffset())),
            new String(value, StandardCharsets.UTF_8)
                + "@"
                + row.cellTimestamp()
                + (row.cellTtl() > 0 ? "+" + row.cellTtl() : ""));
      }
    }
    return cells;
  }
}
