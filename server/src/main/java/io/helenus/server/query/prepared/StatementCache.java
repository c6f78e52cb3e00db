package io.helenus.server.query.prepared;

import io.helenus.cql.ast.BatchStatement;
import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.ModificationStatement;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.parser.StatementShape;
import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.ResultColumns;
import io.helenus.server.query.modification.BatchPlan;
import io.helenus.server.query.modification.ModificationPlan;
import io.helenus.server.query.statement.StatementPlan;
import io.helenus.server.query.value.LiteralValues;
import io.helenus.server.query.value.Literals;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.Schema;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  /** The circumstances in which a plan holds. */
  private record Origin(@Nullable String keyspace, long epoch) {
    boolean isCurrent(@Nullable String inUse, Schema schema) {
      return epoch == schema.epoch() && (inUse == null ? keyspace == null : inUse.equals(keyspace));
    }
  }

  /** What the cache knows about a text or a shape. */
  private sealed interface Kept {
    /** The text or shape. */
    String statement();

    /** The memory that it is assumed to take. */
    default long sizeBytes() {
      return OVERHEAD_BYTES + 16L * statement().length();
    }
  }

  /** The plan of one text. */
  private record TextPlan(String statement, Origin origin, StatementPlan plan) implements Kept {}

  /**
   * The plan of all texts of one shape.
   *
   * @param statement a text with placeholders for its constants
   * @param plan null if the constants cannot be values
   * @param types the types of the constants
   * @param documents the columns of each constant that is a document of INSERT JSON
   */
  private record ShapePlan(
      String statement,
      Origin origin,
      @Nullable StatementPlan plan,
      CqlType[] types,
      Map<Integer, List<ColumnSchema>> documents)
      implements Kept {}

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
    if (kept.get(hash) instanceof ShapePlan known
        && known.origin.isCurrent(keyspace, schema)
        && shape.matches(known.statement)) {
      return known.plan != null && constants.read(shape, known.types, known.documents, schema)
          ? known.plan
          : get(text, keyspace, schema);
    }
    CompiledStatement compiled = compile(text, keyspace, schema);
    if (isToBeKept(hash)) {
      put(hash, ofShape(compiled, schema));
    }
    return compiled.plan();
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
    if (kept.get(hash) instanceof TextPlan known
        && known.origin.isCurrent(keyspace, schema)
        && known.statement.equals(text)) {
      return known.plan;
    }
    StatementPlan plan = compile(text, keyspace, schema).plan();
    if (isToBeKept(hash)) {
      put(hash, new TextPlan(text, new Origin(keyspace, schema.epoch()), plan));
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
  private ShapePlan ofShape(CompiledStatement compiled, Schema schema) {
    String placeholders = shape.placeholders();
    String keyspace = compiled.keyspaceInUse();
    Origin origin = new Origin(keyspace, compiled.epoch());
    if (shape.count() == 0) {
      return new ShapePlan(placeholders, origin, compiled.plan(), NO_TYPES, Map.of());
    }
    StatementPlan plan = null;
    CqlType[] types = NO_TYPES;
    Map<Integer, List<ColumnSchema>> documents = new HashMap<>();
    try {
      CompiledStatement marked = compile(shape.markers(), keyspace, schema);
      CqlType[] found = types(marked.plan());
      Statement statement = marked.statement();
      if (found != null && LiteralPlaces.fit(shape, statement, compiled.statement())) {
        plan = marked.plan();
        types = found;
        addDocuments(statement, plan, documents);
      }
    } catch (CqlException e) {
      // not a place for a marker, which is no mistake of the client
    }
    return new ShapePlan(placeholders, origin, plan, types, documents);
  }

  private static void addDocuments(
      Statement statement, StatementPlan plan, Map<Integer, List<ColumnSchema>> documents) {
    if (statement instanceof ModificationStatement.InsertJson insert
        && plan instanceof ModificationPlan of
        && insert.json() instanceof BindMarker marker) {
      documents.put(marker.index(), of.table().columns());
    } else if (statement instanceof BatchStatement batch && plan instanceof BatchPlan of) {
      for (int i = 0; i < of.statements().size(); i++) {
        addDocuments(batch.statements().get(i), of.statements().get(i), documents);
      }
    }
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
