package io.helenus.server.metadata;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.storage.env.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gets the entries that other nodes have and this one has not, and gives others what they have not.
 * On the scheduler of the log.
 */
final class CatchUp {
  /** How often a node that may be behind asks again. */
  private static final long FETCH_NANOS = 300_000_000L;

  private static final int ENTRIES_BYTES_LIMIT = 1 << 20;
  private static final Logger LOGGER = LoggerFactory.getLogger(CatchUp.class);

  private final LocalMetadataLog local;
  private final DecidedEntries entries;
  private final List<KeyspaceSchema> systemKeyspaces;
  private final BiConsumer<? super UUID, ? super MetadataMessage> send;
  private final Clock clock;
  private final Consumer<? super Exception> fatal;

  /** By member: whoever asks again, as an answer may be lost, takes the place of the one before. */
  private final Map<UUID, Fetcher> fetchers = new HashMap<>();

  /** The node that has the most entries, as far as is known, and the last of them. */
  private @Nullable UUID aheadNode;

  private long aheadIndex;
  private long lastFetchAfter = -1;
  private long lastFetchNanos;

  /**
   * Who waits for what a member has.
   *
   * @param target how far the member was when it answered; {@link #UNANSWERED} before
   */
  private record Fetcher(long target, Runnable then) {
    static final long UNANSWERED = -1;
  }

  CatchUp(
      LocalMetadataLog local,
      DecidedEntries entries,
      List<KeyspaceSchema> systemKeyspaces,
      BiConsumer<? super UUID, ? super MetadataMessage> send,
      Clock clock,
      Consumer<? super Exception> fatal) {
    this.local = local;
    this.entries = entries;
    this.systemKeyspaces = systemKeyspaces;
    this.send = send;
    this.clock = clock;
    this.fatal = fatal;
  }

  /** Asks a node, and calls back when this one has what that one had. */
  void fetch(UUID member, Runnable whenFetched) {
    Fetcher before = fetchers.get(member);
    long target = before == null ? Fetcher.UNANSWERED : before.target;
    fetchers.put(member, new Fetcher(target, whenFetched));
    send.accept(member, new MetadataMessage.Fetch(local.state().index()));
  }

  /** Whether entries are known to be missing here. */
  boolean isBehind() {
    return aheadIndex > local.state().index();
  }

  /** Another node has entries up to an index. */
  void behind(UUID from, long index) {
    if (index >= aheadIndex && !from.equals(local.hostId())) {
      aheadIndex = index;
      aheadNode = from;
    }
    fetchMissing();
  }

  /** Asks for what another node has, unless that was just asked or is being written. */
  void fetchMissing() {
    long index = local.state().index();
    UUID node = aheadNode;
    long now = clock.nanos();
    if (node == null
        || aheadIndex <= index
        || !entries.isIdle()
        || (lastFetchAfter == index && now - lastFetchNanos < FETCH_NANOS)) {
      return;
    }
    lastFetchAfter = index;
    lastFetchNanos = now;
    send.accept(node, new MetadataMessage.Fetch(index));
  }

  /** Entries were decided, as another node says. */
  void received(UUID from, MetadataMessage.Entries sent) {
    long slot = sent.first();
    for (byte[] value : sent.values()) {
      entries.add(slot++, value);
    }
    entries.write();
    answered(from, sent.end());
    behind(from, sent.end());
    checkFetched();
  }

  /** Goes on with the state of another node, as this one cannot get there by entries. */
  void received(UUID from, MetadataMessage.Snapshot sent) {
    ClusterState snapshot;
    try {
      snapshot = ConsensusFormat.reader(sent.state()).snapshot(systemKeyspaces);
    } catch (NewerReleaseException e) {
      fatal.accept(e);
      return;
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("a snapshot is truncated", e);
    }
    UUID cluster = local.state().clusterId();
    if (cluster != null && !cluster.equals(snapshot.clusterId())) {
      LOGGER.warn("dropped a snapshot of cluster {} from {}", snapshot.clusterId(), from);
      return;
    }
    answered(from, snapshot.index());
    entries.install(snapshot);
    checkFetched();
  }

  private void answered(UUID from, long index) {
    fetchers.computeIfPresent(from, (member, waiting) -> new Fetcher(index, waiting.then));
  }

  /** Calls back those who wait for what has been written by now. */
  void checkFetched() {
    if (fetchers.isEmpty()) {
      return;
    }
    long index = local.state().index();
    List<Fetcher> ready =
        fetchers.values().stream()
            .filter(each -> each.target != Fetcher.UNANSWERED && each.target <= index)
            .toList();
    fetchers.values().removeAll(ready);
    ready.forEach(each -> each.then.run());
  }

  /** A node asks for the entries after an index. */
  void serve(UUID to, long afterIndex) {
    long end = local.state().index();
    if (afterIndex > end) {
      behind(to, afterIndex);
      return;
    }
    List<RetainedEntries.Entry> after = local.entriesAfter(afterIndex);
    if (after == null) {
      send.accept(to, new MetadataMessage.Snapshot(local.snapshot()));
      return;
    }
    List<byte[]> values = new ArrayList<>();
    int bytes = 0;
    for (RetainedEntries.Entry entry : after) {
      byte[] value = ConsensusFormat.valueOf(entry.proposal());
      bytes += value.length;
      if (!values.isEmpty() && bytes > ENTRIES_BYTES_LIMIT) {
        break;
      }
      values.add(value);
    }
    send.accept(to, new MetadataMessage.Entries(afterIndex + 1, end, values));
  }
}
