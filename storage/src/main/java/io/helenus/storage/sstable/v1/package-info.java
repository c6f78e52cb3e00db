/**
 * The first file format (storage/docs/sstable.md). Entry class: {@link
 * io.helenus.storage.sstable.v1.V1Format}. Imports {@code sstable} and what it imports.
 */
@NullMarked
package io.helenus.storage.sstable.v1;

import org.jspecify.annotations.NullMarked;
