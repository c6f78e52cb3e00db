package io.helenus.server.simulation;

import io.helenus.server.client.Response;
import io.helenus.storage.engine.StorageOptions.SyncMode;
import io.helenus.storage.env.sim.SimRandomness;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A run of a node whose clients append to, prepend to and remove from a few lists, while it
 * flushes, compacts, crashes and restarts. Each element is another number: an acknowledged one is
 * in its list once until it is removed, and elements that did not overlap in time are in order.
 */
final class ListRun {
  private static final int CLIENTS = 8;
  private static final int LISTS = 4;
  private static final int LONGEST = 60;
  private static final int OVERLOADED = 0x1001;
  private static final int WRITE_TIMEOUT = 0x1100;

  private final CrashingNode node;
  private final SimRandomness choices;
  private final List<List<Element>> lists = new ArrayList<>();
  private final boolean[] busy = new boolean[CLIENTS];
  private int lastValue;
  private int time;
  private int checked;

  private enum State {
    /** Whether the element is in the list is not known. */
    UNKNOWN,
    /** In the list: acknowledged, or seen by a read. */
    PRESENT,
    /** Not in the list: refused, removed, or not seen by a read. */
    ABSENT
  }

  private static final class Element {
    private final int value;
    private final boolean prepended;
    private final int sent;
    private int answered = Integer.MAX_VALUE;
    private State state = State.UNKNOWN;

    Element(int value, boolean prepended, int sent) {
      this.value = value;
      this.prepended = prepended;
      this.sent = sent;
    }

    /** Whether the element must be before another one of its list. */
    boolean precedes(Element other) {
      if (prepended != other.prepended) {
        return prepended;
      }
      return prepended ? other.answered < sent : answered < other.sent;
    }
  }

  /** A node with an empty table. */
  ListRun(long seed, SimNode.Hooks hooks) {
    // two rows in each partition, so that lists share the queue of their partition
    node =
        new CrashingNode(
            seed, hooks, "CREATE TABLE r.r (k int, c int, l list<int>, PRIMARY KEY (k, c))");
    choices = node.choices;
    for (int i = 0; i < LISTS; i++) {
      lists.add(new ArrayList<>());
    }
  }

  /** Runs some steps; returns how many elements were checked. */
  int run(int steps) {
    node.run(steps, this::act);
    node.await(this::isIdle);
    checkAll(true);
    node.stop();
    return checked;
  }

  private boolean isIdle() {
    for (boolean each : busy) {
      if (each) {
        return false;
      }
    }
    return true;
  }

  private void act() {
    int dice = choices.below(1_000);
    if (dice < 600) {
      int client = choices.below(CLIENTS);
      if (!busy[client]) {
        write(client, choices.below(LISTS));
      }
    } else if (dice < 950) {
      node.moveOn();
    } else if (dice < 965) {
      node.flush();
    } else if (dice < 970) {
      node.compact();
    } else if (dice < 980) {
      node.await(this::isIdle);
      removeFirst(choices.below(LISTS));
    } else if (dice < 990) {
      node.await(this::isIdle);
      checkAll(true);
    } else if (dice < 993) {
      node.await(this::isIdle);
      node.restart();
    } else {
      crash();
    }
  }

  private static String where(int list) {
    return " WHERE k = " + list / 2 + " AND c = " + list % 2;
  }

  private void write(int client, int index) {
    List<Element> list = lists.get(index);
    int dice = choices.below(100);
    if (list.size() == LONGEST) {
      if (node.syncMode() != SyncMode.PERIODIC) { // a power loss could undo the deletion
        node.await(this::isIdle);
        check(index, true);
        Response deleted = node.require("DELETE FROM r.r" + where(index));
        assert deleted != null;
        list.clear();
      }
    } else if (dice < 80 || list.isEmpty()) {
      Element added = new Element(++lastValue, dice < 30, ++time);
      list.add(added);
      String value = "[" + added.value + "]";
      String sum = added.prepended ? value + " + l" : "l + " + value;
      send(client, "UPDATE r.r SET l = " + sum + where(index), added, State.ABSENT, State.PRESENT);
    } else {
      Element removed = list.get(choices.below(list.size()));
      if (removed.state == State.PRESENT) {
        removed.state = State.UNKNOWN;
        String cql = "UPDATE r.r SET l = l - [" + removed.value + "]" + where(index);
        send(client, cql, removed, State.PRESENT, State.ABSENT);
      }
    }
  }

  /** Sends a write of an element, whose state depends on whether it is made. */
  private void send(int client, String cql, Element element, State ifRefused, State ifMade) {
    busy[client] = true;
    node.send(
        SimNode.Query.of(cql),
        response -> {
          busy[client] = false;
          if (!(response instanceof Response.Failure failure)) {
            element.answered = Math.min(element.answered, ++time);
            element.state = ifMade;
          } else if (failure.code() == OVERLOADED) {
            element.state = ifRefused;
          } else if (failure.code() != WRITE_TIMEOUT) {
            throw new AssertionError(response.toString());
          }
        });
  }

  /** Removes the first element by its index, which depends on all others. */
  private void removeFirst(int index) {
    List<Element> read = check(index, true);
    if (!read.isEmpty() && node.syncMode() != SyncMode.PERIODIC) {
      Response removed = node.require("DELETE l[0] FROM r.r" + where(index));
      assert removed != null;
      read.getFirst().state = State.ABSENT;
    }
  }

  private void checkAll(boolean durable) {
    for (int i = 0; i < LISTS; i++) {
      List<Element> ignored = check(i, durable);
    }
  }

  /**
   * Reads a list and compares it with what is known; returns its elements.
   *
   * @param durable whether acknowledged writes must be there
   */
  private List<Element> check(int index, boolean durable) {
    List<Integer> values = read(index);
    List<Element> list = lists.get(index);
    List<Element> read = new ArrayList<>();
    for (int value : values) {
      Element element = list.stream().filter(each -> each.value == value).findAny().orElse(null);
      if (element == null || read.contains(element)) {
        throw new AssertionError(value + " should not be there again: list " + values);
      }
      read.add(element);
    }
    for (Element element : list) {
      State seen = read.contains(element) ? State.PRESENT : State.ABSENT;
      if (durable && element.state != State.UNKNOWN && element.state != seen) {
        throw new AssertionError(
            element.value + " is " + seen + " instead of " + element.state + ": list " + values);
      }
      element.state = seen;
      checked++;
    }
    for (int i = 0; i < read.size(); i++) {
      for (int j = i + 1; j < read.size(); j++) {
        if (read.get(j).precedes(read.get(i))) {
          throw new AssertionError(
              read.get(j).value + " should precede " + read.get(i).value + ": list " + values);
        }
      }
    }
    return read;
  }

  private List<Integer> read(int index) {
    List<Integer> values = new ArrayList<>();
    if (node.require("SELECT l FROM r.r" + where(index)) instanceof Response.Rows rows
        && !rows.rows().isEmpty()) {
      byte[] list = rows.rows().getFirst().getFirst();
      if (list != null) {
        ByteBuffer elements = ByteBuffer.wrap(list);
        for (int left = elements.getInt(); left > 0; left--) {
          int length = elements.getInt();
          assert length == Integer.BYTES;
          values.add(elements.getInt());
        }
      }
    }
    return values;
  }

  /** In periodic mode a power loss may undo acknowledged writes. */
  private void crash() {
    boolean powerLost = choices.percent(50);
    Arrays.fill(busy, false);
    node.crash(powerLost);
    checkAll(!powerLost || node.syncMode() != SyncMode.PERIODIC);
  }
}
