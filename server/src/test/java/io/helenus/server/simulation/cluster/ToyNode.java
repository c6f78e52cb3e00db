package io.helenus.server.simulation.cluster;

import io.helenus.server.simulation.Row;
import io.helenus.server.simulation.Write;
import io.helenus.storage.env.FileSystem;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A replicated store that is as simple as the guarantees of {@link ClusterModel} allow, with which
 * the harness is tested: each replica keeps the set of writes it has, by number; a read merges the
 * sets of as many replicas as its level asks for, and repairs those that lack some. Every node has
 * everything. Its state belongs to the first event loop.
 */
final class ToyNode implements SimMember {
  private static final String FILE = "writes";
  private static final int WRITE = 1;
  private static final int READ = 2;
  private static final int REPLY = 3;
  private static final int PING = 4;
  private static final long PING_NANOS = 300_000_000L;
  private static final long REDIAL_NANOS = 200_000_000L;
  private static final long TIMEOUT_NANOS = 1_000_000_000L;

  /** The writes and nodes of a run by number. */
  static final class Factory implements NodeFactory {
    private final ToyBug bug;
    private final List<Write> writes = new ArrayList<>();

    Factory(ToyBug bug) {
      this.bug = bug;
    }

    @Override
    public SimMember start(NodeEnvironment environment) throws IOException {
      return new ToyNode(this, environment);
    }
  }

  /** A request that waits for replies. */
  private static final class Waiting {
    private final int needed;
    private final Consumer<Waiting> then;
    private final Map<Integer, Set<Integer>> replies = new LinkedHashMap<>();

    Waiting(int needed, Consumer<Waiting> then) {
      this.needed = needed;
      this.then = then;
    }
  }

  private final Factory factory;
  private final NodeEnvironment environment;
  private final FileSystem.File file;
  private final Set<Integer> own = new LinkedHashSet<>();
  private final Map<Integer, ToyLink> peers = new TreeMap<>();
  private final Map<Long, Waiting> waiting = new HashMap<>();
  private final Map<String, Long> counters = new TreeMap<>();
  private final Map<Integer, List<Row>> pages = new HashMap<>();
  private long requests;
  private long size;

  private ToyNode(Factory factory, NodeEnvironment environment) throws IOException {
    this.factory = factory;
    this.environment = environment;
    FileSystem files = environment.files();
    file = files.exists(FILE) ? files.open(FILE) : files.create(FILE);
    files.syncFolder("");
    byte[] bytes = new byte[(int) file.size() / Integer.BYTES * Integer.BYTES];
    long unused = file.read(0, MemorySegment.ofArray(bytes), 0, bytes.length);
    ByteBuffer numbers = ByteBuffer.wrap(bytes);
    while (numbers.hasRemaining()) {
      own.add(numbers.getInt() - 1);
      size += Integer.BYTES;
    }
    // what a power loss has left half done
    own.remove(-1);
    environment.network().listen(environment.address(), this::accepted);
    for (int peer = 0; peer < environment.seeds().get().size(); peer++) {
      if (peer != environment.host()) {
        dial(peer);
      }
    }
    ping();
    environment.history().memberOf("toys");
  }

  // links

  private void dial(int peer) {
    InetSocketAddress address = environment.seeds().get().get(peer);
    ToyLink link =
        new ToyLink(
            environment.loops().getFirst(),
            this::replied,
            () -> environment.loops().getFirst().schedule(() -> dial(peer), REDIAL_NANOS));
    peers.put(peer, link);
    environment.network().connect(0, address, link);
  }

  /** Who never sends does not learn that the other side is gone. */
  private void ping() {
    peers.values().forEach(link -> link.send(frame(PING, 0, 0, List.of())));
    environment.loops().getFirst().schedule(this::ping, PING_NANOS);
  }

  private ToyLink accepted(int loop) {
    ToyLink[] link = new ToyLink[1];
    link[0] =
        new ToyLink(
            environment.loops().get(loop),
            frame -> {
              ByteBuffer copy = ByteBuffer.allocate(frame.remaining()).put(frame).flip();
              environment.loops().getFirst().execute(() -> serve(copy, link[0]));
            },
            () -> {});
    return link[0];
  }

