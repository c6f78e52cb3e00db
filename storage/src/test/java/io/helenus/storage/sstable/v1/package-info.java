/** Tests of the first file format: its bytes, and what becomes of damaged ones. */
@NullMarked
package io.helenus.storage.sstable.v1;

import org.jspecify.annotations.NullMarked;
