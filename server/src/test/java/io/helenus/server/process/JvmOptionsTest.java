package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that the references to Helenus code in conf/jvm.options are valid. */
class JvmOptionsTest {
  private static final String BOUNDARY = "-XX:CompileCommand=dontinline,";

  @Test
  void everyMethodExcludedFromInliningExists() throws IOException, ClassNotFoundException {
    List<String> boundaries =
        Files.readAllLines(Path.of("..", "conf", "jvm.options")).stream()
            .filter(line -> line.startsWith(BOUNDARY))
            .map(line -> line.substring(BOUNDARY.length()))
            .toList();

    assertFalse(boundaries.isEmpty());
    for (String boundary : boundaries) {
      int colons = boundary.indexOf("::");
      Class<?> owner =
          Class.forName(
              boundary.substring(0, colons), false, JvmOptionsTest.class.getClassLoader());
      assertTrue(
          Arrays.stream(owner.getDeclaredMethods())
              .map(Method::getName)
              .anyMatch(boundary.substring(colons + 2)::equals),
          boundary + " matches no method; the JVM would silently ignore it");
    }
  }
}
