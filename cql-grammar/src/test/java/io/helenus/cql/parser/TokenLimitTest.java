package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TokenLimitTest {
  private final TokenLimit limit = new TokenLimit(100);

  @Test
  void limitsTheTokens() {
    assertTrue(limit.admits("SELECT" + " f".repeat(49) + ";"));
    assertFalse(limit.admits("SELECT" + " f".repeat(50)));
    assertTrue(limit.admits(",".repeat(100)));
    assertFalse(limit.admits(",".repeat(101)));
    assertTrue(limit.admits("SELECT '" + "x".repeat(1000) + "'"));
  }

  @Test
  void countsOnOverSeveralTexts() {
    long count = limit.count(",".repeat(60), 0);
    assertEquals(60, count);
    assertEquals(100, limit.count(",".repeat(40), count));
    assertEquals(101, limit.count(",".repeat(200), count));
  }

  @Test
  void countsUpToAMistakeOnly() {
    assertTrue(limit.admits(",".repeat(50) + "'" + ",".repeat(200)));
  }
}
