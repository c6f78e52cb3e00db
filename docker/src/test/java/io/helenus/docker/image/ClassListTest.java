package io.helenus.docker.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassListTest {
  private static final String FORM =
      "@lambda-form-invoker [LF_RESOLVE] java.lang.invoke.Invokers$Holder invoke_MT L_V";

  @TempDir private Path folder;

  private List<String> listOf(String... runs) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add(folder.resolve("list").toString());
    for (int i = 0; i < runs.length; i++) {
      arguments.add(Files.writeString(folder.resolve("run" + i), runs[i]).toString());
    }
    ClassList.main(arguments.toArray(String[]::new));
    return Files.readAllLines(folder.resolve("list"));
  }

  @Test
  void orderAndWhatOneRunNeededDoNotShow() throws IOException {
    String object = "java/lang/Object id: %d\n";
    String comparable = "java/lang/Comparable id: %d\n";
    List<String> list =
        listOf(
            "# comment\n" + object.formatted(0) + comparable.formatted(1) + FORM + "\n",
            comparable.formatted(0) + FORM + "\n" + object.formatted(1),
            object.formatted(0) + comparable.formatted(1) + FORM + "\njava/util/Timer id: 2\n");
    assertEquals(List.of(FORM, "java/lang/Comparable", "java/lang/Object"), list.subList(0, 3));
    assertTrue(list.get(3).startsWith("@cp java/lang/Comparable "), list.get(3));
    assertTrue(list.get(4).startsWith("@cp java/lang/Object "), list.get(4));
    assertEquals(5, list.size());
  }

  /** The indexes of the calls that make lambdas are those of the class file. */
  @Test
  void onlyLambdasOfMostRunsAreNamed() throws IOException {
    String name = "java/util/Comparator\n";
    int without = listOf(name).getLast().split(" ", -1).length;
    String all = "@cp java/util/Comparator " + everyIndex() + "\n";
    assertEquals(without, listOf(name + all, name, name).getLast().split(" ", -1).length);
    assertTrue(listOf(name + all, name, name + all).getLast().split(" ", -1).length > without);
  }

  private static String everyIndex() {
    StringBuilder indexes = new StringBuilder("1");
    for (int i = 2; i < 1000; i++) {
      indexes.append(' ').append(i);
    }
    return indexes.toString();
  }
}
