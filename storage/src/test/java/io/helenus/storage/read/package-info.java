/** Tests of reads over memtables and files, against a model that knows nothing of either. */
@NullMarked
package io.helenus.storage.read;

import org.jspecify.annotations.NullMarked;
