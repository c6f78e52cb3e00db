package io.helenus.server.schema;

import io.helenus.cql.ast.CqlNames;
import io.helenus.cql.ast.IndexStatement.TargetKind;
import io.helenus.server.functions.VectorSimilarity;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A secondary index of a table. Immutable; any thread.
 *
 * @param name unique in the keyspace
 * @param id unique in the table, never reused in it; names the index in storage
 * @param kind which rules it follows
 * @param columnId the indexed column, whose name may change
 * @param target what of the column is indexed; SIMPLE for a column with one value in a row, or for
 *     the partition or clustering key
 * @param options as written: for a custom index with {@code class_name}, without {@code target}
 */
public record IndexSchema(
    String name,
    int id,
    Kind kind,
    int columnId,
    TargetKind target,
    SortedMap<String, String> options)
    implements SortedArrays.Named {
  /** Which rules an index follows. The structure in storage is the same. */
  public enum Kind {
    /** An index without CUSTOM. */
    LEGACY,
    /** A storage-attached index. */
    SAI
  }

  /** The analyzer of an index on text, as in {@code system_views.sai_column_indexes}. */
  public String analyzer() {
    if (options.keySet().stream().noneMatch(StorageAttachedIndexes.ANALYSIS::contains)) {
      return "NoOpAnalyzer";
    }
    return "NonTokenizingAnalyzer{caseSensitive="
        + isOn("case_sensitive", "true")
        + ", normalized="
        + isOn("normalize", "false")
        + ", ascii="
        + isOn("ascii", "false")
        + "}";
  }

  /** How vectors are compared by an index on them. */
  public VectorSimilarity similarity() {
    return StorageAttachedIndexes.similarity(options);
  }

  private boolean isOn(String option, String fallback) {
    return Boolean.parseBoolean(options.getOrDefault(option, fallback));
  }

  /** The target in CQL: {@code keys(c)}. */
  String targetOf(String column) {
    return targetOf(target, column);
  }

  /** A target in CQL: {@code keys(c)}. */
  static String targetOf(TargetKind target, String column) {
    String name = CqlNames.quoted(column);
    return target == TargetKind.SIMPLE
        ? name
        : target.name().toLowerCase(Locale.ROOT) + "(" + name + ")";
  }

  /** Copies the map. */
  public IndexSchema {
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
  }

  /** The same index with another id. */
  IndexSchema withId(int newId) {
    return new IndexSchema(name, newId, kind, columnId, target, options);
  }
}
