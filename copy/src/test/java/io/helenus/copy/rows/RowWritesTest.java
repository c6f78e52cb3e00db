package io.helenus.copy.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The statements for a row of a table with two scalar columns, a list and a set. */
class RowWritesTest {
  private static final long NOW = 999;
  private static final ByteBuffer ONE = text("1");
  private static final Table TABLE =
      new Table(
          "k.t",
          List.of("p"),
          List.of(DataTypes.TEXT),
          1,
          List.of(
              column("a", DataTypes.TEXT, Column.Form.SIMPLE),
              column("b", DataTypes.TEXT, Column.Form.SIMPLE),
              column("l", DataTypes.listOf(DataTypes.TEXT), Column.Form.LIST),
              column("s", DataTypes.setOf(DataTypes.TEXT), Column.Form.SET)));

  private @Nullable ByteBuffer[] values = new ByteBuffer[4];
  private @Nullable ByteBuffer[] times = new ByteBuffer[4];
  private @Nullable ByteBuffer[] ttls = new ByteBuffer[4];

  private static Column column(String name, DataType type, Column.Form form) {
    return new Column(name, type, form, false);
  }

  private static ByteBuffer text(String value) {
    return TypeCodecs.TEXT.encode(value, ProtocolVersion.V4);
  }

  private static ByteBuffer texts(String... elements) {
    return TypeCodecs.listOf(TypeCodecs.TEXT).encode(List.of(elements), ProtocolVersion.V4);
  }

  private static ByteBuffer times(long... times) {
    return TypeCodecs.listOf(TypeCodecs.BIGINT)
        .encode(Arrays.stream(times).boxed().toList(), ProtocolVersion.V4);
  }

  /** As Cassandra encodes it: elements without TTL are null. */
  private static ByteBuffer ttls(int... ttls) {
    ByteBuffer list = ByteBuffer.allocate(4 + 8 * ttls.length).putInt(ttls.length);
    for (int ttl : ttls) {
      if (ttl < 0) {
        list.putInt(-1);
      } else {
        list.putInt(4).putInt(ttl);
      }
    }
    return list.flip();
  }

  private void simple(int column, String value, long time, int ttl) {
    values[column] = text(value);
    times[column] = ByteBuffer.allocate(8).putLong(0, time);
    ttls[column] = ttl < 0 ? null : ByteBuffer.allocate(4).putInt(0, ttl);
  }

  private RowData row() {
    return new RowData(ONE, new ByteBuffer[] {ONE}, values, times, ttls);
  }

  private static String shown(@Nullable ByteBuffer value) {
    return value == null ? "-" : TypeCodecs.TEXT.decode(value, ProtocolVersion.V4);
  }

  private static String elements(@Nullable ByteBuffer value) {
    return value == null
        ? "-"
        : String.valueOf(TypeCodecs.listOf(TypeCodecs.TEXT).decode(value, ProtocolVersion.V4));
  }

  private static String shown(Write write) {
    String head = write.kind() + "@" + write.timestamp() + "/" + write.ttl() + " ";
    return head
        + (write.column() >= 0
            ? elements(write.values()[0])
            : shown(write.values()[0]) + shown(write.values()[1]) + elements(write.values()[2]));
  }

  private String writes(@Nullable RowData existing) {
    return RowWrites.of(TABLE, new Section(TABLE, false), row(), existing, NOW).stream()
        .map(RowWritesTest::shown)
        .collect(Collectors.joining(", "));
  }

  @Test
  void aRowOfOneAgeIsOneInsert() {
    simple(0, "x", 10, -1);
    simple(1, "y", 10, -1);
    assertEquals("INSERT@10/0 xy-", writes(null));
  }

  @Test
  void aRowWithoutValuesIsAnInsertOfItsKey() {
    assertEquals("INSERT@999/0 ---", writes(null));
  }

  @Test
  void theInsertTakesTheCellsThatLiveLongest() {
    simple(0, "x", 20, 100);
    simple(1, "y", 30, -1);
    assertEquals("INSERT@30/0 -y-, UPDATE@20/100 x--", writes(null));
    simple(1, "y", 30, 200);
    assertEquals("INSERT@30/200 -y-, UPDATE@20/100 x--", writes(null));
    simple(1, "y", 30, 100);
    assertEquals("INSERT@20/100 x--, UPDATE@30/100 -y-", writes(null));
  }

  @Test
  void aCellThatExpiresNowIsNotWrittenForever() {
    simple(0, "x", 20, 0);
    assertEquals("INSERT@20/1 x--", writes(null));
  }

  @Test
  void elementsKeepTheirTimes() {
    values[3] = texts("a", "b", "c");
    times[3] = times(5, 6, 5);
    ttls[3] = ttls(-1, 0, -1);
    assertEquals("INSERT@5/0 ---, UPDATE@5/0 --[a, c], UPDATE@6/1 --[b]", writes(null));
  }

  @Test
  void elementsWithoutTimesGetThoseOfTheRow() {
    simple(0, "x", 20, 300);
    values[2] = texts("a");
    values[3] = texts("b");
    assertEquals("INSERT@20/300 x--, UPDATE@20/300 --[b], APPEND@20/300 [a]", writes(null));
    values[0] = null;
    times[0] = null;
    ttls[0] = null;
    assertEquals("INSERT@999/0 ---, UPDATE@999/0 --[b], APPEND@999/0 [a]", writes(null));
  }

  @Test
  void listsAreAppendedRunByRun() {
    values[2] = texts("a", "b", "c", "d");
    times[2] = times(5, 5, 7, 5);
    ttls[2] = ttls(-1, -1, -1, -1);
    assertEquals("INSERT@5/0 ---, APPEND@5/0 [a, b], APPEND@7/0 [c], APPEND@5/0 [d]", writes(null));
  }

  @Test
  void whatTheTargetHasOfAListIsNotAppendedAgain() {
    values[2] = texts("a", "b", "c");
    times[2] = times(5, 5, 7);
    ttls[2] = ttls(-1, -1, -1);
    @Nullable ByteBuffer[] present = new ByteBuffer[4];
    RowData existing = new RowData(ONE, new ByteBuffer[] {ONE}, present, present, present);
    present[2] = texts("a");
    assertEquals("INSERT@5/0 ---, APPEND@5/0 [b], APPEND@7/0 [c]", writes(existing));
    present[2] = texts("a", "b", "c");
    assertEquals("INSERT@5/0 ---", writes(existing));
    present[2] = texts("z");
    assertEquals("INSERT@5/0 ---, ASSIGN@5/0 [a, b], APPEND@7/0 [c]", writes(existing));
  }
}
