package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Decodes the rows of a response. Stateless. */
public final class RowDecoder {
  private static final int SET = 0x22;

  private RowDecoder() {}

  /** The values of all rows, in hexadecimal; empty for null. */
  public static List<List<String>> texts(Response.Rows page) {
    List<List<String>> texts = new ArrayList<>();
    for (List<byte @Nullable []> row : page.rows()) {
      texts.add(row.stream().map(RowDecoder::text).toList());
    }
    return texts;
  }

  private static String text(byte @Nullable [] value) {
    return value == null ? "" : HexFormat.of().formatHex(value);
  }

  /** The rows of a table of the model, as far as its columns were selected. */
  public static List<Row> rows(Response.Rows page) {
    List<Row> rows = new ArrayList<>();
    Map<String, Integer> index = new TreeMap<>();
    for (int i = 0; i < page.columns().size(); i++) {
      index.put(page.columns().get(i).name(), i);
    }
    for (List<byte @Nullable []> row : page.rows()) {
      Integer p = number(row, index, "p");
      rows.add(
          new Row(
              p == null ? -1 : p,
              number(row, index, "c"),
              number(row, index, "d"),
              number(row, index, "s"),
              map(page, row, index, "sm"),
              number(row, index, "v"),
              number(row, index, "w"),
              map(page, row, index, "m")));
    }
    return rows;
  }

  /** A map or set, or the only element of it that was selected. */
  private static Map<Integer, Integer> map(
      Response.Rows page, List<byte @Nullable []> row, Map<String, Integer> index, String column) {
    Map<Integer, Integer> map = new TreeMap<>();
    Integer at = index.get(column);
    byte[] bytes = at == null ? null : row.get(at);
    if (bytes != null) {
      boolean set = page.columns().get(at).type().id() == SET;
      ByteBuffer in = ByteBuffer.wrap(bytes);
      for (int left = in.getInt(); left > 0; left--) {
        int key = mapInt(in);
        map.put(key, set ? key : mapInt(in));
      }
    }
    index.forEach(
        (name, ignored) -> {
          Integer value = name.startsWith(column + "[") ? number(row, index, name) : null;
          if (value != null) {
            map.put(Integer.valueOf(name.substring(column.length() + 1, name.length() - 1)), value);
          }
        });
    return map;
  }

  private static int mapInt(ByteBuffer in) {
    int length = in.getInt();
    if (length != Integer.BYTES) {
      throw new AssertionError("an int of " + length + " bytes");
    }
    return in.getInt();
  }

  private static @Nullable Integer number(
      List<byte @Nullable []> row, Map<String, Integer> index, String column) {
    Integer at = index.get(column);
    byte[] value = at == null ? null : row.get(at);
    return value == null ? null : ByteBuffer.wrap(value).getInt();
  }
}
