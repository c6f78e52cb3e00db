package io.helenus.server.faults;

import io.helenus.server.process.ClusterProcesses;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The links between the nodes of {@link ClusterProcesses}, with faults: each node says that it is
 * reached at an address where this process listens, and forwards to the node's own. Who has opened
 * a stream is read in its handshake, so that each direction between two nodes has faults of its
 * own, whichever of them has opened a stream. Nodes are numbered from 1. Any thread.
 */
final class FaultyLinks implements Closeable {
  /** With the number of a node: where the others reach it. */
  static final String ADDRESSES = "127.0.1.";

  private static final int BUFFER_BYTES = 64 << 10;
  private static final int WAITING_BYTES = 8 << 20;

  /** Of a handshake, up to the name of the cluster. */
  private static final int NAME_AT = 66;

  private static final byte[] END = {};

  private final int port;
  private final ServerSocket[] listeners = new ServerSocket[ClusterProcesses.COUNT + 1];
  private final Direction[][] directions =
      new Direction[ClusterProcesses.COUNT + 1][ClusterProcesses.COUNT + 1];
  private final Set<Stream> streams = ConcurrentHashMap.newKeySet();

  /** What happens to bytes from one node to another. */
  private static final class Direction {
    final AtomicLong carried = new AtomicLong();
    volatile long delayNanos;
    volatile boolean held;
    volatile boolean cut;

    void awaitOpen() {
      while (held) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    }
  }

  /**
   * Listens for all nodes.
   *
   * @param port {@code storage_port}
   */
  FaultyLinks(int port) throws IOException {
    this.port = port;
    for (Direction[] from : directions) {
      Arrays.setAll(from, to -> new Direction());
    }
    for (int i = 1; i <= ClusterProcesses.COUNT; i++) {
      ServerSocket listener = new ServerSocket();
      listeners[i] = listener;
      listener.setReuseAddress(true);
      listener.bind(new InetSocketAddress(InetAddress.getByName(ADDRESSES + i), port), 256);
      int number = i;
      Thread.ofVirtual().start(() -> accept(listener, number));
    }
  }

  // ---- faults

  /** Lets bytes arrive later. */
  void delay(int from, int to, long millis) {
    directions[from][to].delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Holds bytes back: nothing is read any more of what a node sends to another. */
  void hold(int from, int to) {
    directions[from][to].held = true;
  }

  /** Resets all streams between two nodes, and new ones as soon as it is known who opens them. */
  void cut(int one, int other) {
    directions[one][other].cut = true;
    directions[other][one].cut = true;
    for (Stream each : streams) {
      if (each.isBetween(one, other)) {
        each.reset();
      }
    }
  }

  /**
   * Resets the streams that a node has opened to another, and does not tell the first: it goes on
   * sending, and nothing comes back. New streams are not concerned.
   */
  void halfOpen(int from, int to) {
    for (Stream each : streams) {
      if (each.from == from && each.to == to) {
        each.resetFarSide();
      }
    }
  }

  /** Ends all faults, but for the half-open streams. */
  void heal() {
    for (Direction[] from : directions) {
      for (Direction each : from) {
        each.delayNanos = 0;
        each.held = false;
        each.cut = false;
      }
    }
  }

  /** How many bytes have gone from a node to another. */
  long carried(int from, int to) {
    return directions[from][to].carried.get();
  }

  @Override
  public void close() throws IOException {
    heal();
    for (ServerSocket listener : listeners) {
      if (listener != null) {
        listener.close();
      }
    }
    streams.forEach(Stream::reset);
  }

  // ---- streams

  private void accept(ServerSocket listener, int to) {
    while (!listener.isClosed()) {
      try {
        Socket near = listener.accept();
        Thread.ofVirtual().start(() -> open(near, to));
      } catch (IOException e) {
        // it is closed
      }
    }
  }

  private void open(Socket near, int to) {
    try {
      near.setTcpNoDelay(true);
      ByteArrayOutputStream begun = new ByteArrayOutputStream();
      int from = opener(near.getInputStream(), begun);
      if (directions[from][to].cut) {
        reset(near);
        return;
      }
      Socket far = new Socket(InetAddress.getByName("127.0.0." + to), port);
      far.setTcpNoDelay(true);
      Stream stream = new Stream(from, to, near, far);
      streams.add(stream);
      stream.start(begun.toByteArray());
    } catch (IOException e) {
      reset(near);
    }
  }

  /** The node that has opened a stream, by the address that its handshake names. */
  private static int opener(InputStream in, ByteArrayOutputStream read) throws IOException {
    read(in, NAME_AT + 2, read);
    byte[] head = read.toByteArray();
    read(in, (head[NAME_AT] & 0xFF) << 8 | head[NAME_AT + 1] & 0xFF, read);
    read(in, 5, read);
    byte[] all = read.toByteArray();
    return all[all.length - 1];
  }

  private static void read(InputStream in, int length, ByteArrayOutputStream into)
      throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    into.write(bytes, 0, length);
  }

