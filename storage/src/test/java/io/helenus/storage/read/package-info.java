/** Tests of reads over memtables and files, compared with an independent model. */
@NullMarked
package io.helenus.storage.read;

import org.jspecify.annotations.NullMarked;
