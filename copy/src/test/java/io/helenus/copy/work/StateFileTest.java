package io.helenus.copy.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.copy.cluster.CopyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a later run finds. */
class StateFileTest {
  private static final List<String> ARGUMENTS = List.of("from a", "to b", "ranges 4");

  @TempDir private Path folder;

  private StateFile open(List<String> arguments, long now) {
    return StateFile.open(folder.resolve("state"), arguments, now);
  }

  private void write() {
    try (StateFile state = open(ARGUMENTS, 7)) {
      assertFalse(state.isBegun("k.\"a b\""));
      state.begin("k.\"a b\"", "definition");
      state.addCopied("k.\"a b\"", 2, 10);
      state.addCopied("k.\"a b\"", 0, 5);
    }
  }

  @Test
  void finishedRangesAreFoundAgain() throws Exception {
    write();
    Files.writeString(
        folder.resolve("state"), "done k.%22a+b%22 3 1", StandardOpenOption.APPEND); // torn
    try (StateFile state = open(ARGUMENTS, 8)) {
      assertEquals(7, state.started());
      assertEquals(Set.of(0, 2), state.copied("k.\"a b\""));
      assertEquals(15, state.copiedRows("k.\"a b\""));
      assertTrue(state.isBegun("k.\"a b\""));
      assertEquals(Set.of(), state.copied("k.a_b"));
      state.begin("k.\"a b\"", "definition");
      assertMessage("has changed", () -> state.begin("k.\"a b\"", "another"));
      assertMessage("is running", () -> open(ARGUMENTS, 9).close());
      state.addCopied("k.\"a b\"", 1, 1);
    }
    try (StateFile state = open(ARGUMENTS, 10)) {
      assertEquals(Set.of(0, 1, 2), state.copied("k.\"a b\""));
    }
  }

  @Test
  void rangesThatWereEqualAreFoundAgain() {
    write();
    try (StateFile state = open(ARGUMENTS, 8)) {
      assertEquals(Set.of(), state.equal("k.\"a b\""));
      assertEquals(0, state.equalRows("k.\"a b\""));
      state.addEqual("k.\"a b\"", 3, 20);
      state.addEqual("k.\"a b\"", 1, 2);
    }
    try (StateFile state = open(ARGUMENTS, 9)) {
      assertEquals(Set.of(1, 3), state.equal("k.\"a b\""));
      assertEquals(22, state.equalRows("k.\"a b\""));
      assertEquals(Set.of(0, 2), state.copied("k.\"a b\""));
    }
  }

  @Test
  void theFileOfAnotherCopyIsRefused() throws Exception {
    write();
    assertMessage(
        "a copy with 'ranges 4' instead of 'ranges 5'",
        () -> open(List.of("from a", "to b", "ranges 5"), 8).close());
    Files.writeString(folder.resolve("state"), "a shopping list\nmilk\nbread\neggs\ntea\nsalt\n");
    assertMessage("is not a state file", () -> open(ARGUMENTS, 8).close());
  }

  @Test
  void aCopyThatEndedWhileItBeganBeginsAnew() throws Exception {
    Files.writeString(folder.resolve("state"), "helenus copy 1\nfrom a\nto");
    try (StateFile state = open(ARGUMENTS, 9)) {
      assertEquals(9, state.started());
    }
    try (StateFile state = open(ARGUMENTS, 10)) {
      assertEquals(9, state.started());
    }
  }

  private static void assertMessage(String part, Runnable action) {
    CopyException refused = assertThrows(CopyException.class, action::run);
    assertTrue(String.valueOf(refused.getMessage()).contains(part), refused.getMessage());
  }
}
