package io.helenus.storage.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.env.DiskFileSystem;
import io.helenus.storage.manifest.LiveFile;
import io.helenus.storage.testing.ForwardingFileSystem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When files are deleted, and when those who wait for that go on. */
class FileRegistryTest {
  private static final LiveFile FILE = LiveFile.fresh(7, 100, 10, 1, 2);
  private static final String INDEX = FILE.indexPath(3);

  @TempDir Path folder;

  private final List<String> deleted = new ArrayList<>();
  private Runnable duringDeletion = () -> {};
  private ForwardingFileSystem files;
  private FileRegistry registry;

  @BeforeEach
  void createFiles() throws IOException {
    files =
        new ForwardingFileSystem(new DiskFileSystem(folder)) {
          @Override
          public void delete(String path) throws IOException {
            duringDeletion.run();
            super.delete(path);
            deleted.add(path);
          }
        };
    files.createFolders(LiveFile.FOLDER);
    files.create(FILE.path()).close();
    files.create(INDEX).close();
    registry = new FileRegistry(files);
  }

  @Test
  void aFileIsDeletedWithItsIndexesWhenTheLastUserClosesIt() {
    registry.opened(FILE.path());
    registry.opened(FILE.path());
    registry.opened(INDEX);
    registry.belongs(INDEX, FILE);
    registry.obsolete(FILE);
    registry.closed(FILE.path());
    assertEquals(List.of(), deleted);
    registry.closed(INDEX);
    assertEquals(List.of(INDEX), deleted);
    registry.closed(FILE.path());
    assertEquals(List.of(INDEX, FILE.path()), deleted);
  }

  @Test
  void anIndexThatWasDeletedDoesNotBelongAnyMore() throws IOException {
    registry.opened(FILE.path());
    registry.belongs(INDEX, FILE);
    files.delete(INDEX);
    registry.deleted(INDEX, FILE);
    registry.closed(FILE.path());
    registry.obsolete(FILE);
    assertEquals(List.of(INDEX, FILE.path()), deleted);
  }

  @Test
  void theIndexOfAnObsoleteFileIsObsolete() {
    registry.opened(FILE.path());
    registry.obsolete(FILE);
    registry.belongs(INDEX, FILE);
    assertEquals(List.of(INDEX), deleted);
  }

  /** Another file of the same name may be made only when the deletion cannot meet it any more. */
  @Test
  void whoWaitsForAFileGoesOnAfterItsDeletion() {
    List<Boolean> existed = new ArrayList<>();
    Runnable goOn = () -> existed.add(files.exists(INDEX));
    registry.opened(INDEX);
    registry.obsoleteIndex(INDEX, FILE);
    registry.whenClosed(INDEX, goOn);
    assertTrue(existed.isEmpty(), "it is open");
    duringDeletion = () -> registry.whenClosed(INDEX, goOn);
    registry.closed(INDEX);
    assertEquals(List.of(false, false), existed);
    registry.whenClosed(INDEX, goOn);
    assertEquals(3, existed.size());
  }

  @Test
  void aFileThatStaysKeepsNobodyWaiting() {
    List<String> went = new ArrayList<>();
    registry.opened(INDEX);
    registry.whenClosed(INDEX, () -> went.add(INDEX));
    registry.closed(INDEX);
    assertEquals(List.of(INDEX), went);
    assertTrue(files.exists(INDEX));
    assertFalse(deleted.contains(INDEX));
  }
}
