package io.helenus.server.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.helenus.storage.engine.ReadRequest;
import org.junit.jupiter.api.Test;

class RequestCopiesTest {
  private final RequestCopies copies = new RequestCopies();

  private static ReadRequest request(int suffixBytes) {
    return new ReadRequest().reset(1, 0).addRow(new byte[suffixBytes]);
  }

  @Test
  void aCopyIsReusedUnlessItHasGrown() {
    ReadRequest small = copies.of(request(10));
    copies.release(small);
    assertSame(small, copies.of(request(10)));
    ReadRequest large = copies.of(request(100_000));
    copies.release(large);
    assertNotSame(large, copies.of(request(10)));
    assertEquals(2, copies.taken());
  }
}
