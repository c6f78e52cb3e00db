/**
 * What a write changes in the materialized views of its table: pure functions from a row before and
 * after the write to mutations of the views (docs/views.md). Entry classes: {@link
 * io.helenus.server.view.ViewedTables} and {@link io.helenus.server.view.BaseViews}. Knows no
 * shard; imports schema, types, ring, error and storage's rows.
 */
@NullMarked
package io.helenus.server.view;

import org.jspecify.annotations.NullMarked;
