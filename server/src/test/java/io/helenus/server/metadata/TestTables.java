package io.helenus.server.metadata;

import io.helenus.storage.engine.Tables;
import java.util.List;
import java.util.function.Consumer;

/** Stored tables of which there are none. */
public final class TestTables implements Metadata.StoredTables {
  /** No tables. */
  public static final TestTables NONE = new TestTables();

  private TestTables() {}

  @Override
  public void changed(Tables tables, Consumer<? super Exception> whenDone) {
    whenDone.accept(null);
  }

  @Override
  public void truncate(List<Integer> tableIds, long index, Runnable whenDone) {
    whenDone.run();
  }

  @Override
  public long truncatedBy(int tableId) {
    return Long.MAX_VALUE;
  }
}
