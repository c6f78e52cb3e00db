package io.helenus.server.metadata;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the log since the last snapshot, and who follows them. On the scheduler of the
 * log.
 */
final class RetainedEntries {
  /** An entry, and the state as of it. */
  record Entry(long index, Proposal proposal, ClusterState state) {}

  private final List<Entry> entries = new ArrayList<>();
  private final List<MetadataLog.Follower> followers = new ArrayList<>();

  int size() {
    return entries.size();
  }

  /** Adds an entry that was read, before anybody follows. */
  void add(Proposal proposal, ClusterState state) {
    entries.add(new Entry(state.index(), proposal, state));
  }

  /** Tells the followers of the last entry. */
  void tellLast() {
    Entry last = entries.getLast();
    for (MetadataLog.Follower follower : followers) {
      follower.applied(last.index, last.proposal, last.state);
    }
  }

  /** A snapshot has the entries up to an index. */
  void rollOff(long index) {
    entries.removeIf(entry -> entry.index <= index);
  }

  /** The log goes on with a later state. */
  void replace(ClusterState state) {
    entries.clear();
    for (MetadataLog.Follower follower : followers) {
      follower.replaced(state);
    }
  }

  private long first(long end) {
    return entries.isEmpty() ? end + 1 : entries.getFirst().index;
  }

  /**
   * The entries after an index; null if some were rolled off.
   *
   * @param end the index of the last entry of the log
   */
  @Nullable List<Entry> after(long index, long end) {
    long first = first(end);
    return index + 1 < first
        ? null
        : entries.subList((int) Math.min(index + 1 - first, entries.size()), entries.size());
  }

  /** As {@link MetadataLog#readFrom}. */
  void readFrom(long afterIndex, long end, MetadataLog.Follower follower) {
    List<Entry> after = after(afterIndex, end);
    if (after == null || afterIndex > end) {
      follower.refused(
          new MetadataException(
              afterIndex > end
                  ? "the metadata log ends with entry " + end + ", before " + afterIndex
                  : "the metadata log no longer has the entries after "
                      + afterIndex
                      + ": its first is "
                      + first(end)
                      + "; take a snapshot"));
      return;
    }
    for (Entry entry : List.copyOf(after)) {
      follower.applied(entry.index, entry.proposal, entry.state);
    }
    followers.add(follower);
  }
}
