package io.helenus.storage.memtable;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.row.BoundView;
import io.helenus.storage.row.MutationEntry;
import io.helenus.storage.row.RowMerge;
import io.helenus.storage.row.RowSplitter;
import io.helenus.storage.row.RowView;

/**
 * Working memory for applying a mutation, shared by all memtables of a shard, so that an idle
 * memtable takes no native memory.
 */
final class Scratch {
  final ByteWriter key = new ByteWriter(256);
  final ByteWriter endKey = new ByteWriter(64);
  final ByteWriter merged = new ByteWriter(512);
  final ByteWriter bound = new ByteWriter(BoundView.LIMIT_BYTES);
  final ByteWriter split = new ByteWriter(512);
  final RowMerge merge = new RowMerge();
  final RowSplitter splitter = new RowSplitter();
  final RowView newRow = new RowView();
  final RowView oldRow = new RowView();
  final RowView normalRow = new RowView();
  final MutationEntry entry = new MutationEntry();
}
