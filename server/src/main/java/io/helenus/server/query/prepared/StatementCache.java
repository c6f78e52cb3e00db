package io.helenus.server.query.prepared;

import io.helenus.server.schema.Schema;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last few statements that came as text, so that a client that sends the same ones again does
 * not pay for parsing. Shard thread only.
 */
public final class StatementCache {
  private static final int LIMIT = 256;
  private static final int TEXT_LIMIT = 2048;

  private final Planner planner;
  private final Map<Key, CompiledStatement> statements =
      new LinkedHashMap<>(LIMIT, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CompiledStatement> eldest) {
          return size() > LIMIT;
        }
      };

  public StatementCache(Planner planner) {
    this.planner = planner;
  }

  private record Key(@Nullable String keyspace, String text) {}

  /** The plan of a text under a schema. */
  public CompiledStatement get(String text, @Nullable String keyspace, Schema schema) {
    Key key = new Key(keyspace, text);
    CompiledStatement known = statements.get(key);
    if (known != null && known.epoch() == schema.epoch()) {
      return known;
    }
    CompiledStatement compiled = CompiledStatement.compile(text, keyspace, schema, planner);
    if (text.length() <= TEXT_LIMIT) {
      statements.put(key, compiled);
    }
    return compiled;
  }
}
