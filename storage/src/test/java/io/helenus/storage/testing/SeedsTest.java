package io.helenus.storage.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedsTest {
  /** Its name marks it as an integration test. */
  private static final class SomeIT {}

  @Test
  void everySeedIsRun() throws Exception {
    assumeTrue(System.getProperty("seed") == null);
    List<Long> seen = new ArrayList<>();
    Seeds.from(5).each(3, seen::add);
    assertEquals(List.of(5L, 6L, 7L), seen);
  }

  @Test
  void theCommandNamesModuleTestAndSeed() {
    assertEquals(
        "mvn verify -am -pl storage -DskipITs -Dtest=SeedsTest#some"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dseed=7",
        Seeds.command(SeedsTest.class, "some", 7));
    assertEquals(
        "mvn verify -am -pl storage -Dtest=None -Dit.test=SomeIT#some"
            + " -Dsurefire.failIfNoSpecifiedTests=false"
            + " -Dfailsafe.failIfNoSpecifiedTests=false -Dseed=7",
        Seeds.command(SomeIT.class, "some", 7));
  }
}
