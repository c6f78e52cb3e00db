/**
 * The API of sorted files of entries, independent of their format. Entry class: {@link
 * io.helenus.storage.sstable.SstableFormat}. Imports {@code memory}, {@code bytes}, {@code row},
 * {@code run}, {@code env} and the public types of {@code engine}.
 */
@NullMarked
package io.helenus.storage.sstable;

import org.jspecify.annotations.NullMarked;
