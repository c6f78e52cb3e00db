package io.helenus.server.query.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.error.CqlException;
import io.helenus.server.functions.FunctionContext;
import io.helenus.server.protocol.BoundValues;
import io.helenus.server.query.value.ValueCheck.Outcome;
import io.helenus.storage.env.sim.SimClock;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueWalkTest {
  private static final CqlException MISTAKE = CqlException.invalid("a mistake");
  private static final CqlException REJECTION = CqlException.invalid("as it ran");
  private static final ValueCheck WRONG =
      values -> {
        throw MISTAKE;
      };

  private static Verdict check(ValueCheck... checks) {
    ExpressionEvaluator evaluator =
        new ExpressionEvaluator(new FunctionContext(new SimClock(), () -> 1));
    return new ValueWalk(new ValueSlots.Builder().build(), new BoundValues(), evaluator)
        .check(List.of(checks));
  }

  private static ValueCheck that(Outcome outcome) {
    return values -> outcome;
  }

  @Test
  void theFirstMistakeIsAnswered() {
    Verdict verdict = check(that(Outcome.CONTINUE), WRONG, that(Outcome.NOTHING_TO_DO));
    assertEquals(Verdict.of(MISTAKE), verdict);
    assertSame(MISTAKE, verdict.refusal(REJECTION));
    assertSame(MISTAKE, assertThrows(CqlException.class, verdict::requireNoMistake));
  }

  @Test
  void aMistakeBehindThePointWithoutEffectDoesNotCount() {
    Verdict verdict = check(that(Outcome.CONTINUE), that(Outcome.NOTHING_TO_DO), WRONG);
    assertEquals(Verdict.NO_EFFECT, verdict);
    assertNull(verdict.refusal(REJECTION));
    verdict.requireNoMistake();
  }

  @Test
  void withoutAMistakeTheRejectionItselfIsAnswered() {
    assertSame(REJECTION, check(that(Outcome.CONTINUE)).refusal(REJECTION));
    assertSame(REJECTION, check(that(Outcome.RUNS), WRONG).refusal(REJECTION));
  }
}
