package io.helenus.server.schema;

import io.helenus.server.types.CqlType;

/**
 * A column that was dropped: its cells written at or before the drop are hidden. A column that is
 * added again under this name gets the same id. Immutable.
 *
 * @param id as {@link ColumnSchema#id}
 * @param kind STATIC or REGULAR
 * @param droppedAtMicros the timestamp of the drop
 */
public record DroppedColumn(
    String name, CqlType type, ColumnKind kind, int id, boolean multiCell, long droppedAtMicros) {}
