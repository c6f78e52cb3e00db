package io.helenus.storage.env;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFileSystemTest {
  @TempDir Path folder;

  private static MemorySegment bytes(String text) {
    return Arena.ofAuto()
        .allocateFrom(ValueLayout.JAVA_BYTE, text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void bytesAreWrittenAndReadByPosition() throws IOException {
    DiskFileSystem files = new DiskFileSystem(folder);
    files.createFolders("a/b");
    try (FileSystem.File file = files.create("a/b/c")) {
      file.write(0, bytes("hello world"), 0, 11);
      file.write(6, bytes("..there"), 2, 5);
      file.sync();
      files.syncFolder("a/b");
      MemorySegment target = Arena.ofAuto().allocate(20);
      assertEquals(11, file.read(0, target, 3, 17));
      assertEquals(
          "hello there",
          new String(
              target.asSlice(3, 11).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII));
      assertEquals(0, file.read(11, target, 0, 5));
      file.truncate(4);
      assertEquals(4, file.size());
      file.truncate(9);
      assertEquals(9, file.size());
    }
    assertEquals(List.of("c"), files.list("a/b"));
    assertEquals(List.of(), files.list("nothing"));
    files.rename("a/b/c", "a/b/d");
    assertTrue(files.exists("a/b/d") && !files.exists("a/b/c"));
    files.delete("a/b/d");
    assertFalse(files.exists("a/b/d"));
  }

  @Test
  void aLinkKeepsTheContentsAfterTheFileIsDeleted() throws IOException {
    DiskFileSystem files = new DiskFileSystem(folder);
    files.createFolders("links");
    try (FileSystem.File file = files.createPrivate("a")) {
      file.write(0, bytes("hello"), 0, 5);
    }
    assertEquals(
        "rw-------",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("a"))));
    files.link("a", "links/b");
    assertThrows(IOException.class, () -> files.link("a", "links/b"));
    files.delete("a");
    assertEquals("hello", Files.readString(folder.resolve("links/b")));
    assertThrows(IOException.class, () -> files.deleteFolder("links"));
    files.delete("links/b");
    files.deleteFolder("links");
    assertFalse(files.exists("links"));
  }

  @Test
  void failuresNameTheFile() throws IOException {
    DiskFileSystem files = new DiskFileSystem(folder);
    IOException missing = assertThrows(IOException.class, () -> files.open("missing"));
    assertTrue(String.valueOf(missing.getMessage()).contains("missing"));
    files.create("there").close();
    IOException exists = assertThrows(IOException.class, () -> files.create("there"));
    assertTrue(String.valueOf(exists.getMessage()).contains("there"));
  }

  @Test
  void aFolderIsLockedOnce() throws IOException {
    DiskFileSystem files = new DiskFileSystem(folder);
    try (Closeable held = files.lock("lock")) {
      assertTrue(held != null);
      IOException refused = assertThrows(IOException.class, () -> files.lock("lock"));
      assertTrue(String.valueOf(refused.getMessage()).contains("in use"));
    }
    files.lock("lock").close();
  }

  @Test
  void theHolderOfALockIsRecordedAndNobodyElse() throws IOException {
    DiskFileSystem files = new DiskFileSystem(folder);
    Files.writeString(folder.resolve("lock"), "a longer text of an earlier holder");
    try (FileSystem.Lock held = files.lock("lock")) {
      held.recordProcess();
      assertThrows(IOException.class, () -> files.lock("lock"));
      assertEquals(ProcessHandle.current().pid() + "\n", Files.readString(folder.resolve("lock")));
    }
  }

  @Test
  void theBootIdDoesNotChange() throws IOException {
    byte[] run = new DiskFileSystem(folder).bootId();
    assertArrayEquals(run, new DiskFileSystem(folder).bootId());
    assertTrue(run.length == 0 || run.length == 16);
  }

  @Test
  void aFailureToCreateAFolderNamesTheReason() throws IOException {
    DiskFileSystem files = new DiskFileSystem(folder);
    try (FileSystem.File taken = files.create("taken")) {
      IOException refused =
          assertThrows(IOException.class, () -> files.createFolders(taken.path() + "/below"));
      assertTrue(refused.getMessage().startsWith("folder " + taken.path()), refused.toString());
      assertTrue(refused.getMessage().contains(" cannot be created: "), refused.toString());
    }
  }
}
