package io.helenus.storage.testing;

import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * The seeds of a seeded test, registered with {@code @RegisterExtension}: the test's usual ones, or
 * with {@code -Dseed=N} that one alone. A test that fails shows its seed and the command that runs
 * it again. One test method at a time.
 */
public final class Seeds implements TestExecutionExceptionHandler {
  private static final @Nullable Long GIVEN = Long.getLong("seed");

  private final long usual;
  private @Nullable Long current;

  private Seeds(long usual) {
    this.usual = usual;
  }

  /** What is done with one seed. */
  public interface Body {
    /** Tests with this seed. */
    void accept(long seed) throws Exception;
  }

  /** Seeds that begin at a number, unless one is given. */
  public static Seeds from(long usual) {
    return new Seeds(usual);
  }

  /** The first seed, for a test that needs only one. */
  public long first() {
    long seed = GIVEN == null ? usual : GIVEN;
    current = seed;
    return seed;
  }

  /** Random numbers from {@link #first}. */
  public Random random() {
    return new Random(first());
  }

  /** Runs a body with so many seeds, or with the one given; returns how many it was. */
  public long each(long count, Body body) throws Exception {
    long first = first();
    long seeds = GIVEN == null ? count : 1;
    for (long seed = first; seed < first + seeds; seed++) {
      current = seed;
      body.accept(seed);
    }
    return seeds;
  }

  /**
   * Runs a body with one seed after the other for so long, or with the one given; returns how many.
   */
  public long eachFor(long seconds, Body body) throws Exception {
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    long first = first();
    long seed = first;
    do {
      current = seed;
      body.accept(seed++);
    } while (GIVEN == null && System.nanoTime() < end);
    return seed - first;
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable thrown)
      throws Throwable {
    Long seed = current;
    if (seed == null || thrown instanceof TestAbortedException) {
      throw thrown;
    }
    String method = context.getRequiredTestMethod().getName();
    throw new AssertionError(
        thrown.getMessage()
            + "\nseed "
            + seed
            + ", again with\n  "
            + command(context.getRequiredTestClass(), method, seed),
        thrown);
  }

  /** What runs one method of a test with one seed. */
  static String command(Class<?> test, String method, long seed) {
    String name = test.getSimpleName() + "#" + method;
    boolean integration = test.getSimpleName().endsWith("IT");
    return "mvn verify -am -pl "
        + Path.of("").toAbsolutePath().getFileName()
        + (integration ? " -Dtest=None -Dit.test=" : " -DskipITs -Dtest=")
        + name
        + " -Dsurefire.failIfNoSpecifiedTests=false"
        + (integration ? " -Dfailsafe.failIfNoSpecifiedTests=false" : "")
        + " -Dseed="
        + seed;
  }
}
