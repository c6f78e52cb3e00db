package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.client.Frame;
import io.helenus.server.client.Response;
import io.helenus.server.client.ResponseDecoder;
import io.helenus.server.protocol.Event.SchemaChange.Change;
import io.helenus.server.protocol.Event.SchemaChange.Target;
import io.helenus.storage.bytes.ByteWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventsTest {
  private static Response.Event decoded(int version, Event event) {
    ByteWriter out = new ByteWriter(16);
    Events.write(out, version, event);
    return (Response.Event)
        ResponseDecoder.decode(new Frame(version, true, 0, -1, Opcodes.EVENT, out.toArray()));
  }

  @Test
  void addressesMayBeOfEitherFamily() {
    byte[] six = new byte[16];
    six[15] = 1;
    Response.Event down =
        decoded(4, new Event.StatusChange(Event.StatusChange.Change.DOWN, six, 9042));
    assertEquals("STATUS_CHANGE", down.type());
    assertEquals("DOWN", down.change());
    assertEquals(List.of("0:0:0:0:0:0:0:1:9042"), down.details());
    Response.Event moved =
        decoded(
            5,
            new Event.TopologyChange(
                Event.TopologyChange.Change.MOVED_NODE, new byte[] {10, 0, 0, 1}, 9042));
    assertEquals(List.of("10.0.0.1:9042"), moved.details());
  }

  @Test
  void functionsHaveTheirArgumentsAndAreAKeyspaceUpdateInVersionThree() {
    Event event =
        new Event.SchemaChange(
            Change.DROPPED, Target.FUNCTION, "ks", "f", List.of("int", "list<text>"));
    assertEquals(List.of("FUNCTION", "ks", "f", "int", "list<text>"), decoded(4, event).details());
    Response.Event three = decoded(3, event);
    assertEquals("UPDATED", three.change());
    assertEquals(List.of("KEYSPACE", "ks"), three.details());
  }

  @Test
  void tablesAndTypesHaveTheirNames() {
    assertEquals(
        List.of("TABLE", "ks", "t"),
        decoded(3, Event.SchemaChange.ofTable(Change.CREATED, "ks", "t")).details());
    assertEquals(
        List.of("TYPE", "ks", "y"),
        decoded(5, new Event.SchemaChange(Change.UPDATED, Target.TYPE, "ks", "y", List.of()))
            .details());
  }
}
