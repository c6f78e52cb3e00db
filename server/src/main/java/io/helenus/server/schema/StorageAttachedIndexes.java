package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.IndexStatement.Target;
import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.VectorSimilarity;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.VectorType;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules of storage-attached indexes, in Cassandra's order and with its texts. Options are kept
 * as written. Stateless.
 */
final class StorageAttachedIndexes {
  private static final String CLASS = "org.apache.cassandra.index.sai.StorageAttachedIndex";
  private static final Set<String> NAMES = Set.of("sai", "storageattachedindex");
  static final List<String> ANALYSIS = List.of("normalize", "case_sensitive", "ascii");
  private static final String CONNECTIONS = "maximum_node_connections";
  private static final String BEAM_WIDTH = "construction_beam_width";
  private static final String SIMILARITY = "similarity_function";
  private static final String OPTIMIZE = "optimize_for";
  private static final List<String> OF_VECTORS =
      List.of(CONNECTIONS, BEAM_WIDTH, SIMILARITY, OPTIMIZE);
  private static final int NODE_CONNECTIONS = 16;
  private static final int CONSTRUCTION_BEAM_WIDTH = 100;
  private static final String EXPERIMENTAL =
      "SAI ANN indexes on vector columns are experimental and are not recommended for production"
          + " use.\nThey don't yet support SELECT queries with:"
          + "\n * Consistency level higher than ONE/LOCAL_ONE."
          + "\n * Paging."
          + "\n * No LIMIT clauses."
          + "\n * PER PARTITION LIMIT clauses."
          + "\n * GROUP BY clauses."
          + "\n * Aggregation functions."
          + "\n * Filters on columns without a SAI index.";
  private static final Set<ScalarType> UNSUPPORTED =
      EnumSet.of(ScalarType.BLOB, ScalarType.COUNTER, ScalarType.DURATION, ScalarType.EMPTY);

  private StorageAttachedIndexes() {}

  /** Whether this is a name of the class. */
  private static boolean isName(String className) {
    return className.equals(CLASS) || NAMES.contains(className.toLowerCase(Locale.ROOT));
  }

  /**
   * Checks a new index, and warns of those on vectors that the table has then: Cassandra checks all
   * indexes of the table again.
   *
   * @param className any; null for a legacy index
   * @param options without class_name
   */
  static void check(
      TableSchema table,
      List<Target> targets,
      @Nullable String className,
      Map<String, String> options,
      Consumer<String> warnings) {
    checkExisting(
        table,
        className != null && isName(className) && targets.size() == 1 ? targets.getFirst() : null,
        warnings);
    if (className == null) {
      return;
    }
    if (!isName(className)) {
      throw CqlException.configuration("Unable to find custom indexer class '" + className + "'");
    }
    requireKnown(options);
    if (targets.size() != 1) {
      String all =
          targets.stream()
              .map(each -> IndexSchema.targetOf(each.kind(), each.column()))
              .collect(Collectors.joining(", "));
      throw CqlException.invalid(
          targets.isEmpty()
              ? "Failed to retrieve target column for: "
              : "A storage-attached index cannot be created over multiple columns: " + all);
    }
    Target target = targets.getFirst();
    ColumnSchema column = table.column(target.column());
    if (column == null) {
      throw new IllegalStateException("no column " + target.column());
    }
    boolean analyzed = ANALYSIS.stream().anyMatch(options::containsKey);
    if (analyzed && column.isPrimaryKey()) {
      throw CqlException.invalid(
          "Analysis options are not supported on primary key columns, but found "
              + literal(options));
    }
    CqlType type = indexed(column.type(), target.kind());
    checkOptions(shown(type, target.kind()), type, options, analyzed);
    requireSupported(type, target.kind());
    if (type instanceof VectorType vector) {
      requireSearchable(vector, options);
      warnings.accept(EXPERIMENTAL);
    }
  }

  /** Warns of the indexes on vectors that the table has, up to one with the same target. */
  private static void checkExisting(
      TableSchema table, @Nullable Target added, Consumer<String> warnings) {
    List<IndexSchema> inOrder =
        table.indexes().stream().sorted(Comparator.comparingInt(IndexSchema::id)).toList();
    for (IndexSchema other : inOrder) {
      if (other.kind() != IndexSchema.Kind.SAI) {
        continue;
      }
      ColumnSchema column = table.columnOf(other);
      if (added != null && column.name().equals(added.column()) && other.target() == added.kind()) {
        throw CqlException.invalid(
            "Cannot create more than one storage-attached index on the same column: "
                + column.name());
      }
      if (indexed(column.type(), other.target()) instanceof VectorType) {
        warnings.accept(EXPERIMENTAL);
      }
    }
  }

  /** Warns of the indexes on vectors when the table gets another column. */
  static void warnOfVectors(TableSchema table, Consumer<String> warnings) {
    checkExisting(table, null, warnings);
  }

  /** The type of the indexed values in texts. */
  private static String shown(CqlType type, TargetKind kind) {
    return kind == TargetKind.ENTRIES
        ? type.parts().stream()
            .map(CqlType::className)
            .collect(
                Collectors.joining(",", "'" + ScalarType.CLASS_PREFIX + "CompositeType(", ")'"))
        : type.toCql();
  }

