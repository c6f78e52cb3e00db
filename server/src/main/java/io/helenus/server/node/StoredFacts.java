package io.helenus.server.node;

import io.helenus.server.query.explain.ExplainFacts;
import io.helenus.storage.engine.IndexFile;
import io.helenus.storage.engine.Storage;
import io.helenus.storage.engine.TableStatistics;

/** What EXPLAIN knows about the data of this node. Any thread. */
record StoredFacts(Storage storage) implements ExplainFacts.Stored {
  @Override
  public TableStatistics statistics(int tableId) {
    return storage.statistics(tableId);
  }

  @Override
  public int shards() {
    return storage.engines().size();
  }

  @Override
  public long indexEntries(int tableId, int indexId) {
    return storage.indexFiles(tableId).stream()
        .filter(each -> each.indexId() == indexId)
        .mapToLong(IndexFile::entries)
        .sum();
  }

  @Override
  public boolean isIndexBuilt(int tableId, int indexId) {
    return storage.isIndexBuilt(tableId, indexId);
  }
}
