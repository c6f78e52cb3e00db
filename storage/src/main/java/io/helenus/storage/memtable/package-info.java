/**
 * Sorted rows in native memory, until they are flushed to an SSTable. Entry class: {@link
 * io.helenus.storage.memtable.Memtable}. Imports {@code bytes}, {@code row} and {@code run}.
 */
@NullMarked
package io.helenus.storage.memtable;

import org.jspecify.annotations.NullMarked;
