package io.helenus.server.coordinator;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.KeyFormat;
import io.helenus.storage.row.MutationView;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The events of a trace that say what replicas do, in Cassandra's words; nothing for requests that
 * are not traced. Stateless.
 */
public final class ReplicaActivity {
  private ReplicaActivity() {}

  /** A coordinator has a mutation, and asks which replicas it is for. */
  static void placing(@Nullable RequestTrace trace) {
    if (trace != null) {
      trace.event("Determining replicas for mutation");
    }
  }

  /** This node's replica begins to write. */
  public static void writing(
      @Nullable RequestTrace trace, MemorySegment mutation, long offset, int length) {
    if (trace == null) {
      return;
    }
    trace.event("Appending to commitlog");
    MutationView view = new MutationView().wrap(mutation, offset, length);
    while (view.nextTable()) {
      trace.event("Adding to " + trace.table(view.tableId()) + " memtable");
    }
  }

  /** This node's replica begins to read. */
  public static void reading(
      @Nullable RequestTrace trace, ReadRequest request, long firstToken, long lastToken) {
    if (trace == null) {
      return;
    }
    String table = trace.table(request.tableId());
    trace.event(
        request.keys().isPartition()
            ? "Executing single-partition query on " + table
            : "Executing seq scan on " + table + " for tokens " + firstToken + " to " + lastToken);
  }

  /** This node's replica has read. */
  public static void read(@Nullable RequestTrace trace, int rows, int tombstones) {
    if (trace != null) {
      trace.event("Read " + rows + " live rows and " + tombstones + " tombstone cells");
    }
  }

  /** Replicas have different rows. */
  static void differ(
      @Nullable RequestTrace trace, ReadRequest request, long firstToken, long lastToken) {
    if (trace == null) {
      return;
    }
    String where = "tokens " + firstToken + " to " + lastToken;
    if (request.keys().isPartition()) {
      ByteWriter key = new ByteWriter(64);
      long ignored = KeyFormat.readPartitionKey(request.segment(), 0, key);
      String hex = HexFormat.of().formatHex(Bytes.toArray(key.segment(), 0, key.size()));
      where = "key DecoratedKey(" + firstToken + ", " + hex + ")";
    }
    trace.event("Digest mismatch: Mismatch for " + where);
  }

  /** A read or a write ends without success. */
  static void ended(@Nullable RequestTrace trace, String how, Replies replies) {
    if (trace != null) {
      trace.event(
          how + "; received " + replies.received() + " of " + replies.required() + " responses");
    }
  }
}
