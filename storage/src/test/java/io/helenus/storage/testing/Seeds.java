package io.helenus.storage.testing;

import java.nio.file.Path;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * The seeds of a randomized test, registered with {@code @RegisterExtension}: the test's default
 * seeds, or the one given by {@code -Dseed=N}. A failure reports its seed and the command that
 * reproduces it. Not for test methods that run in parallel.
 */
public final class Seeds implements TestExecutionExceptionHandler {
  private static final @Nullable Long GIVEN = Long.getLong("seed");

  private final long defaultFirst;
  private @Nullable Long current;

  private Seeds(long defaultFirst) {
    this.defaultFirst = defaultFirst;
  }

  /** The body of a test, run once per seed. */
  public interface Body {
    /** Runs the test with this seed. */
    void accept(long seed) throws Exception;
  }

  /** Consecutive seeds from a first one, unless one is given. */
  public static Seeds from(long defaultFirst) {
    return new Seeds(defaultFirst);
  }

  /** The first seed, for a test that needs only one. */
  public long first() {
    long seed = GIVEN == null ? defaultFirst : GIVEN;
    current = seed;
    return seed;
  }

  /** Random numbers from {@link #first}. */
  public Random random() {
    return new Random(first());
  }

  /** Runs a body with this many seeds, or with the given one; returns how many were run. */
  public long each(long count, Body body) throws Exception {
    long first = first();
    long seeds = GIVEN == null ? count : 1;
    for (long seed = first; seed < first + seeds; seed++) {
      current = seed;
      body.accept(seed);
    }
    return seeds;
  }

  /** Runs a body with consecutive seeds for this long, or with the given one; returns how many. */
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

  /** The command that runs one method of a test with one seed. */
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
