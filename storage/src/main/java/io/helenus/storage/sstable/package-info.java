/**
 * Sorted files of entries: what every format offers. Entry class: {@link
 * io.helenus.storage.sstable.SstableFormat}. Imports {@code bytes}, {@code row}, {@code run},
 * {@code env} and the doors of {@code engine}.
 */
@NullMarked
package io.helenus.storage.sstable;

import org.jspecify.annotations.NullMarked;
