package io.helenus.storage.local;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Reads all shards of a storage as if they were replicas that have different rows. */
final class MergedShards {
  private MergedShards() {}

  /** Passes the merged rows of all shards to the sink. */
  static void read(SimStorage storage, ReadRequest request, int limitBytes, RowSink sink) {
    List<StorageEngine> engines = storage.storage().engines();
    try (ReplicaMerge merge = engines.get(0).replicaReads().merge(request, engines.size())) {
      List<MemorySegment> before = List.of();
      while (true) {
        ReadRequest next = merge.nextRequest();
        List<MemorySegment> replies = new ArrayList<>();
        for (StorageEngine engine : engines) {
          replies.add(reply(storage, engine.replicaReads().read(next, limitBytes)));
        }
        merge.replies(replies);
        // replies are valid until the next ones are taken
        before.forEach(each -> each.fill((byte) 0xee));
        before = replies;
        ReadCursor.Status status = merge.advance(sink);
        while (status == ReadCursor.Status.YIELD) {
          status = merge.advance(sink);
        }
        if (status != ReadCursor.Status.WAITING) {
          return;
        }
      }
    }
  }

  private static MemorySegment reply(SimStorage storage, RawCursor cursor) {
    ByteWriter reply = new ByteWriter(64);
    try (cursor) {
      ReadCursor.Status status = cursor.advance(reply);
      while (status != ReadCursor.Status.DONE) {
        if (status == ReadCursor.Status.WAITING) {
          SimStorage.Outcome ready = new SimStorage.Outcome();
          cursor.whenReady(ready::onDurable);
          SimStorage.Outcome done = storage.await(ready);
          assert done == ready;
        }
        status = cursor.advance(reply);
      }
    }
    return reply.segment().asSlice(0, reply.size());
  }
}
