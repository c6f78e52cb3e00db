package io.helenus.server.query.prepared;

import io.helenus.cql.ast.Statement;
import io.helenus.cql.parser.StatementShape;
import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.LiteralValues;
import io.helenus.server.query.value.Literals;
import io.helenus.server.schema.Schema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Caches the plans of statements sent as text, so that a repeated one is not parsed again.
 * Statements that differ only in their constants share a plan, in which markers stand for the
 * constants: it runs with the constants as values, as a prepared statement would. Statements whose
 * constants cannot be values have a plan for each text.
 *
 * <p>A plan is kept when its statement has been seen before. The least recently used ones are
 * evicted above a limit on the total size. One per shard; shard thread only.
 */
public final class StatementCache {
  private static final int TEXT_LIMIT = 2048;
  private static final long LIMIT_BYTES = 4 << 20;
  private static final int OVERHEAD_BYTES = 4096;
  private static final int SEEN = 4096;
  private static final CqlType[] NO_TYPES = {};

  private final boolean extensions;
  private final Planner planner;
  private final StatementShape shape = new StatementShape();
  private final LinkedHashMap<Long, Kept> kept = new LinkedHashMap<>(256, 0.75f, true);

  /** The hash codes of statements seen lately, each at the index of its lowest bits. */
  private final long[] seen = new long[SEEN];

  private long bytes;

  /**
   * Creates an empty cache.
   *
   * @param extensions whether statements that Cassandra 5.0 lacks are parsed too
   */
  public StatementCache(boolean extensions, Planner planner) {
    this.extensions = extensions;
    this.planner = planner;
  }

  /**
   * A plan in the cache.
   *
   * @param key a text, or a shape if there are types
   * @param plan null if the constants of this shape cannot be values
   * @param types the types of the constants; null if the key is a text
   */
  private record Kept(
      String key,
      @Nullable String keyspace,
      long epoch,
      @Nullable StatementPlan plan,
      CqlType @Nullable [] types) {
    boolean isCurrent(@Nullable String inUse, Schema schema) {
      return epoch == schema.epoch() && (inUse == null ? keyspace == null : inUse.equals(keyspace));
    }

    long sizeBytes() {
      return OVERHEAD_BYTES + 16L * key.length();
    }
  }

  /**
   * Parses and plans a statement, or returns the cached plan for this schema.
   *
   * @param constants receives the values of the plan's markers if these stand for constants;
   *     otherwise it is left without values
   * @throws CqlException if the statement does not parse or the planner rejects it
   */
  public StatementPlan get(
      String text, @Nullable String keyspace, Schema schema, LiteralValues constants) {
    constants.clear();
    if (!shape.scan(text)) {
      return get(text, keyspace, schema);
    }
    long hash = hash(shape.hash(), keyspace);
    Kept known = kept.get(hash);
    if (known != null
        && known.types != null
        && known.isCurrent(keyspace, schema)
        && shape.matches(known.key)) {
      StatementPlan plan = run(known, constants, schema);
      return plan == null ? get(text, keyspace, schema) : plan;
    }
    CompiledStatement compiled = compile(text, keyspace, schema);
    if (isToBeKept(hash)) {
      put(hash, ofShape(compiled, schema));
    }
    return compiled.plan();
  }

  private @Nullable StatementPlan run(Kept known, LiteralValues constants, Schema schema) {
    CqlType[] types = known.types;
    return known.plan != null && types != null && constants.read(shape, types, schema)
        ? known.plan
        : null;
  }

  /**
   * The same for a statement that has no constants, or comes with values for its own markers.
   *
   * @throws CqlException if the statement does not parse or the planner rejects it
   */
  public StatementPlan get(String text, @Nullable String keyspace, Schema schema) {
    if (text.length() > TEXT_LIMIT) {
      return compile(text, keyspace, schema).plan();
    }
    long hash = hash(~text.hashCode(), keyspace);
    Kept known = kept.get(hash);
    if (known != null
        && known.types == null
        && known.plan != null
        && known.isCurrent(keyspace, schema)
        && known.key.equals(text)) {
      return known.plan;
    }
    StatementPlan plan = compile(text, keyspace, schema).plan();
    if (isToBeKept(hash)) {
      put(hash, new Kept(text, keyspace, schema.epoch(), plan, null));
    }
    return plan;
  }

  private static long hash(long text, @Nullable String keyspace) {
    long mixed = (text ^ (keyspace == null ? 0 : keyspace.hashCode())) * 0x9E3779B97F4A7C15L;
    return mixed ^ (mixed >>> 32);
  }

  private CompiledStatement compile(String text, @Nullable String keyspace, Schema schema) {
    return CompiledStatement.compile(text, extensions, keyspace, schema, planner);
  }

  private boolean isToBeKept(long hash) {
    int index = (int) hash & (SEEN - 1);
    boolean before = seen[index] == hash;
    seen[index] = hash;
    return before;
  }

  private void put(long hash, Kept added) {
    Kept before = kept.put(hash, added);
    bytes += added.sizeBytes() - (before == null ? 0 : before.sizeBytes());
    while (bytes > LIMIT_BYTES) {
      bytes -= kept.pollFirstEntry().getValue().sizeBytes();
    }
  }

  /** Plans the scanned statement with markers in place of its constants, if they can be values. */
  private Kept ofShape(CompiledStatement compiled, Schema schema) {
    String key = shape.placeholders();
    String keyspace = compiled.keyspaceInUse();
    if (shape.count() == 0) {
      return new Kept(key, keyspace, compiled.epoch(), compiled.plan(), NO_TYPES);
    }
    StatementPlan plan = null;
    CqlType[] types = NO_TYPES;
    try {
      CompiledStatement marked = compile(shape.markers(), keyspace, schema);
      CqlType[] found = types(marked.plan());
      Statement statement = marked.statement();
      if (found != null && LiteralPlaces.fit(shape, statement, compiled.statement())) {
        plan = marked.plan();
        types = found;
      }
    } catch (CqlException e) {
      // not a place for a marker, which is no mistake of the client
    }
    return new Kept(key, keyspace, compiled.epoch(), plan, types);
  }

  /** The types of the markers in place of the scanned constants; null if one cannot be a value. */
  private CqlType @Nullable [] types(StatementPlan plan) {
    List<ResultColumns.Column> markers = plan.markers().columns();
    if (markers.size() != shape.count()) {
      return null;
    }
    CqlType[] types = new CqlType[markers.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = markers.get(i).type();
      boolean fits =
          types[i] instanceof ScalarType type
              ? !shape.isComposite(i) && type.accepts(Literals.kind(shape.kind(i)))
              : shape.isComposite(i);
      if (!fits) {
        return null;
      }
    }
    return types;
  }

  /** The number of plans in the cache. */
  int count() {
    return kept.size();
  }
}
