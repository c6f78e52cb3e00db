package io.helenus.server.protocol;

import io.helenus.server.error.CqlException;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The events of one connection: the types that its client has registered for, and the events that
 * are held back until the responses they must follow have been sent, or until a slow client has
 * taken earlier ones. Used on the event loop of the connection only.
 */
final class ConnectionEvents {
  private final int maxHeld;
  private final Consumer<Event> sender;
  private final ArrayDeque<Event> held = new ArrayDeque<>();
  private final boolean[] registered = new boolean[Event.Type.values().length];
  private int holds;

  /**
   * No events.
   *
   * @param maxHeld the greatest number of events that are held back
   * @param sender sends an event
   */
  ConnectionEvents(int maxHeld, Consumer<Event> sender) {
    this.maxHeld = maxHeld;
    this.sender = sender;
  }

  /** Registers for the types that a REGISTER names. */
  void register(BodyCursor cursor) {
    boolean[] wanted = new boolean[registered.length];
    for (int left = cursor.getShort(); left > 0; left--) {
      wanted[type(cursor.getString()).ordinal()] = true;
    }
    for (int i = 0; i < wanted.length; i++) {
      registered[i] |= wanted[i];
    }
  }

  private static Event.Type type(String name) {
    for (Event.Type type : Event.Type.values()) {
      if (type.name().equals(name.toUpperCase(Locale.ROOT))) {
        return type;
      }
    }
    throw CqlException.protocol("Invalid value '" + name + "' for Type");
  }

  boolean isRegistered(Event.Type type) {
    return registered[type.ordinal()];
  }

  /** Holds events back until {@link #release}, as often as this is called. */
  void hold() {
    holds++;
  }

  void release() {
    holds--;
  }

  /**
   * Sends an event or holds it back.
   *
   * @param takesOutput whether the client is taking its responses
   * @return false if too many are held back already
   */
  boolean deliver(Event event, boolean takesOutput) {
    if (holds == 0 && held.isEmpty() && takesOutput) {
      sender.accept(event);
    } else if (held.size() < maxHeld) {
      held.add(event);
    } else {
      return false;
    }
    return true;
  }

  /** Whether events are held back that no response has to precede. */
  boolean areDue() {
    return holds == 0 && !held.isEmpty();
  }

  /** Sends the next event. */
  void sendNext() {
    sender.accept(held.remove());
  }

  /** Drops the events that are held back. */
  void clear() {
    held.clear();
  }
}