  private void serve(ByteBuffer frame, ToyLink from) {
    int kind = frame.getInt();
    long request = frame.getLong();
    List<Integer> numbers = new ArrayList<>();
    while (frame.hasRemaining()) {
      numbers.add(frame.getInt());
    }
    if (kind == WRITE) {
      keep(numbers);
      from.send(frame(REPLY, request, environment.host(), List.of()));
    } else if (kind == READ) {
      from.send(frame(REPLY, request, environment.host(), own));
    }
  }

  private static byte[] frame(int kind, long request, int host, Iterable<Integer> numbers) {
    List<Integer> all = new ArrayList<>();
    numbers.forEach(all::add);
    boolean reply = kind == REPLY;
    ByteBuffer frame = ByteBuffer.allocate(12 + 4 * all.size() + (reply ? 4 : 0));
    frame.putInt(kind).putLong(request);
    if (reply) {
      frame.putInt(host);
    }
    all.forEach(frame::putInt);
    return frame.array();
  }

  private void replied(ByteBuffer frame) {
    int kind = frame.getInt();
    long request = frame.getLong();
    int host = frame.getInt();
    Set<Integer> numbers = new LinkedHashSet<>();
    while (frame.hasRemaining()) {
      numbers.add(frame.getInt());
    }
    assert kind == REPLY;
    replied(request, host, numbers);
  }

  private void replied(long request, int host, Set<Integer> numbers) {
    Waiting known = waiting.get(request);
    if (known != null) {
      known.replies.put(host, numbers);
      if (known.replies.size() >= known.needed) {
        waiting.remove(request);
        known.then.accept(known);
      }
    }
  }

  // the replica

  private void keep(List<Integer> numbers) {
    try {
      for (int number : numbers) {
        if (own.add(number)) {
          byte[] bytes = ByteBuffer.allocate(4).putInt(number + 1).array();
          file.write(size, MemorySegment.ofArray(bytes), 0, bytes.length);
          size += bytes.length;
        }
      }
      if (factory.bug != ToyBug.NOT_SYNCED) {
        file.sync();
      }
    } catch (IOException e) {
      environment.fatal().halt(e);
    }
  }

  // the coordinator

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void request(int loop, ClientRequest request, Consumer<Answer> answered) {
    environment.loops().getFirst().execute(() -> coordinate(request, answered));
  }

  private void coordinate(ClientRequest request, Consumer<Answer> answered) {
    int replicas = environment.seeds().get().size();
    int needed = ClusterRun.blockFor(request.level(), replicas);
    long alive = 1 + peers.values().stream().filter(ToyLink::isOpen).count();
    Write write = request.write();
    ReadShape read = request.read();
    if (alive < needed) {
      if (write != null && factory.bug == ToyBug.REFUSED_BUT_SENT) {
        keep(List.of(number(write)));
      }
      answered.accept(new Answer.Failure(Answer.UNAVAILABLE, "unavailable"));
    } else if (write != null) {
      int number = number(write);
      int counted = factory.bug == ToyBug.COUNTS_TWICE ? needed - 1 : needed;
      send(
          WRITE,
          List.of(number),
          Math.max(1, counted),
          List.copyOf(peers.keySet()),
          waited -> answered.accept(new Answer.Done()),
          () -> answered.accept(new Answer.Failure(Answer.WRITE_TIMEOUT, "too late")));
    } else if (read != null && request.pagingState() != null) {
      nextPage(request, answered);
    } else if (read != null) {
      read(read, request.nowSeconds(), needed, answered);
    } else {
      answered.accept(new Answer.Done());
    }
  }

  private int number(Write write) {
    factory.writes.add(write);
    return factory.writes.size() - 1;
  }

  /** Sends to others, and replies for this node itself. */
  private void send(
      int kind,
      List<Integer> numbers,
      int needed,
      List<Integer> to,
      Consumer<Waiting> then,
      Runnable late) {
    long request = requests++;
    Waiting waits = new Waiting(needed, then);
    waiting.put(request, waits);
    if (factory.bug != ToyBug.NO_TIMEOUT) {
      environment
          .loops()
          .getFirst()
          .schedule(
              () -> {
                if (waiting.remove(request, waits)) {
                  late.run();
                }
              },
              TIMEOUT_NANOS);
    }
    for (int peer : to) {
      link(peer).send(frame(kind, request, 0, numbers));
    }
    if (kind == WRITE) {
      keep(numbers);
    }
    replied(request, environment.host(), new LinkedHashSet<>(kind == READ ? own : Set.of()));
  }