  private static void requireKnown(Map<String, String> options) {
    // in the order of Cassandra's hash map
    Map<String, Boolean> unknown = new HashMap<>(2);
    for (String option : options.keySet()) {
      if (!ANALYSIS.contains(option) && !OF_VECTORS.contains(option)) {
        unknown.put(option, true);
      }
    }
    if (!unknown.isEmpty()) {
      throw CqlException.configuration(
          "Properties specified "
              + unknown.keySet()
              + " are not understood by StorageAttachedIndex");
    }
  }

  private static String literal(Map<String, String> options) {
    return new TreeMap<>(options)
        .entrySet().stream()
            .map(each -> CqlNames.literal(each.getKey()) + ": " + CqlNames.literal(each.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  /** The type of the indexed values; for entries the whole type. */
  static CqlType indexed(CqlType type, TargetKind kind) {
    return switch (kind) {
      case SIMPLE, FULL, ENTRIES -> type;
      case KEYS -> type.parts().getFirst();
      case VALUES -> type.parts().getLast();
    };
  }

  private static void requireSupported(CqlType type, TargetKind kind) {
    if (kind == TargetKind.ENTRIES) {
      type.parts().forEach(StorageAttachedIndexes::requireSupported);
    } else {
      requireSupported(type);
    }
  }

  private static void requireSupported(CqlType type) {
    boolean supported =
        type instanceof ScalarType scalar
            ? !UNSUPPORTED.contains(scalar)
            : type.keyEncoding() != null;
    if (!supported) {
      throw CqlException.invalid("Unsupported type: " + type.toCql());
    }
  }

  private static void requireSearchable(VectorType type, Map<String, String> options) {
    if (type.element() != ScalarType.FLOAT) {
      throw CqlException.invalid(
          "SAI ANN indexes are only allowed on vector columns with float elements");
    }
    if (type.dimension() == 1
        && options.getOrDefault(SIMILARITY, "cosine").equalsIgnoreCase("cosine")) {
      throw CqlException.invalid("Cosine similarity is not supported for single-dimension vectors");
    }
  }

  /** How vectors are compared by an index with these options, which are valid. */
  static VectorSimilarity similarity(Map<String, String> options) {
    return VectorSimilarity.valueOf(
        options.getOrDefault(SIMILARITY, "COSINE").toUpperCase(Locale.ROOT));
  }

  /** The largest number of neighbours of a vector in the graphs of an index. */
  static int nodeConnections(Map<String, String> options) {
    return number(options, CONNECTIONS, NODE_CONNECTIONS);
  }

  /** How many candidates for neighbours are kept while a vector is added to a graph. */
  static int beamWidth(Map<String, String> options) {
    return number(options, BEAM_WIDTH, CONSTRUCTION_BEAM_WIDTH);
  }

  private static int number(Map<String, String> options, String option, int fallback) {
    String given = options.get(option);
    return given == null ? fallback : Integer.parseInt(given);
  }

  private static void checkOptions(
      String shown, CqlType type, Map<String, String> options, boolean analyzed) {
    if (analyzed) {
      if (type != ScalarType.TEXT && type != ScalarType.ASCII) {
        throw CqlException.invalid("CQL type " + shown + " cannot be analyzed.");
      }
      for (String option : ANALYSIS) {
        requireBoolean(option, options.getOrDefault(option, "true"));
      }
    }
    if (OF_VECTORS.stream().anyMatch(options::containsKey)) {
      if (!(type instanceof VectorType)) {
        throw CqlException.invalid("CQL type " + shown + " cannot have vector options");
      }
      requireNumber(options, CONNECTIONS, "Maximum number of connections", 512);
      requireNumber(options, BEAM_WIDTH, "Construction beam width", 3200);
      requireSimilarity(options);
      requireGoal(options);
    }
  }

  private static void requireBoolean(String option, String value) {
    if (value.isEmpty()) {
      throw CqlException.invalid("Empty value for boolean option '" + option + "'");
    }
    if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
      throw CqlException.invalid("Illegal value for boolean option '" + option + "': " + value);
    }
  }

  private static void requireNumber(
      Map<String, String> options, String option, String what, int most) {
    String text = options.get(option);
    if (text == null) {
      return;
    }
    int value;
    try {
      value = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw CqlException.invalid(what + " " + text + " is not a valid integer for index null");
    }
    if (value <= 0 || value > most) {
      throw CqlException.invalid(
          what + " for index null cannot be <= 0 or > " + most + ", was " + value);
    }
  }

  private static void requireSimilarity(Map<String, String> options) {
    String value = options.getOrDefault(SIMILARITY, "COSINE").toUpperCase(Locale.ROOT);
    if (!List.of("EUCLIDEAN", "DOT_PRODUCT", "COSINE").contains(value)) {
      throw CqlException.invalid(
          "Similarity function "
              + value
              + " was not recognized for index null. Valid values are: EUCLIDEAN, DOT_PRODUCT,"
              + " COSINE");
    }
  }

  private static void requireGoal(Map<String, String> options) {
    String value = options.getOrDefault(OPTIMIZE, "LATENCY").toUpperCase(Locale.ROOT);
    if (!value.equals("LATENCY") && !value.equals("RECALL")) {
      throw CqlException.invalid(
          "optimize_for '"
              + value
              + "' was not recognized for index null. Valid values are: LATENCY, RECALL");
    }
  }
}
