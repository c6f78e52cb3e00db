/**
 * Sorted runs of entries, which memtables, SSTables and merges have in common. Entry class: {@link
 * io.helenus.storage.run.EntryCursor}. Imports {@code bytes} and {@code row}.
 */
@NullMarked
package io.helenus.storage.run;

import org.jspecify.annotations.NullMarked;
