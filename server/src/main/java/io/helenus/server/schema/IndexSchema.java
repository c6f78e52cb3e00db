package io.helenus.server.schema;

import io.helenus.cql.ast.IndexStatement.TargetKind;
import java.util.Collections;
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

  /** Copies the map. */
  public IndexSchema {
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
  }
}
