package io.helenus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AddressBookTest {
  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);
  private final AddressBook book = new AddressBook();

  private static MemberAddress at(String host, long life) {
    return new MemberAddress(new Endpoint(host, 7000), new Endpoint(host, 9042), life);
  }

  private static List<Endpoint> nodes(String... hosts) {
    return List.of(hosts).stream().map(host -> new Endpoint(host, 7000)).toList();
  }

  @Test
  void theLatestLifeWinsAndTheLogIsAHint() {
    book.logged(Map.of(A, at("a1", MemberAddress.HINT), B, at("b1", MemberAddress.HINT)));
    assertEquals(at("a1", 0), book.of(A));
    assertTrue(book.learn(A, at("a3", 30)));
    assertFalse(book.learn(A, at("a2", 20)));
    assertFalse(book.learn(A, at("a4", 30)));
    assertEquals(at("a3", 30), book.of(A));
    assertEquals(nodes("a3", "a1"), List.copyOf(book.endpoints(A)));
    assertEquals(nodes("b1"), List.copyOf(book.endpoints(B)));
    assertEquals(Map.of(A, at("a3", 30), B, at("b1", 0)), book.entries());
    assertEquals(Set.of(A, B), book.hosts());
  }

  @Test
  void aMemberProposesItsOwnAddressUntilTheLogHasIt() {
    assertNull(book.toPropose(A));
    book.learn(A, at("a2", 20));
    assertNull(book.toPropose(A), "it is not a member by the log");
    book.logged(Map.of(A, at("a1", 0), B, at("b1", 0)));
    book.learn(B, at("b2", 20));
    assertEquals(at("a2", 20), book.toPropose(A));
    book.logged(Map.of(A, at("a2", 0), B, at("b1", 0)));
    assertNull(book.toPropose(A));
    assertEquals(nodes("a2"), List.copyOf(book.endpoints(A)));
  }
}
