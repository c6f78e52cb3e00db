/**
 * The encoding of keys, rows, cells, deletions and mutations (storage/docs/rows.md), and their
 * reconciliation as pure functions. The server builds mutations with {@link
 * io.helenus.storage.row.MutationWriter} and reads rows with {@link
 * io.helenus.storage.row.RowView}. Imports {@code bytes} only.
 */
@NullMarked
package io.helenus.storage.row;

import org.jspecify.annotations.NullMarked;
