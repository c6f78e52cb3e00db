package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.env.FileSystem;
import io.helenus.storage.env.sim.SimFileSystem;
import io.helenus.storage.env.sim.SimRandomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Which data folders a node accepts. */
class DataLayoutTest {
  private final SimFileSystem disk = new SimFileSystem(new SimRandomness(1));

  private void write(String path, String text) throws IOException {
    FileSystem.File file = disk.create(path);
    ByteWriter bytes = new ByteWriter(64).putBytes(text.getBytes(StandardCharsets.US_ASCII));
    file.write(0, bytes.segment(), 0, bytes.size());
    file.close();
  }

  private String refused() {
    return String.valueOf(
        assertThrows(IOException.class, () -> DataLayout.checkOrRecord(disk)).getMessage());
  }

  @Test
  void aFolderWithoutDataGetsTheNumberAndIsAcceptedAgain() throws Exception {
    write("helenus.log", "a line\n");
    DataLayout.checkOrRecord(disk);
    assertTrue(disk.exists(DataLayout.FILE));
    disk.createFolders("metadata");
    write("metadata/0000000000000001.log", "");
    DataLayout.checkOrRecord(disk);
    DataLayout.check(disk);
  }

  @Test
  void anInterruptedStartIsRepeated() throws Exception {
    write("layout.new", "");
    DataLayout.checkOrRecord(disk);
    DataLayout.check(disk);
    assertFalse(disk.exists("layout.new"));
  }

  @Test
  void anotherLayoutIsRefusedInOneLine() throws Exception {
    write("layout", "2\n");
    String message = refused();
    assertEquals(
        "the data folder has layout '2', but this version of Helenus reads only layout 1: start the"
            + " version that wrote it, and copy its data to an empty node of this version with"
            + " 'helenus copy'",
        message);
    assertEquals(
        message, assertThrows(IOException.class, () -> DataLayout.check(disk)).getMessage());
  }

  @Test
  void dataWithoutANumberIsRefused() throws Exception {
    disk.createFolders("metadata");
    write("metadata/0000000000000001.log", "");
    assertTrue(refused().startsWith("the data folder has no layout number, but"));
    assertFalse(disk.exists(DataLayout.FILE), "nothing is changed");
  }

  @Test
  void somethingElseInTheFileIsRefused() throws Exception {
    write("layout", "1".repeat(5000));
    assertTrue(refused().startsWith("the data folder has layout '1111111111111111', but"));
  }
}
