/**
 * The entries of secondary indexes (storage/docs/index.md), computed from rows and elements. Their
 * runs are in {@code memtable} and {@code job}, their reads in {@code lookup}.
 */
@NullMarked
package io.helenus.storage.index;

import org.jspecify.annotations.NullMarked;
