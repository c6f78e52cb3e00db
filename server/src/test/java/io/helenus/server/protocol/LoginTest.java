package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.client.BodyWriter;
import io.helenus.server.client.Frame;
import io.helenus.server.client.Response;
import io.helenus.storage.memory.NodeMemory;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LoginTest {
  /** Expects the same token twice. */
  private static final class TwoStepAuthenticator implements Authenticator {
    @Override
    public String className() {
      return "org.example.TwoStepAuthenticator";
    }

    @Override
    public Negotiation begin(Session session) {
      int[] steps = new int[1];
      return (token, outcome) -> {
        String text = new String(token, StandardCharsets.UTF_8);
        if (!text.equals("secret")) {
          outcome.failure("no " + text);
        } else if (steps[0]++ == 0) {
          outcome.challenge("again".getBytes(StandardCharsets.UTF_8));
        } else {
          outcome.success("somebody");
        }
      };
    }
  }

  private final FakePeer peer =
      new FakePeer(
          new EchoHandler(),
          ConversationSettings.DEFAULT,
          new Workspace(1 << 20, 16 << 20, NodeMemory.unlimited()),
          new TwoStepAuthenticator());

  private Response send(int opcode, byte[] body) {
    peer.arrives(Frame.request(4, 0, 1, opcode, body).encode());
    return Requests.responses(peer.sent()).getFirst();
  }

  private Response token(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return send(0x0F, new BodyWriter().putBytes(bytes).toArray());
  }

  @Test
  void requestsAreAcceptedAfterTheLastStepOfTheLogin() {
    peer.arrives(Requests.startup(4));
    Response first = Requests.responses(peer.sent()).getFirst();
    assertEquals(
        "org.example.TwoStepAuthenticator",
        assertInstanceOf(Response.Authenticate.class, first).authenticator());
    assertEquals(0x100, assertInstanceOf(Response.Failure.class, token("wrong")).code());
    Response.AuthToken challenge = assertInstanceOf(Response.AuthToken.class, token("secret"));
    assertEquals(false, challenge.done());
    assertTrue(assertInstanceOf(Response.AuthToken.class, token("secret")).done());
    assertEquals("somebody", peer.conversation().session().user());
    assertInstanceOf(Response.SetKeyspace.class, send(0x07, Requests.queryBody(4, "x")));
  }

  @Test
  void otherMessagesAreRefusedBeforeTheLogin() {
    peer.arrives(Requests.startup(4));
    peer.sent();
    Response answer = send(0x07, Requests.queryBody(4, "x"));
    assertEquals(
        "Unexpected message QUERY, expecting SASL_RESPONSE",
        assertInstanceOf(Response.Failure.class, answer).message());
    assertTrue(peer.isClosing());
  }
}
