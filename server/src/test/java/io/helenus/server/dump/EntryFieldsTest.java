package io.helenus.server.dump;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.Fields;
import io.helenus.storage.row.ElementView;
import io.helenus.storage.row.KeyFormat;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Entries of files, encoded by hand according to storage/docs/rows.md. */
class EntryFieldsTest {
  /** In a path it must not be taken for the closing tag of a bound. */
  private static final byte TAG_BOUND = KeyFormat.TAG_BOUND_BEFORE;

  private static ByteWriter elementValue(int suffixBytes) {
    ByteWriter value = new ByteWriter(64).putVarint(suffixBytes);
    return value.putByte(0).putLong(1000).putVarint(4).putByte(0).putVarint(1).putByte('v');
  }

  private static void requireElement(String kind, ByteWriter suffix) {
    ByteWriter path = new ByteWriter(4).putByte('p').putByte(TAG_BOUND);
    ElementView.putKey(suffix, 4, path.segment(), 0, 2);
    ByteWriter value = elementValue(4 + 2 + 1);
    MemorySegment key = suffix.segment().asSlice(0, suffix.size());
    assertEquals(kind, EntryFields.kind(key));
    Fields fields =
        new EntryFields(null, null).entry(key, value.segment().asSlice(0, value.size()));
    List<?> cells = (List<?>) fields.values().get("cells");
    assertEquals(1, cells.size());
    Fields cell = (Fields) cells.getFirst();
    assertEquals(4L, cell.values().get("column_id"));
    assertEquals("value", cell.values().get("kind"));
    assertArrayEquals(new byte[] {'p', TAG_BOUND}, (byte[]) cell.values().get("path"));
    assertArrayEquals(new byte[] {'v'}, (byte[]) cell.values().get("value"));
  }

  @Test
  void anElementIsShownWithItsRowAndPath() {
    ByteWriter suffix = new ByteWriter(16).putByte(KeyFormat.SECTION_ROWS);
    requireElement("element", suffix.putByte(KeyFormat.TAG_NULL).putByte(KeyFormat.TAG_END));
    requireElement("static element", new ByteWriter(16).putByte(KeyFormat.SECTION_STATIC));
  }

  @Test
  void theClusteringOfAnElementIsThatOfItsRow() {
    ByteWriter suffix = new ByteWriter(16).putByte(KeyFormat.SECTION_ROWS);
    suffix.putByte(KeyFormat.TAG_NULL).putByte(KeyFormat.TAG_END);
    EntryFields entries = new EntryFields(null, null);
    Fields row = entries.clustering(suffix.segment().asSlice(0, suffix.size()));
    ByteWriter path = new ByteWriter(1).putByte('p');
    ElementView.putKey(suffix, 4, path.segment(), 0, 1);
    ByteWriter value = elementValue(4 + 1 + 1);
    Fields element =
        entries.entry(
            suffix.segment().asSlice(0, suffix.size()), value.segment().asSlice(0, value.size()));
    Fields ofRow = (Fields) row.values().get("clustering");
    Fields ofElement = (Fields) element.values().get("clustering");
    assertArrayEquals(
        (byte[]) ofRow.values().get("bytes"), (byte[]) ofElement.values().get("bytes"));
  }
}
