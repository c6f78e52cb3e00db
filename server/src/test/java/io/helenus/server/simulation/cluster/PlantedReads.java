package io.helenus.server.simulation.cluster;

import io.helenus.server.cluster.Member;
import io.helenus.server.coordinator.RemoteReplicas;
import io.helenus.server.internode.ReplyHandler;
import io.helenus.server.node.Node;
import io.helenus.server.shard.Shard;
import io.helenus.server.simulation.WrappedStorage;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.bytes.Bytes;
import io.helenus.storage.engine.ForwardingEngine;
import io.helenus.storage.engine.RawCursor;
import io.helenus.storage.engine.ReadCursor;
import io.helenus.storage.engine.ReadRequest;
import io.helenus.storage.engine.ReplicaDifferences;
import io.helenus.storage.engine.ReplicaMerge;
import io.helenus.storage.engine.ReplicaReads;
import io.helenus.storage.engine.ReplyDigest;
import io.helenus.storage.engine.RowSink;
import io.helenus.storage.engine.StorageEngine;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.engine.Tables;
import io.helenus.storage.local.LocalStorage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plants a {@link ReadBug} in one node of a {@link DivergedRun}, which runs in one thread, one
 * statement after the other.
 */
final class PlantedReads {
  private static final Pattern FILTER_OF_V = Pattern.compile("\\bv = (\\d).*ALLOW FILTERING");

  private final ReadBug bug;
  private final CutReplicas cuts;

  /** What this node's replica has read last; digests are compared with it. */
  private byte[] localData = {};

  private PlantedReads(ReadBug bug, CutReplicas cuts) {
    this.bug = bug;
    this.cuts = cuts;
  }

  /** Nodes with a bug, behind the cuts of a run. */
  static NodeFactory nodes(ReadBug bug, CutReplicas cuts) {
    return environment -> {
      PlantedReads planted = new PlantedReads(bug, cuts);
      return new RealNode.Factory(
              UnaryOperator.identity(),
              planted.opener(),
              planted::access,
              null,
              UnaryOperator.identity())
          .start(environment);
    };
  }

  private RemoteReplicas access(Shard shard, RemoteReplicas others) {
    return cuts.in(
        shard,
        switch (bug) {
          case REPAIR_NOT_AWAITED -> LinkBug.REPAIR_NOT_AWAITED.in(shard, others);
          case DIGEST_WITHOUT_DELETIONS -> new PoorDigests(others);
          default -> others;
        });
  }

  private Node.StorageOpener opener() {
    return switch (bug) {
      case REPAIR_NOT_AWAITED -> LocalStorage::open;
      case PURGE ->
          (environment, options, tables) ->
              WrappedStorage.of(
                  LocalStorage.open(environment, options, purging(tables)),
                  UnaryOperator.identity(),
                  PlantedReads::purging);
      default ->
          (environment, options, tables) ->
              WrappedStorage.of(
                  LocalStorage.open(environment, options, tables),
                  this::engine,
                  UnaryOperator.identity());
    };
  }

  private static Tables purging(Tables tables) {
    return new Tables(
        tables.epoch(),
        tables.live().stream().map(PlantedReads::purging).toList(),
        tables.lastTableId());
  }

  private static TableDescriptor purging(TableDescriptor table) {
    return new TableDescriptor(
        table.id(),
        table.columns(),
        table.gcGraceSeconds() == Integer.MAX_VALUE ? 0 : table.gcGraceSeconds(),
        table.compression(),
        table.compactionMinThreshold(),
        table.compactionMaxThreshold(),
        table.bloomFalsePositiveChance(),
        table.indexes(),
        table.rowsNeedLiveness());
  }

  private StorageEngine engine(StorageEngine engine) {
    ReplicaReads reads = new Reads(engine.replicaReads());
    return new ForwardingEngine(engine) {
      @Override
      public ReplicaReads replicaReads() {
        return reads;
      }
    };
  }

  /** The reads of one shard. */
  private final class Reads implements ReplicaReads {
    private final ReplicaReads reads;

    /** The keys that the index found last. */
    private final Set<String> found = new HashSet<>();

    private String foundFor = "";

    Reads(ReplicaReads reads) {
      this.reads = reads;
    }

    @Override
    public RawCursor read(ReadRequest request, int limitBytes) {
      return new Edited(reads.read(request, limitBytes), reply -> edit(request, reply));
    }

