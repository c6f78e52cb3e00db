package io.helenus.server.query.selection;

import io.helenus.server.schema.ColumnSchema;

/**
 * The elements of a multi-cell collection that a selection reads: one, or those between two ends,
 * inclusive. Immutable; any thread.
 *
 * @param lowerSlot the slot of the first path; -1 for no lower end
 * @param upperSlot the slot of the last path; -1 for no upper end
 */
record ElementRange(ColumnSchema column, int lowerSlot, int upperSlot) {}
