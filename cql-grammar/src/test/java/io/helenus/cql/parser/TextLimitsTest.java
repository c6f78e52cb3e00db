package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TextLimitsTest {
  private final TextLimits limits = new TextLimits(1000, 100);

  @Test
  void limitsTheLength() {
    assertTrue(limits.admit("SELECT '" + "x".repeat(991) + "'"));
    assertFalse(limits.admit("SELECT '" + "x".repeat(992) + "'"));
  }

  @Test
  void limitsTheTokens() {
    assertTrue(limits.admit("SELECT" + " f".repeat(49) + ";"));
    assertFalse(limits.admit("SELECT" + " f".repeat(50)));
    assertTrue(limits.admit(",".repeat(100)));
    assertFalse(limits.admit(",".repeat(101)));
  }

  @Test
  void countsUpToAMistakeOnly() {
    assertTrue(limits.admit(",".repeat(50) + "'" + ",".repeat(200)));
  }
}