    private byte[] edit(ReadRequest request, byte[] reply) {
      boolean keys = request.lookup().isAny();
      if (bug == ReadBug.INDEX_OF_ROWS && keys) {
        if (!foundFor.equals(cuts.statement())) {
          foundFor = cuts.statement();
          found.clear();
        }
        found.addAll(RawReply.keys(reply));
      } else if (bug == ReadBug.INDEX_OF_ROWS && foundFor.equals(cuts.statement())) {
        return RawReply.withRows(reply, (key, row) -> found.contains(key));
      } else if (bug == ReadBug.FILTER_BEFORE_MERGE && !keys) {
        Matcher filter = FILTER_OF_V.matcher(cuts.statement());
        if (filter.find()) {
          int value = Integer.parseInt(filter.group(1));
          return RawReply.withRows(reply, (key, row) -> RawReply.has(row, value));
        }
      } else if (bug == ReadBug.DIGEST_WITHOUT_DELETIONS && !keys) {
        localData = reply;
      }
      return reply;
    }

    @Override
    public ReplicaMerge merge(ReadRequest request, int replicas) {
      ReplicaMerge merge = reads.merge(request, replicas);
      return bug == ReadBug.NO_SHORT_READ_PROTECTION && !request.lookup().isAny()
          ? new Short(merge)
          : merge;
    }
  }

  /** A raw read whose reply is changed once it is whole. */
  private record Edited(RawCursor cursor, UnaryOperator<byte[]> edit) implements RawCursor {
    @Override
    public ReadCursor.Status advance(ByteWriter reply) {
      ReadCursor.Status status = cursor.advance(reply);
      if (status == ReadCursor.Status.DONE) {
        byte[] edited = edit.apply(reply.toArray());
        reply.clear().putBytes(edited);
      }
      return status;
    }

    @Override
    public void whenReady(Runnable continuation) {
      cursor.whenReady(continuation);
    }

    @Override
    public boolean isComplete() {
      return cursor.isComplete();
    }

    @Override
    public int rowsRead() {
      return cursor.rowsRead();
    }

    @Override
    public int tombstonesRead() {
      return cursor.tombstonesRead();
    }

    @Override
    public void close() {
      cursor.close();
    }
  }

  /** A merge that does not ask on. */
  private record Short(ReplicaMerge merge) implements ReplicaMerge {
    @Override
    public ReadRequest nextRequest() {
      return merge.nextRequest();
    }

    @Override
    public void replies(List<MemorySegment> replies) {
      merge.replies(replies);
    }

    @Override
    public ReadCursor.Status advance(RowSink sink) {
      ReadCursor.Status status = merge.advance(sink);
      return status == ReadCursor.Status.WAITING ? ReadCursor.Status.DONE : status;
    }

    @Override
    public ReplicaDifferences differences(long epoch) {
      return merge.differences(epoch);
    }

    @Override
    public int rowsRead() {
      return merge.rowsRead();
    }

    @Override
    public void close() {
      merge.close();
    }
  }

  /** Digests that agree if the data does but for deletions. */
  private final class PoorDigests extends ForwardedReplicas {
    PoorDigests(RemoteReplicas others) {
      super(others);
    }

    @Override
    public long read(
        Member to,
        long firstToken,
        long lastToken,
        ReadRequest request,
        Read kind,
        int maxBytes,
        long remainingNanos,
        int tag,
        ReplyHandler reply) {
      ReplyHandler handler = kind == Read.DIGEST ? new PoorDigest(reply) : reply;
      return super.read(
          to, firstToken, lastToken, request, Read.DATA, maxBytes, remainingNanos, tag, handler);
    }
  }

  private final class PoorDigest implements ReplyHandler {
    private final ReplyHandler reply;

    PoorDigest(ReplyHandler reply) {
      this.reply = reply;
    }

    @Override
    public void replied(int tag, MemorySegment body, long offset, int length) {
      byte[] local = localData;
      byte[] data = Bytes.toArray(body, offset, length);
      boolean agree =
          Arrays.equals(RawReply.withoutDeletions(data), RawReply.withoutDeletions(local));
      ByteWriter given = new ByteWriter(data.length).putBytes(agree ? local : data);
      ByteWriter digest = new ByteWriter(ReplyDigest.BYTES);
      ReplyDigest.put(given.segment(), 0, given.size(), digest);
      reply.replied(tag, digest.segment(), 0, digest.size());
    }

    @Override
    public void failed(int tag, byte code, String text) {
      reply.failed(tag, code, text);
    }

    @Override
    public void broken(int tag) {
      reply.broken(tag);
    }
  }
}
