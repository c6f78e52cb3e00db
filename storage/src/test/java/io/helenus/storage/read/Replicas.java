package io.helenus.storage.read;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaDifferences;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.ReplyDigest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.TableDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Several replicas of a table, and a coordinator that reads and repairs them. */
final class Replicas {
  final List<ReadFixture> all = new ArrayList<>();
  int limitBytes = 1 << 20;
  int rounds;
  int digestMatches;

  Replicas(int count, int clockEvery) {
    this(count, clockEvery, ReadFixture.columns());
  }

  Replicas(int count, int clockEvery, List<TableDescriptor.Column> columns) {
    for (int i = 0; i < count; i++) {
      all.add(new ReadFixture(i % 2 << 20, columns, clockEvery));
    }
  }

  /** The data reply of a replica. */
  static ByteWriter raw(ReadFixture replica, ReadRequest request, int limitBytes) {
    ByteWriter reply = new ByteWriter(64);
    try (RawCursor cursor = replica.reads.openRaw(replica.sources, decoded(request), limitBytes)) {
      while (true) {
        ReadCursor.Status status = cursor.advance(reply);
        if (status == ReadCursor.Status.DONE) {
          return reply;
        }
        assertTrue(status != ReadCursor.Status.STOPPED);
        if (status == ReadCursor.Status.WAITING) {
          boolean[] ready = new boolean[1];
          cursor.whenReady(() -> ready[0] = true);
          replica.runTasks();
          assertTrue(ready[0]);
        }
      }
    }
  }

  ByteWriter raw(int replica, ReadRequest request) {
    return raw(all.get(replica), request, limitBytes);
  }

  static String digest(ByteWriter reply) {
    ByteWriter digest = new ByteWriter(ReplyDigest.BYTES);
    ReplyDigest.put(reply.segment(), 0, reply.size(), digest);
    return HexFormat.of().formatHex(digest.toArray());
  }

  private static ReadRequest decoded(ReadRequest request) {
    ByteWriter bytes = new ByteWriter(64);
    request.encode(bytes);
    return new ReadRequest().decode(bytes.segment(), 0, bytes.size());
  }

  /** Reads from all replicas; with {@code repair} they take what they lack. */
  ReadCursor.Status read(ReadRequest request, RowSink sink, boolean repair) {
    ReadFixture coordinator = all.get(0);
    try (ReplicaMerge merge = coordinator.reads.merge(coordinator.sources, request, all.size())) {
      while (true) {
        rounds++;
        ReadRequest next = merge.nextRequest();
        List<ByteWriter> replies = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
          replies.add(raw(i, next));
        }
        boolean match = replies.stream().map(Replicas::digest).distinct().count() == 1;
        digestMatches += match ? 1 : 0;
        List<ByteWriter> data = match ? replies.subList(0, 1) : replies;
        merge.replies(data.stream().map(Replicas::slice).toList());
        ReadCursor.Status status = ReadCursor.Status.YIELD;
        while (status == ReadCursor.Status.YIELD) {
          status = merge.advance(sink);
        }
        if (repair && !match) {
          repair(merge.differences(1));
        }
        if (status != ReadCursor.Status.WAITING) {
          return status;
        }
        assertTrue(rounds < 100_000, "no progress");
      }
    }
  }

  private static MemorySegment slice(ByteWriter reply) {
    return reply.segment().asSlice(0, reply.size());
  }

  private void repair(ReplicaDifferences differences) {
    while (differences.advance()) {
      // more to compare
    }
    for (int i = 0; i < all.size(); i++) {
      ByteWriter mutations = differences.mutations(i);
      for (int m = 0; m < differences.count(i); m++) {
        byte[] bytes =
            Arrays.copyOfRange(
                mutations.toArray(), differences.offset(i, m), differences.offset(i, m + 1));
        all.get(i).apply(new ByteWriter(bytes.length).putBytes(bytes));
      }
    }
  }
}