  private static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      // it is closed
    }
  }

  /** One stream, forwarded. */
  private final class Stream {
    final int from;
    final int to;
    private final Socket near;
    private final Socket far;
    private volatile boolean halfOpen;

    Stream(int from, int to, Socket near, Socket far) {
      this.from = from;
      this.to = to;
      this.near = near;
      this.far = far;
    }

    boolean isBetween(int one, int other) {
      return (from == one && to == other) || (from == other && to == one);
    }

    void start(byte[] begun) {
      new Forwarding(this, near, far, directions[from][to], begun).start();
      new Forwarding(this, far, near, directions[to][from], END).start();
    }

    void reset() {
      FaultyLinks.reset(near);
      FaultyLinks.reset(far);
      streams.remove(this);
    }

    void resetFarSide() {
      halfOpen = true;
      FaultyLinks.reset(far);
    }

    /** A side has failed, or has sent its last byte. */
    void ended(Socket side) {
      if (!halfOpen || side == near) {
        reset();
      }
    }
  }

  /** One direction of a stream: a thread reads, another writes what is due. */
  private static final class Forwarding {
    private final Stream stream;
    private final Socket in;
    private final Socket out;
    private final Direction direction;
    private final byte[] begun;
    private final Semaphore room = new Semaphore(WAITING_BYTES);
    private final BlockingQueue<Chunk> waiting = new LinkedBlockingQueue<>();

    private record Chunk(byte[] bytes, long dueNanos) {}

    Forwarding(Stream stream, Socket in, Socket out, Direction direction, byte[] begun) {
      this.stream = stream;
      this.in = in;
      this.out = out;
      this.direction = direction;
      this.begun = begun;
    }

    void start() {
      Thread.ofVirtual().start(this::read);
      Thread.ofVirtual().start(this::write);
    }

    private void put(byte[] bytes) throws InterruptedException {
      room.acquire(bytes.length);
      waiting.put(new Chunk(bytes, System.nanoTime() + direction.delayNanos));
    }

    private void read() {
      byte[] buffer = new byte[BUFFER_BYTES];
      try {
        if (begun.length > 0) {
          put(begun);
        }
        InputStream from = in.getInputStream();
        while (true) {
          direction.awaitOpen();
          int length = from.read(buffer);
          if (length < 0) {
            break;
          }
          if (!stream.halfOpen) {
            put(Arrays.copyOf(buffer, length));
          }
        }
        waiting.put(new Chunk(END, System.nanoTime() + direction.delayNanos));
      } catch (IOException e) {
        stream.ended(in);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void write() {
      try {
        OutputStream to = out.getOutputStream();
        while (true) {
          Chunk chunk = waiting.take();
          TimeUnit.NANOSECONDS.sleep(chunk.dueNanos - System.nanoTime());
          direction.awaitOpen();
          if (chunk.bytes == END) {
            stream.ended(in);
            return;
          }
          to.write(chunk.bytes);
          direction.carried.addAndGet(chunk.bytes.length);
          room.release(chunk.bytes.length);
        }
      } catch (IOException e) {
        stream.ended(out);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
