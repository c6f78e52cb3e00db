package io.helenus.server.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.client.Frame;
import io.helenus.server.client.Response;
import io.helenus.server.client.ResponseDecoder;
import io.helenus.server.protocol.Event.SchemaChange.Change;
import io.helenus.server.protocol.Event.SchemaChange.Target;
import io.helenus.storage.bytes.ByteWriter;
import java.util.HexFormat;
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

  /** As recorded when the second of two nodes joined, and the third of three was killed. */
  @Test
  void membersAreAnnouncedAsCassandraDoes() {
    byte[] second = {127, 0, 0, 42};
    byte[] third = {127, 0, 0, 43};
    assertEquals(
        "000f544f504f4c4f47595f4348414e474500084e45575f4e4f4445047f00002a00002352",
        hex(new Event.TopologyChange(Event.TopologyChange.Change.NEW_NODE, second, 9042)));
    assertEquals(
        "000d5354415455535f4348414e474500025550047f00002a00002352",
        hex(new Event.StatusChange(Event.StatusChange.Change.UP, second, 9042)));
    assertEquals(
        "000d5354415455535f4348414e47450004444f574e047f00002b00002352",
        hex(new Event.StatusChange(Event.StatusChange.Change.DOWN, third, 9042)));
  }

  private static String hex(Event event) {
    ByteWriter body = new ByteWriter(64);
    Events.write(body, 5, event);
    return HexFormat.of().formatHex(body.toArray());
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
