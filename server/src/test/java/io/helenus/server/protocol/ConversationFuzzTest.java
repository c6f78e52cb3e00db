package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.storage.bytes.ByteWriter;
import io.helenus.storage.memory.NodeMemory;
import io.helenus.storage.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Feeds seeded random input to conversations without sockets: {@code -Dhelenus.fuzz.seeds} of them,
 * or one seed with {@code -Dseed=N}.
 */
class ConversationFuzzTest {
  @RegisterExtension final Seeds seeds = Seeds.from(1);

  private static final int MAX_FRAME_BYTES = 1 << 20;

  private final long count = Long.getLong("helenus.fuzz.seeds", 5_000);
  private final Workspace workspace = new Workspace(8 << 20, 16 << 20, NodeMemory.unlimited());
  private long reached;

  @Test
  void arbitraryInputIsAnsweredOrClosesTheConnection() throws Exception {
    long run = seeds.each(count, this::converse);
    assertEquals(0, workspace.inFlightBytes());
    assertEquals(0, workspace.arrivingBytes());
    assertTrue(reached > run / 10, reached + " requests reached the handler");
  }

  private void converse(long seed) {
    ConversationSettings settings = new ConversationSettings(MAX_FRAME_BYTES, 50, 1 << 20, 10);
    FakePeer peer = new FakePeer(this::touch, settings, workspace, new Authenticator.AllowAll());
    for (byte[] piece : new FrameMutations(seed).pieces()) {
      peer.arrives(piece);
      peer.sent();
      assertTrue(peer.unreadBytes() <= MAX_FRAME_BYTES + 9, "too many bytes are buffered");
    }
    assertEquals(0, peer.conversation().inFlightRequests());
    assertTrue(peer.bugs().isEmpty(), peer.bugs().toString());
    peer.conversation().close();
  }

  /** Reads everything that the request refers to, then responds. */
  private void touch(Session session, Request request, Exchange exchange) {
    reached++;
    ByteWriter sink = new ByteWriter(64);
    switch (request) {
      case Request.Query query -> touch(query.parameters(), sink);
      case Request.Prepare prepare -> sink.putInt(prepare.text().length());
      case Request.Execute execute -> {
        sink.putBytes(execute.segment(), execute.idOffset(), execute.idLength());
        if (execute.metadataIdLength() >= 0) {
          sink.putBytes(execute.segment(), execute.metadataIdOffset(), execute.metadataIdLength());
        }
        touch(execute.parameters(), sink);
      }
      case Request.Batch batch -> {
        for (int i = 0; i < batch.statements().size(); i++) {
          BatchStatements.Statement statement = batch.statements().get(i);
          touch(statement.values(), sink);
          if (statement.text() == null) {
            sink.putBytes(statement.values().segment(), statement.idOffset(), statement.idLength());
          }
        }
        touch(batch.parameters(), sink);
      }
    }
    ByteWriter body = exchange.body();
    Responses.voidResult(body);
    exchange.respond(Opcodes.RESULT, body);
  }

  private static void touch(QueryParameters parameters, ByteWriter sink) {
    touch(parameters.values(), sink);
    if (parameters.pagingStateLength() >= 0) {
      sink.putBytes(
          parameters.values().segment(),
          parameters.pagingStateOffset(),
          parameters.pagingStateLength());
    }
  }

  private static void touch(BoundValues values, ByteWriter sink) {
    for (int i = 0; i < values.count(); i++) {
      if (values.length(i) >= 0) {
        sink.putBytes(values.segment(), values.offset(i), values.length(i));
      }
    }
  }
}
