package io.helenus.server.replica;

import io.helenus.storage.engine.WriteRefusedException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Turns of partitions as transcripts: what is read, logged and answered, and when. */
class PartitionQueuesTest extends QueueFixture {
  @Test
  void aWriteIsAnsweredWhenItIsDurable() {
    compute("a");
    expect("read 200", "compute a at 101", "log 200:a");
    engine.durable();
    expect("a written of 1");
  }

  @Test
  void writesThatArriveDuringATurnShareTheNextOne() {
    compute("a", "b", "c");
    expect("read 200", "compute a at 101", "log 200:a");
    engine.durable();
    expect(
        "a written of 1",
        "read 200",
        "compute b at 102",
        "read 200 with b",
        "compute c at 103",
        "log 200:bc");
    engine.durable();
    expect("b written of 2", "c written of 2");
  }

  @Test
  void whatWritesNothingIsAnsweredAtOnceUnlessItMayHaveReadWhatIsNotDurable() {
    engine.waits = true;
    compute("A", "b", "C", "d");
    expect("read 200");
    engine.loaded();
    expect(
        "compute A at 101",
        "A answered of 1",
        "read 200",
        "compute b at 102",
        "read 200 with b",
        "compute C at 103",
        "read 200 with b",
        "compute d at 104",
        "log 200:bd");
    engine.durable();
    expect("b written of 4", "C answered of 4", "d written of 4");
  }

  @Test
  void aTurnGoesOnWhenABlockIsLoaded() {
    engine.waits = true;
    compute("a");
    expect("read 200");
    compute("b");
    expect();
    engine.loaded();
    expect("compute a at 101", "read 200 with a", "compute b at 102", "log 200:ab");
    engine.durable();
    expect("a written of 2", "b written of 2");
  }

  @Test
  void aWriteThatCannotReadDoesNotHoldUpTheOthers() {
    engine.waits = true;
    compute("a", "b");
    engine.loaded();
    expect("read 200", "compute a at 101", "read 200 with a", "compute b at 102", "log 200:ab");
    engine.fails = true;
    compute("c");
    engine.durable();
    expect("a written of 2", "b written of 2", "c not read: damaged");
    engine.fails = false;
    compute("d");
    expect("read 200", "compute d at 103", "log 200:d");
  }

  @Test
  void aWriteThatIsTooLateIsNotComputed() {
    compute("a", "b");
    expect("read 200", "compute a at 101", "log 200:a");
    nanos = DEADLINE_NANOS;
    engine.durable();
    expect("a written of 1", "b timed out");
  }

  @Test
  void allWritesOfARefusedTurnFail() {
    engine.waits = true;
    compute("a", "B");
    engine.loaded();
    expect("read 200", "compute a at 101", "read 200 with a", "compute B at 102", "log 200:a");
    engine.refuse(new WriteRefusedException(WriteRefusedException.Reason.DISK_FULL, "full"));
    expect("a not written: full", "B not written: full");
  }

  @Test
  void aCounterWaitsForTheShareIdOfTheRun() {
    count("a");
    expect("claim a share id");
    compute("b");
    expect();
    engine.claimed(new IllegalStateException("no manifest"));
    expect("a not written: no manifest", "read 200", "compute b at 101", "log 200:b");
    count("c");
    engine.durable();
    expect("b written of 2", "claim a share id");
    engine.claimed(null);
    expect("read 200", "compute c at 102", "log 200:c");
    engine.durable();
    expect("c written of 1");
  }

  @Test
  void aStepHasItsTurnToItself() {
    compute("a");
    Step step = new Step(false);
    compute("b");
    expect("read 200", "compute a at 101", "log 200:a");
    engine.durable();
    expect("a written of 1", "step begins");
    compute("c");
    expect();
    step.end();
    expect(
        "step ends",
        "read 200",
        "compute b at 102",
        "read 200 with b",
        "compute c at 103",
        "log 200:bc");
  }

  @Test
  void aStepMayEndBeforeItsBeginReturns() {
    Step ignored = new Step(true);
    expect("step begins", "step ends");
    compute("a");
    List<Step> ignoredToo = List.of(new Step(true), new Step(true));
    expect("read 200", "compute a at 101", "log 200:a");
    engine.durable();
    expect("a written of 1", "step begins", "step ends", "step begins", "step ends");
  }

  @Test
  void beyondALimitWritesAndStepsAreRefused() {
    compute("a");
    expect("read 200", "compute a at 101", "log 200:a");
    for (int i = 0; i < PartitionQueues.WAITING_LIMIT; i++) {
      compute("b");
    }
    compute("c");
    Step ignored = new Step(false);
    expect("c refused: Overloaded", "step refused: Overloaded");
  }

  @Test
  void duringAPauseNoTurnBegins() {
    compute("a");
    expect("read 200", "compute a at 101", "log 200:a");
    queues.pause(() -> transcript.add("paused"));
    compute("b");
    expect();
    engine.durable();
    expect("a written of 1", "paused");
    queues.pause(() -> transcript.add("paused again"));
    expect("paused again");
    queues.resume();
    expect();
    queues.resume();
    expect("read 200", "compute b at 102", "log 200:b");
  }

  @Test
  void plainWritesToTablesWithoutViewsDoNotWaitForTurns() {
    compute("a");
    write(1, "b");
    expect("read 200", "compute a at 101", "log 200:a", "log 200:b");
  }

  @Test
  void writesToATableWithAViewAreReadBeforeAndAfterEachTurn() {
    schema = WITH_VIEW;
    write(1, "a");
    write(1, "b");
    write(1, "c");
    write(2, "d");
    expect("read 200 without and with a", "log 200:a", "read 200 without and with d", "log 200:d");
    engine.durable();
    expect("a written", "read 200 without and with bc", "log 200:bc");
    engine.durable();
    engine.durable();
    expect("d written", "b written", "c written");
  }

  @Test
  void theFirstTurnOfATableWithItsFirstViewWaitsForPlainWritesFromBefore() {
    write(1, "a");
    expect("log 200:a");
    schema = WITH_VIEW;
    write(1, "b");
    expect();
    engine.durable();
    expect("a written", "read 200 without and with b", "log 200:b");
  }

  @Test
  void aTurnThatBeganBeforeATableGotAViewIsRepeated() {
    engine.waits = true;
    compute("a");
    expect("read 200");
    schema = WITH_VIEW;
    engine.loaded();
    expect(
        "compute a at 101",
        "read 200",
        "compute a at 102",
        "read 200 without and with a",
        "log 200:a");
  }

  @Test
  void aTurnIsRepeatedWhenAViewIsDroppedMeanwhile() {
    schema = WITH_TWO_VIEWS;
    compute("a");
    expect("read 200", "compute a at 101", "read 200 without and with a", "log 200:a");
    schema = WITH_VIEW;
    engine.refuse(new WriteRefusedException(WriteRefusedException.Reason.UNKNOWN_TABLE, "gone"));
    expect("read 200", "compute a at 102", "read 200 without and with a", "log 200:a");
    engine.refuse(new WriteRefusedException(WriteRefusedException.Reason.UNKNOWN_TABLE, "gone"));
    expect("a not written: gone");
  }
}
