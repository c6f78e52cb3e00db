package io.helenus.server.process;

import io.helenus.server.node.Heap;

/** A heap of 100 MiB whose contents a test sets. One thread. */
final class FakeHeap implements Heap {
  static final long MIB = 1 << 20;

  long live;
  long garbage;
  int collections;

  @Override
  public long usedBytes() {
    return live + garbage;
  }

  @Override
  public long committedBytes() {
    return limitBytes();
  }

  @Override
  public long limitBytes() {
    return 100 * MIB;
  }

  @Override
  public void collect() {
    collections++;
    garbage = 0;
  }
}
