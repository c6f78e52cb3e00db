package io.helenus.server.query.prepared;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of a node, with a limit on their total size. Above the limit the CLOCK
 * algorithm evicts statements that have not been used recently. One per node; any thread. Each
 * shard has a {@link ShardView}, which takes the lock only for statements that it does not contain
 * yet.
 */
public final class PreparedStatements {
  private final long limitBytes;
  private final Object lock = new Object();
  private final Map<Id, PreparedStatement> statements = new HashMap<>();
  private final ArrayDeque<PreparedStatement> hand = new ArrayDeque<>();
  private long bytes;
  private long evictions;

  private record Id(long high, long low) {}

  /** Creates an empty collection with a limit on its total size. */
  public PreparedStatements(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Adds a statement, replacing one with the same id. Evicts others if needed. */
  public void add(PreparedStatement statement) {
    synchronized (lock) {
      PreparedStatement before =
          statements.put(new Id(statement.idHigh(), statement.idLow()), statement);
      if (before != null) {
        bytes -= before.sizeBytes();
        statement.countFrom(before);
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

  /** Removes a statement, for example because it can no longer be planned. */
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
   * A prepared statement as shown in {@code system.prepared_statements}.
   *
   * @param keyspace the keyspace of unqualified names; null if all names are qualified
   */
  public record Shown(byte[] id, @Nullable String keyspace, String text) {}

  /** The current statements. */
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

  /** The number of statements evicted so far. */
  public long evictions() {
    synchronized (lock) {
      return evictions;
    }
  }

  /** The number of statements. */
  public int count() {
    synchronized (lock) {
      return statements.size();
    }
  }

  /** A shard's view: an open-addressing hash table by id, without a lock. Shard thread only. */
  public static final class ShardView {
    private static final int LARGEST = 1 << 16;

    private final PreparedStatements all;
    private @Nullable PreparedStatement[] slots = new PreparedStatement[64];
    private int count;

    /** Creates an empty view of these statements. */
    public ShardView(PreparedStatements all) {
      this.all = all;
    }

    /** Finds the statement with this id and marks it as used; null if there is none. */
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
