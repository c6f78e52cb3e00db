package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ColumnSelection;
import io.helenus.storage.engine.ElementSink;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.row.ElementValue;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.RowView;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects the result of a read as text. Elements may be received apart from their rows. */
final class RowCollector implements RowSink, ElementSink {
  final List<String> lines = new ArrayList<>();
  private final long nowSeconds;
  int stopAfter = Integer.MAX_VALUE;
  int skipAfter = Integer.MAX_VALUE;
  private int inPartition;
  boolean receivesElements;
  private final TreeMap<Integer, String> received = new TreeMap<>();

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

  @Override
  public @Nullable ElementSink elements() {
    return receivesElements ? this : null;
  }

  @Override
  public boolean beginColumn(int column) {
    return column == RowModel.MULTI_CELL;
  }

  @Override
  public void beginRow() {
    received.clear();
  }

  @Override
  public void element(ElementView element, ElementValue value) {
    int path = Bytes.getInt(element.pathSegment(), element.pathOffset());
    assertTrue(received.isEmpty() || received.lastKey() < RowModel.pathCell(path), "in order");
    byte[] bytes = Bytes.toArray(value.segment(), value.valueOffset(), value.valueLength());
    boolean expires = value.expirySeconds() != ElementValue.NEVER;
    assertTrue(!expires || value.expirySeconds() > nowSeconds, "only live elements");
    received.put(
        RowModel.pathCell(path),
        new String(bytes, StandardCharsets.UTF_8) + "@" + value.timestamp() + (expires ? "+" : ""));
  }

  /** The lines without TTLs, which elements that are received do not have. */
  List<String> linesWithoutTtls() {
    return withoutTtls(lines);
  }

  static List<String> withoutTtls(List<String> lines) {
    return lines.stream().map(line -> line.replaceAll("\\+\\d+", "+")).toList();
  }

  /** Whether a column was requested; a read may return anything for the others. */
  private boolean isWanted(int column) {
    return !request.columns().areRestricted()
        || Arrays.binarySearch(request.columns().ids(), column) >= 0;
  }

  /** Whether an element was requested. */
  private boolean isWanted(RowView cell) {
    int path = Bytes.getInt(cell.segment(), cell.pathOffset());
    boolean wanted = request.columns().elementsCount() == 0;
    for (int i = 0; i < request.columns().elementsCount(); i++) {
      int lower = request.columns().elementsOffset(i);
      int upperLength = request.columns().elementsUpperLength(i);
      int from = Bytes.getInt(request.segment(), lower);
      wanted |=
          switch (upperLength) {
            case ColumnSelection.ONE_ELEMENT -> path == from;
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
          && !(receivesElements && row.column() == RowModel.MULTI_CELL)
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
    cells.putAll(received);
    received.clear();
    return cells;
  }
}
