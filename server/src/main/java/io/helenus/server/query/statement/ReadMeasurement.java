package io.helenus.server.query.statement;

import io.helenus.server.protocol.Exchange;
import java.util.function.Consumer;

/**
 * What a SELECT did, for a request that wants to know that instead of the rows. One per request;
 * shard thread only.
 */
public final class ReadMeasurement {
  private final Consumer<Exchange> then;
  private int reads;
  private long rowsRead;
  private long tombstones;
  private int others;
  private int sources;
  private int files;
  private int blocks;
  private long blockBytes;
  private int rows;
  private long began;
  private long readNanos;
  private long nanos;

  /**
   * Creates one.
   *
   * @param then answers the request once the SELECT has ended without a failure
   */
  public ReadMeasurement(Consumer<Exchange> then) {
    this.then = then;
  }

  /** A read of a partition or of a range of tokens begins at this time of a monotonic clock. */
  public void begin(long now) {
    began = now;
  }

  /** The read has ended. */
  public void read(int live, int dead, long now) {
    reads++;
    rowsRead += live;
    tombstones += dead;
    readNanos += now - began;
  }

  /** A replica on another node is asked. */
  public void askedOther() {
    others++;
  }

  /** What was read on this node, in so many reads of memtables and files. */
  public void sources(int ofReads, int readFiles, int readBlocks, long readBytes) {
    sources = ofReads;
    files = readFiles;
    blocks = readBlocks;
    blockBytes = readBytes;
  }

  /**
   * The SELECT has ended.
   *
   * @param returned the number of rows that the client would have got
   * @param took how many nanoseconds all took
   */
  public void end(int returned, long took) {
    rows = returned;
    nanos = took;
  }

  /** Answers the request. */
  public void answer(Exchange exchange) {
    then.accept(exchange);
  }

  /** The number of partitions and ranges of tokens that were read one after the other. */
  public int reads() {
    return reads;
  }

  /** The live rows read, static ones included. */
  public long rowsRead() {
    return rowsRead;
  }

  /** The tombstones read. */
  public long tombstones() {
    return tombstones;
  }

  /** How often a replica on another node was asked. */
  public int others() {
    return others;
  }

  /** How many reads of memtables and files there were on this node. */
  public int sources() {
    return sources;
  }

  /** The files read on this node, each time that one was. */
  public int files() {
    return files;
  }

  /** The blocks read on this node, those of the files' indexes included. */
  public int blocks() {
    return blocks;
  }

  /** The size of these blocks, uncompressed. */
  public long blockBytes() {
    return blockBytes;
  }

  /** The rows of the answer. */
  public int rows() {
    return rows;
  }

  /** How long the reads took, in nanoseconds. */
  public long readNanos() {
    return readNanos;
  }

  /** How long it all took, in nanoseconds. */
  public long nanos() {
    return nanos;
  }
}
