package io.helenus.server.query.prepared;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of a node, bounded by their size: past the bound those go that were not
 * used for longest (a clock hand looks who was used since it last came by). One per node; any
 * thread. Shards keep their own {@link ShardView}, which takes the lock only for a statement that
 * is new to it.
 */
public final class PreparedStatements {
  private final long limitBytes;
  private final Object lock = new Object();
  private final Map<Id, PreparedStatement> statements = new HashMap<>();
  private final ArrayDeque<PreparedStatement> hand = new ArrayDeque<>();
  private long bytes;
  private long evictions;

  private record Id(long high, long low) {}

  /** With a bound in bytes. */
  public PreparedStatements(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Adds a statement; replaces one of the same id. */
  public void add(PreparedStatement statement) {
    synchronized (lock) {
      PreparedStatement before =
          statements.put(new Id(statement.idHigh(), statement.idLow()), statement);
      if (before != null) {
        bytes -= before.sizeBytes();
        before.evict();
      }
      bytes += statement.sizeBytes();
      hand.addLast(statement);
      makeRoom(statement);
    }
  }

  private void makeRoom(PreparedStatement newest) {
    while (bytes > limitBytes && statements.size() > 1) {
      PreparedStatement candidate = hand.removeFirst();
      if (candidate.isEvicted()) {
        continue;
      }
      if (candidate == newest || candidate.takeUsed()) {
        hand.addLast(candidate);
      } else {
        removeLocked(candidate);
        evictions++;
      }
    }
  }

  /** Removes a statement that can no longer be planned. */
  public void remove(PreparedStatement statement) {
    synchronized (lock) {
      removeLocked(statement);
    }
  }

  private void removeLocked(PreparedStatement statement) {
    Id id = new Id(statement.idHigh(), statement.idLow());
    if (statements.get(id) == statement) {
      statements.remove(id);
      bytes -= statement.sizeBytes();
    }
    statement.evict();
  }

  private @Nullable PreparedStatement find(long high, long low) {
    synchronized (lock) {
      return statements.get(new Id(high, low));
    }
  }

  /**
   * One of them, for people who ask.
   *
   * @param keyspace where names without a keyspace were looked up; null where there are none
   */
  public record Shown(byte[] id, @Nullable String keyspace, String text) {}

  /** Those there are now. */
  public List<Shown> list() {
    synchronized (lock) {
      List<Shown> shown = new ArrayList<>(statements.size());
      for (PreparedStatement each : statements.values()) {
        ByteBuffer id = ByteBuffer.allocate(16).putLong(each.idHigh()).putLong(each.idLow());
        CompiledStatement compiled = each.compiled();
        String keyspace = compiled.plan().isQualified() ? null : compiled.keyspaceInUse();
        shown.add(new Shown(id.array(), keyspace, each.text()));
      }
      return shown;
    }
  }

  /** How many were put out for want of room. */
  public long evictions() {
    synchronized (lock) {
      return evictions;
    }
  }

  /** How many there are. */
  public int count() {
    synchronized (lock) {
      return statements.size();
    }
  }

  /** What a shard knows of them: open addressing over their ids. Shard thread only. */
  public static final class ShardView {
    private static final int LARGEST = 1 << 16;

    private final PreparedStatements all;
    private @Nullable PreparedStatement[] slots = new PreparedStatement[64];
    private int count;

    public ShardView(PreparedStatements all) {
      this.all = all;
    }

    /** The statement of an id; null when there is none. */
    public @Nullable PreparedStatement find(long high, long low) {
      int mask = slots.length - 1;
      for (int i = (int) low & mask; slots[i] != null; i = (i + 1) & mask) {
        PreparedStatement statement = slots[i];
        if (statement != null && statement.idLow() == low && statement.idHigh() == high) {
          if (statement.isEvicted()) {
            break;
          }
          statement.touch();
          return statement;
        }
      }
      PreparedStatement found = all.find(high, low);
      if (found != null) {
        found.touch();
        keep(found);
      }
      return found;
    }

    private void keep(PreparedStatement statement) {
      if (2 * ++count > slots.length) {
        rehash();
      }
      put(statement);
    }

    private void rehash() {
      @Nullable PreparedStatement[] before = slots;
      int live = 0;
      for (PreparedStatement statement : before) {
        live += statement != null && !statement.isEvicted() ? 1 : 0;
      }
      int size = 64;
      while (size < 4 * (live + 1) && size < LARGEST) {
        size *= 2;
      }
      slots = new PreparedStatement[size];
      count = 1;
      for (PreparedStatement statement : before) {
        if (statement != null && !statement.isEvicted() && 2 * (count + 1) < size) {
          count++;
          put(statement);
        }
      }
    }

    private void put(PreparedStatement statement) {
      int mask = slots.length - 1;
      int i = (int) statement.idLow() & mask;
      for (PreparedStatement there = slots[i]; there != null; there = slots[i]) {
        if (there.idLow() == statement.idLow() && there.idHigh() == statement.idHigh()) {
          break;
        }
        i = (i + 1) & mask;
      }
      slots[i] = statement;
    }
  }
}
