package io.helenus.server.query.prepared;

import io.helenus.server.schema.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Caches the plans of the statements most recently sent as text, so that repeating one does not
 * parse it again. One per shard; shard thread only.
 */
public final class StatementCache {
  private static final int LIMIT = 256;
  private static final int TEXT_LIMIT = 2048;

  private final boolean extensions;
  private final Planner planner;
  private final Map<Key, CompiledStatement> statements =
      new LinkedHashMap<>(LIMIT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CompiledStatement> eldest) {
          return size() > LIMIT;
        }
      };

  /**
   * Creates an empty cache.
   *
   * @param extensions whether statements that Cassandra 5.0 lacks are parsed too
   */
  public StatementCache(boolean extensions, Planner planner) {
    this.extensions = extensions;
    this.planner = planner;
  }

  private record Key(@Nullable String keyspace, String text) {}

  /**
   * Parses and plans a statement, or returns the cached plan for this schema.
   *
   * @throws io.helenus.server.error.CqlException if the statement does not parse or the planner
   *     rejects it
   */
  public CompiledStatement get(String text, @Nullable String keyspace, Schema schema) {
    Key key = new Key(keyspace, text);
    CompiledStatement known = statements.get(key);
    if (known != null && known.epoch() == schema.epoch()) {
      return known;
    }
    CompiledStatement compiled =
        CompiledStatement.compile(text, extensions, keyspace, schema, planner);
    if (text.length() <= TEXT_LIMIT) {
      statements.put(key, compiled);
    }
    return compiled;
  }
}
