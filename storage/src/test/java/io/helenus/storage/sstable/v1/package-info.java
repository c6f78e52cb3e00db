/** Tests of the first file format: its bytes, and the detection of damage. */
@NullMarked
package io.helenus.storage.sstable.v1;

import org.jspecify.annotations.NullMarked;
