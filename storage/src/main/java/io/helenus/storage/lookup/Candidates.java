package io.helenus.storage.lookup;

import io.helenus.storage.bytes.ByteWriter;

/** The keys of the rows that an index finds, in ascending order, each once. Shard thread only. */
interface Candidates extends AutoCloseable {
  /** The result of a step. */
  enum Step {
    /** There is a key. */
    READY,
    /** There are no more keys. */
    END,
    /** Blocks are being loaded: repeat the step later. */
    WAITING,
    /** The time slice is over: repeat the step later. */
    YIELD,
    /** There are so many keys that it is better to look at all rows. Only the first step. */
    TOO_MANY
  }

  /** Moves to the next key. */
  Step next();

  /** The key of a row, or the prefix of a partition ‖ section 1 for a whole partition. */
  ByteWriter key();

  /** The length of the prefix of {@link #key}. */
  int prefixLength();

  /** Closes cursors and releases memory. */
  @Override
  void close();
}
