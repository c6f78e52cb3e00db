/** Unit tests of memtables. */
@NullMarked
package io.helenus.storage.memtable;

import org.jspecify.annotations.NullMarked;
