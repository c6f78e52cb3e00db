package io.helenus.server.schema;

import io.helenus.server.types.CqlType;

/**
 * A column that was dropped: its cells at or before the drop show no more. It keeps its id when a
 * column of this name is added again. Immutable.
 *
 * @param id as {@link ColumnSchema#id}
 * @param kind STATIC or REGULAR
 * @param droppedAtMicros the timestamp of the drop
 */
public record DroppedColumn(
    String name, CqlType type, ColumnKind kind, int id, boolean multiCell, long droppedAtMicros) {}
