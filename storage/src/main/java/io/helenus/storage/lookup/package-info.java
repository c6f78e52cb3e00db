/**
 * Reads of the rows that an index with terms finds (storage/docs/index.md), and lists of their
 * keys. Entry class: {@link io.helenus.storage.lookup.IndexRead}. Imports {@code read} and what it
 * imports.
 */
@NullMarked
package io.helenus.storage.lookup;

import org.jspecify.annotations.NullMarked;
