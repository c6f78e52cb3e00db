package io.helenus.copy.work;

import io.helenus.copy.cluster.CopyException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ranges that are copied, and those that are equal, so that a copy or a comparison that was
 * interrupted goes on where it was. The file is text: the line {@code helenus copy 1}, a line for
 * each argument of the copy, then
 *
 * <pre>
 * started MICROSECONDS              since 1970, the timestamp of what has none
 * schema TABLE CHECKSUM             the table is being copied
 * done TABLE RANGE ROWS             a range that is copied, by its position
 * equal TABLE RANGE ROWS            a range that has been compared and is equal
 * </pre>
 *
 * Lines are only appended; one without its end was being written when the process ended, and does
 * not count. Used by many threads at once.
 */
public final class StateFile implements AutoCloseable {
  private static final String FIRST = "helenus copy 1";

  private final Path path;
  private final FileChannel channel;
  private final Map<String, String> schemas = new HashMap<>();
  private final Map<String, Ranges> copied = new HashMap<>();
  private final Map<String, Ranges> equal = new HashMap<>();
  private long started;

  /** Ranges of a table, and their rows. */
  private static final class Ranges {
    private final Set<Integer> positions = new HashSet<>();
    private long rows;

    private void add(String[] words) {
      positions.add(Integer.valueOf(words[2]));
      rows += Long.parseLong(words[3]);
    }
  }

  private StateFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Opens a file, or creates it.
   *
   * @param arguments what must be the same when a copy goes on, as "NAME VALUE"
   * @param now microseconds since 1970
   * @throws CopyException if it belongs to another copy, or to one that runs
   */
  public static StateFile open(Path path, List<String> arguments, long now) {
    try {
      FileChannel channel =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      StateFile file = new StateFile(path, channel);
      boolean opened = false;
      try {
        file.lock();
        file.read(arguments, now);
        opened = true;
        return file;
      } finally {
        if (!opened) {
          channel.close();
        }
      }
    } catch (IOException e) {
      throw new CopyException(
          "cannot use the state file " + path + ": " + e + "; name another with --state", e);
    }
  }

  private void lock() throws IOException {
    try {
      if (channel.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException _) {
      // of this process
    }
    throw new CopyException("another copy with the state file " + path + " is running");
  }

  private void read(List<String> arguments, long now) throws IOException {
    String text = Files.readString(path);
    int end = text.lastIndexOf('\n') + 1;
    channel.truncate(text.substring(0, end).getBytes(StandardCharsets.UTF_8).length);
    channel.position(channel.size());
    List<String> lines = text.substring(0, end).lines().toList();
    List<String> head = new ArrayList<>(List.of(FIRST));
    head.addAll(arguments);
    if (lines.size() <= head.size()) { // new, or ended while it was created
      channel.truncate(0);
      started = now;
      head.add("started " + now);
      append(String.join("\n", head));
      return;
    }
    if (!lines.getFirst().equals(FIRST)) {
      throw new CopyException(path + " is not a state file of this version; name another --state");
    }
    for (int i = 1; i < head.size(); i++) {
      if (!lines.get(i).equals(head.get(i))) {
        throw new CopyException(
            "the state file "
                + path
                + " belongs to a copy with '"
                + lines.get(i)
                + "' instead of '"
                + head.get(i)
                + "'. Repeat that command to finish it, or name another file with --state, or"
                + " delete this one to begin again");
      }
    }
    lines.subList(head.size(), lines.size()).forEach(this::read);
  }

  private void read(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "started" -> started = Long.parseLong(words[1]);
      case "schema" -> schemas.put(words[1], words[2]);
      case "done" -> copied.computeIfAbsent(words[1], _ -> new Ranges()).add(words);
      case "equal" -> equal.computeIfAbsent(words[1], _ -> new Ranges()).add(words);
      default -> throw new CopyException(path + " is damaged at '" + line + "'; delete it");
    }
  }

  private void append(String line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private synchronized void add(String line) {
    try {
      append(line);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + path, e);
    }
  }

  /** The time at which the copy was started first, in microseconds since 1970. */
  public long started() {
    return started;
  }

  private static long rows(Map<String, Ranges> ranges, String table) {
    Ranges found = ranges.get(key(table));
    return found == null ? 0 : found.rows;
  }

  private static Set<Integer> positions(Map<String, Ranges> ranges, String table) {
    Ranges found = ranges.get(key(table));
    return found == null ? Set.of() : found.positions;
  }

  /** Rows of a table in ranges that earlier runs have copied. */
  public long copiedRows(String table) {
    return rows(copied, table);
  }

  /** Rows of a table in ranges that were equal in earlier runs. */
  public long equalRows(String table) {
    return rows(equal, table);
  }

  /** Whether a table was begun in an earlier run. */
  public boolean isBegun(String table) {
    return schemas.containsKey(key(table));
  }

  /**
   * Begins or continues a table.
   *
   * @param definition of the source
   * @throws CopyException if its definition has changed since it was begun
   */
  public void begin(String table, String definition) {
    String checksum = Integer.toHexString(definition.hashCode());
    String before = schemas.get(key(table));
    if (before == null) {
      add("schema " + key(table) + " " + checksum);
      schemas.put(key(table), checksum);
    } else if (!before.equals(checksum)) {
      throw new CopyException(
          "the definition of "
              + table
              + " has changed since this command was begun; delete "
              + path
              + " to begin again");
    }
  }

  /** The ranges of a table that earlier runs have copied. */
  public Set<Integer> copied(String table) {
    return positions(copied, table);
  }

  /** Records that a range is copied. */
  public void addCopied(String table, int range, long rows) {
    add("done " + key(table) + " " + range + " " + rows);
  }

  /** The ranges of a table that were equal in earlier runs. */
  public Set<Integer> equal(String table) {
    return positions(equal, table);
  }

  /** Records that a range is equal on both sides. */
  public void addEqual(String table, int range, long rows) {
    add("equal " + key(table) + " " + range + " " + rows);
  }

  /** Names in quotes may contain spaces. */
  private static String key(String table) {
    return URLEncoder.encode(table, StandardCharsets.UTF_8);
  }

  /** Removes the file, when everything is copied and compared. */
  public void delete() {
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
