package io.helenus.server.transport;

import io.helenus.server.error.CqlException;
import io.helenus.server.protocol.Authenticator;
import io.helenus.server.protocol.Event;
import io.helenus.server.protocol.Exchange;
import io.helenus.server.protocol.Opcodes;
import io.helenus.server.protocol.Request;
import io.helenus.server.protocol.RequestHandler;
import io.helenus.server.protocol.Responses;
import io.helenus.server.protocol.Session;
import io.helenus.storage.bytes.ByteChunks;
import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.LargeSegments;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.memory.NodeMemory.Use;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * A server behind a real transport that understands a few statements. {@code late …} echoes its
 * text in a later tick, {@code keep} waits for {@link #answerKept}, {@code big N} returns a value
 * of N bytes, {@code huge N} one of N bytes in chunks, {@code change} publishes an event before its
 * response; {@code fail}, {@code bug} and {@code warn} cause an error, an unexpected exception and
 * a warning. Any other text is echoed. EXECUTE and BATCH succeed immediately.
 */
final class EchoServer implements AutoCloseable {
  private final MultiThreadIoEventLoopGroup group;
  private final NodeMemory memory = NodeMemory.unlimited();
  private final ClientTransport transport;
  private final InetSocketAddress address;
  private final ConcurrentLinkedQueue<Runnable> kept = new ConcurrentLinkedQueue<>();

  EchoServer(int loops, TransportSettings settings) throws IOException {
    this(loops, settings, new Authenticator.AllowAll(), 0);
  }

  EchoServer(int loops, TransportSettings settings, Authenticator authenticator, int port)
      throws IOException {
    group = EventLoops.create(loops, Thread.ofPlatform().daemon().name("echo-", 0).factory());
    List<TransportShard> shards = new ArrayList<>();
    for (int i = 0; i < loops; i++) {
      IoEventLoop loop = group.next();
      shards.add(
          new TransportShard(
              loop,
              new Echo(loop),
              new LoopTick(loop),
              cause -> {
                throw new AssertionError(cause);
              }));
    }
    transport = new ClientTransport(settings, shards, authenticator, memory);
    InetSocketAddress wanted = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try {
      address = transport.start(wanted);
    } catch (IOException e) {
      group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
      throw e;
    }
  }

  /** Runs until killed: for the load generator. */
  public static void main(String[] arguments) throws IOException {
    int port = Integer.parseInt(arguments[0]);
    int loops = Integer.parseInt(arguments[1]);
    new EchoServer(loops, TransportSettings.DEFAULT, new Authenticator.AllowAll(), port);
    System.out.println(ProcessHandle.current().pid());
    System.in.read();
  }

  ClientTransport transport() {
    return transport;
  }

  int port() {
    return address.getPort();
  }

  InetAddress host() {
    return address.getAddress();
  }

  NodeMemory memory() {
    return memory;
  }

  int keptCount() {
    return kept.size();
  }

  /** Answers the requests kept so far; returns their number. */
  int answerKept() {
    int answered = 0;
    for (Runnable answer = kept.poll(); answer != null; answer = kept.poll()) {
      answer.run();
      answered++;
    }
    return answered;
  }

  @Override
  public void close() {
    transport.stopAccepting();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private final class Echo implements RequestHandler {
    private final IoEventLoop loop;

    Echo(IoEventLoop loop) {
      this.loop = loop;
    }

    @Override
    public void handle(Session session, Request request, Exchange exchange) {
      switch (request) {
        case Request.Query query -> query(query.text(), exchange);
        case Request.Prepare prepare -> text(exchange, prepare.text());
        case Request.Execute execute -> done(exchange);
        case Request.Batch batch -> text(exchange, "batch of " + batch.statements().size());
      }
    }

    private void query(String text, Exchange exchange) {
      String verb = text.contains(" ") ? text.substring(0, text.indexOf(' ')) : text;
      switch (verb) {
        case "late" -> loop.execute(() -> text(exchange, text));
        case "keep" -> kept.add(() -> loop.execute(() -> text(exchange, text)));
        case "big" -> big(exchange, Integer.parseInt(text.substring(4)));
        case "huge" -> huge(exchange, Integer.parseInt(text.substring(5)));
        case "fail" -> throw CqlException.invalid("requested failure");
        case "bug" -> throw new IllegalStateException("a bug");
        case "warn" -> {
          exchange.warn("one");
          exchange.warn("two");
          exchange.tracingId(1, 2);
          text(exchange, text);
        }
        case "change" -> change(exchange);
        default -> text(exchange, text);
      }
    }

    private void change(Exchange exchange) {
      Event.SchemaChange change =
          Event.SchemaChange.ofTable(Event.SchemaChange.Change.CREATED, "ks", "t");
      exchange.holdEvents();
      transport.publish(change);
      kept.add(
          () ->
              loop.execute(
                  () -> {
                    ByteWriter body = exchange.body();
                    Responses.schemaChange(body, exchange.protocolVersion(), change);
                    exchange.respond(Opcodes.RESULT, body);
                  }));
    }

    private void text(Exchange exchange, String text) {
      ByteWriter body = exchange.body();
      Responses.setKeyspace(body, Objects.requireNonNull(text));
      exchange.respond(Opcodes.RESULT, body);
    }

    private void done(Exchange exchange) {
      ByteWriter body = exchange.body();
      Responses.voidResult(body);
      exchange.respond(Opcodes.RESULT, body);
    }

    private void huge(Exchange exchange, int bytes) {
      LargeSegments segments = memory.segments(Use.ANSWERS);
      ByteChunks chunks = new ByteChunks(segments);
      for (int at = 0; at < bytes; ) {
        ByteWriter chunk = ByteWriter.recycling(segments, 64);
        int end = Math.min(bytes, at + 200_000);
        chunk.makeRoom(end - at);
        for (; at < end; at++) {
          chunk.putByte(at % 251);
        }
        chunks.add(chunk);
      }
      ByteWriter body = exchange.body();
      body.putInt(2).putInt(4).putInt(1).putInt(1).putInt(bytes);
      exchange.respond(Opcodes.RESULT, body, chunks);
    }

    private void big(Exchange exchange, int bytes) {
      ByteWriter body = exchange.body();
      body.putInt(2).putInt(4).putInt(1).putInt(1).putInt(bytes);
      for (int i = 0; i < bytes; i++) {
        body.putByte(i % 251);
      }
      exchange.respond(Opcodes.RESULT, body);
    }
  }
}
