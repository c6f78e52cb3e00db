/** Tests of memtables by themselves. */
@NullMarked
package io.helenus.storage.memtable;

import org.jspecify.annotations.NullMarked;