  private ToyLink link(int peer) {
    ToyLink link = peers.get(peer);
    if (link == null) {
      throw new AssertionError("no peer " + peer);
    }
    return link;
  }

  private void read(ReadShape read, long second, int needed, Consumer<Answer> answered) {
    List<Integer> asked = new ArrayList<>();
    for (int i = 1; i <= peers.size(); i++) {
      int peer = (environment.host() + i) % (peers.size() + 1);
      if (asked.size() < needed - 1 && link(peer).isOpen()) {
        asked.add(peer);
      }
    }
    Runnable late = () -> answered.accept(new Answer.Failure(Answer.READ_TIMEOUT, "too late"));
    send(
        READ,
        List.of(),
        needed,
        asked,
        waited -> {
          Answer rows = page(read, merged(read, second, waited.replies));
          waited.replies.values().forEach(each -> each.removeIf(number -> !concerns(number, read)));
          Set<Integer> all = new LinkedHashSet<>();
          waited.replies.values().forEach(all::addAll);
          boolean differ = waited.replies.values().stream().anyMatch(each -> !each.equals(all));
          if (!differ || factory.bug == ToyBug.REPAIR_NOT_AWAITED) {
            answered.accept(rows);
          } else {
            counters.merge("digest mismatches", 1L, Long::sum);
            send(WRITE, List.copyOf(all), needed, asked, repaired -> answered.accept(rows), late);
          }
        },
        late);
  }

  private boolean concerns(int number, ReadShape read) {
    return factory.writes.get(number).parts.stream().anyMatch(part -> read.asksFor(part.p()));
  }

  /** The first rows; the node remembers the rest. */
  private Answer page(ReadShape read, List<Row> rows) {
    if (read.pageSize() < 0 || rows.size() <= read.pageSize()) {
      return new Answer.Rows(rows, List.of(), null);
    }
    int number = (int) requests++;
    pages.put(number, rows.subList(read.pageSize(), rows.size()));
    byte[] state = ByteBuffer.allocate(4).putInt(number).array();
    return new Answer.Rows(rows.subList(0, read.pageSize()), List.of(), state);
  }

  private void nextPage(ClientRequest request, Consumer<Answer> answered) {
    byte[] state = request.pagingState();
    ReadShape read = request.read();
    List<Row> rest = state == null ? null : pages.remove(ByteBuffer.wrap(state).getInt());
    answered.accept(
        rest == null || read == null
            ? new Answer.Failure(Answer.READ_TIMEOUT, "the pages were those of another life")
            : page(read, rest));
  }

  private List<Row> merged(ReadShape read, long second, Map<Integer, Set<Integer>> replies) {
    Set<Integer> all = new LinkedHashSet<>();
    replies.values().forEach(all::addAll);
    List<Row> rows = ToyRows.of(read, writes(all), second);
    boolean filters = factory.bug == ToyBug.FILTERS_BEFORE_MERGE && read.filter() != null;
    boolean isShort = factory.bug == ToyBug.SHORT_READ && read.limit() > 0;
    if (!filters && !isShort) {
      return rows;
    }
    List<Row> found = new ArrayList<>(isShort ? rows : List.of());
    for (Set<Integer> reply : replies.values()) {
      List<Row> theirs = ToyRows.of(read, writes(reply), second);
      if (isShort && theirs.size() == read.limit()) {
        // what a replica would have sent behind its last row is unknown
        found.removeIf(row -> read.isBefore(theirs.getLast(), row));
      } else if (filters) {
        theirs.stream()
            .filter(row -> found.isEmpty() || read.isBefore(found.getLast(), row))
            .forEach(found::add);
      }
    }
    return found;
  }

  private List<Write> writes(Set<Integer> numbers) {
    return numbers.stream().sorted().map(factory.writes::get).toList();
  }

  @Override
  public CompletableFuture<Void> stop() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {
    // its files are closed with its life
  }

  @Override
  public void rewriteFiles(boolean compact) {
    // there is one
  }

  @Override
  public int members() {
    return peers.size() + 1;
  }

  @Override
  public Map<String, Long> counters() {
    return Map.copyOf(counters);
  }
}
