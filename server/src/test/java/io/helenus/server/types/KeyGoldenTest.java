package io.helenus.server.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Golden bytes of the format in storage/docs/keys.md, which files of released versions contain. */
class KeyGoldenTest {
  @Test
  void componentsKeepTheirBytes() {
    List<String[]> lines = Recording.lines("/types/key-golden.tsv");
    assertTrue(lines.size() > 60, "lines: " + lines.size());
    for (String[] line : lines) {
      KeyEncoding encoding =
          Objects.requireNonNull(Objects.requireNonNull(ScalarType.named(line[0])).keyEncoding());
      boolean isNull = line[1].equals("null");
      byte[] value = isNull ? new byte[0] : Recording.bytes(line[1]);
      int length = isNull ? -1 : value.length;
      ByteWriter in = new ByteWriter(16).putBytes(value);
      ByteWriter ascending = new ByteWriter(16);
      encoding.write(in.segment(), 0, length, false, ascending);
      ByteWriter descending = new ByteWriter(16);
      encoding.write(in.segment(), 0, length, true, descending);
      String what = line[0] + " " + line[1];
      assertEquals(line[2], Recording.hex(ascending.toArray()), what);
      assertEquals(line[3], Recording.hex(descending.toArray()), what);
    }
  }
}
