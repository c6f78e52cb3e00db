package io.helenus.server.query.modification;

import io.helenus.server.coordinator.ComputedCallback;
import io.helenus.server.coordinator.ComputedResult;
import io.helenus.server.coordinator.Coordinator;
import io.helenus.server.coordinator.PartitionWrite;
import io.helenus.server.coordinator.RequestTrace;
import io.helenus.server.coordinator.WriteCallback;
import io.helenus.server.coordinator.WriteType;
import io.helenus.server.error.CqlError;
import io.helenus.server.ring.ConsistencyLevel;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.row.MutationView;
import io.helenus.storage.row.MutationWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a modification or batch of which some change lists depending on their present
 * elements. A single write to one table is computed and written as one step among the computed
 * writes of its partition. Of several, the changes of lists are computed first, each in the queue
 * of its partition; then all are written like those of any batch. If one cannot be computed,
 * nothing is written, and the first such failure in the order of the statements is answered. Shard
 * thread only.
 */
final class ListRewriteBatch implements ComputedCallback {
  private final Coordinator coordinator;
  private final ConsistencyLevel level;
  private final List<PartitionWrite> writes;
  private final List<Part> parts = new ArrayList<>();
  private final WriteCallback client;
  private final @Nullable RequestTrace trace;
  private final Consumer<List<PartitionWrite>> whenComputed;
  private final long nowSeconds;
  private int missing;
  private int failedPart = Integer.MAX_VALUE;
  private @Nullable CqlError failure;

  private record Part(int write, int tableId, ListRewrites rewrites) {}

  /**
   * Creates a batch.
   *
   * @param writes the mutations, without the changes of lists
   * @param whenComputed writes the mutations, if there are several
   */
  ListRewriteBatch(
      Coordinator coordinator,
      ConsistencyLevel level,
      List<PartitionWrite> writes,
      long nowSeconds,
      WriteCallback client,
      @Nullable RequestTrace trace,
      Consumer<List<PartitionWrite>> whenComputed) {
    this.coordinator = coordinator;
    this.level = level;
    this.writes = writes;
    this.nowSeconds = nowSeconds;
    this.client = client;
    this.trace = trace;
    this.whenComputed = whenComputed;
  }

  /** Adds the changes of lists of one table to a write. */
  void add(int write, int tableId, ListRewrites rewrites) {
    parts.add(new Part(write, tableId, rewrites));
  }

  void start() {
    missing = parts.size();
    if (writes.size() == 1 && tableCount(writes.getFirst()) == 1) {
      PartitionWrite only = writes.getFirst();
      compute(
          parts.getFirst(),
          new ListRewriteWrite(
              request(parts.getFirst()), only.mutation(), parts.getFirst().rewrites, false),
          this);
      return;
    }
    List<ListRewriteWrite> computed = new ArrayList<>();
    for (Part part : parts) {
      computed.add(new ListRewriteWrite(request(part), withoutEntries(part), part.rewrites, true));
    }
    for (int i = 0; i < parts.size(); i++) {
      compute(parts.get(i), computed.get(i), new PartCallback(computed, i));
    }
  }

  private static int tableCount(PartitionWrite write) {
    MutationView view = view(write);
    int count = 0;
    while (view.nextTable()) {
      count++;
    }
    return count;
  }

  private static MutationView view(PartitionWrite write) {
    return new MutationView().wrap(write.mutation().segment(), 0, write.mutation().size());
  }

  private void compute(Part part, ListRewriteWrite write, ComputedCallback callback) {
    PartitionWrite of = writes.get(part.write);
    coordinator.compute(of.keyspace(), of.token(), level, WriteType.SIMPLE, write, callback);
  }

  private ReadRequest request(Part part) {
    MutationView view = view(writes.get(part.write));
    return new ReadRequest()
        .reset(part.tableId, nowSeconds)
        .partition(view.segment(), view.prefixOffset(), view.prefixLength());
  }

  private ByteWriter withoutEntries(Part part) {
    MutationView view = view(writes.get(part.write));
    ByteWriter bytes = new ByteWriter(64);
    new MutationWriter(bytes)
        .begin(view.token(), view.epoch(), view.segment(), view.prefixOffset(), view.prefixLength())
        .beginTable(part.tableId)
        .endTable()
        .finish();
    return bytes;
  }

  /** The only write is written. */
  @Override
  public void computed(ComputedResult result) {
    describe(result);
    client.written();
  }

  @Override
  public void failed(CqlError error) {
    client.failed(error);
  }

  private void describe(ComputedResult result) {
    if (trace != null) {
      AppliedAnswer.describe(result, trace);
    }
  }

  /** Waits for all parts. */
  private final class PartCallback implements ComputedCallback {
    private final List<ListRewriteWrite> computed;
    private final int part;

    PartCallback(List<ListRewriteWrite> computed, int part) {
      this.computed = computed;
      this.part = part;
    }

    @Override
    public void computed(ComputedResult result) {
      describe(result);
      ended();
    }

    @Override
    public void failed(CqlError error) {
      if (part < failedPart) {
        failedPart = part;
        failure = error;
      }
      ended();
    }

    private void ended() {
      missing--;
      if (missing > 0) {
        return;
      }
      if (failure != null) {
        client.failed(failure);
      } else {
        whenComputed.accept(whole(computed));
      }
    }
  }

  /** The writes with the changes of lists; those that have become empty are left out. */
  private List<PartitionWrite> whole(List<ListRewriteWrite> computed) {
    List<PartitionWrite> whole = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      Map<Integer, ByteWriter> ofTables = new TreeMap<>();
      for (int part = 0; part < parts.size(); part++) {
        if (parts.get(part).write == i) {
          ofTables.put(parts.get(part).tableId, computed.get(part).computed());
        }
      }
      PartitionWrite write = writes.get(i);
      ByteWriter mutation = coordinator.takeBuffer();
      if (join(view(write), ofTables, mutation)) {
        whole.add(new PartitionWrite(write.keyspace(), write.token(), mutation));
      } else {
        coordinator.release(mutation);
      }
      coordinator.release(write.mutation());
    }
    return whole;
  }

  private static boolean join(MutationView view, Map<Integer, ByteWriter> parts, ByteWriter out) {
    MutationWriter writer = new MutationWriter(out);
    writer.begin(
        view.token(), view.epoch(), view.segment(), view.prefixOffset(), view.prefixLength());
    boolean any = false;
    while (view.nextTable()) {
      ByteWriter part = parts.get(view.tableId());
      MutationView added =
          part == null ? null : new MutationView().wrap(part.segment(), 0, part.size());
      boolean adds = added != null && added.nextTable() && added.entriesLength() > 0;
      if (view.entriesLength() == 0 && !adds) {
        continue;
      }
      any = true;
      writer
          .beginTable(view.tableId())
          .entries(view.segment(), view.entriesOffset(), view.entriesLength());
      if (added != null && adds) {
        writer.entries(added.segment(), added.entriesOffset(), added.entriesLength());
      }
      writer.endTable();
    }
    writer.finish();
    return any;
  }
}
