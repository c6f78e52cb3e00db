/**
 * Sorted rows in memory, off heap, until they are written to a file. Entry class: {@link
 * io.helenus.storage.memtable.Memtable}. Imports {@code bytes}, {@code row} and {@code run}.
 */
@NullMarked
package io.helenus.storage.memtable;

import org.jspecify.annotations.NullMarked;
