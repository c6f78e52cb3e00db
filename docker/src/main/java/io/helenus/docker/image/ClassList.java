package io.helenus.docker.image;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Makes the list of classes for a start-up cache of the image from those that the JVM has recorded
 * in training runs ({@code -XX:DumpLoadedClassList}).
 *
 * <p>Such a list has lines with a class, in the order in which it was loaded, and lines with what
 * was needed of it ({@code @cp}, indexes into its constant pool; {@code @lambda-proxy}; {@code
 * @lambda-form-invoker}). Order, indexes and a class here and there depend on how the threads of the
 * run were timed. So that two builds of the same sources have the same list, this one is sorted, has
 * the classes and lambdas of most runs, and names every class, field and method that the classes
 * refer to: the JVM resolves them when it makes the cache.
 */
final class ClassList {
  private static final String RESOLVED = "@cp ";
  private static final String LAMBDA = "@lambda-proxy ";
  private static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";

  /** In how many runs a line was recorded; for {@link #RESOLVED} a line per index. */
  private final SortedMap<String, Integer> recorded = new TreeMap<>();

  private final List<String> lines = new ArrayList<>();
  private final int runs;

  private ClassList(int runs) {
    this.runs = runs;
  }

  /** Arguments: the file to write, the recorded files. The class path is that of the recording. */
  public static void main(String[] arguments) throws IOException {
    ClassList list = new ClassList(arguments.length - 1);
    for (int i = 1; i < arguments.length; i++) {
      new TreeSet<>(Files.readAllLines(Path.of(arguments[i]))).forEach(list::count);
    }
    for (String line : list.recorded.keySet()) {
      if (!line.startsWith(RESOLVED) && list.isOfMostRuns(line)) {
        list.lines.add(line);
      }
    }
    for (String name : List.copyOf(list.lines)) {
      if (!name.startsWith("@")) {
        list.addReferences(name);
      }
    }
    Files.write(Path.of(arguments[0]), list.lines);
  }

  private void count(String line) {
    if (line.startsWith(RESOLVED)) {
      int indexes = line.indexOf(' ', RESOLVED.length());
      for (String index : line.substring(indexes + 1).split(" ", -1)) {
        recorded.merge(line.substring(0, indexes) + " " + index, 1, Integer::sum);
      }
    } else if (!line.startsWith(LAMBDA) && !line.startsWith("#")) {
      recorded.merge(line.replaceFirst(" id: .*", ""), 1, Integer::sum);
    }
  }

  private boolean isOfMostRuns(String line) {
    return 2 * recorded.getOrDefault(line, 0) > runs;
  }

  private void addReferences(String name) throws IOException {
    try (InputStream file = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      if (file == null) {
        return; // an array, or made by the JVM
      }
      String start = RESOLVED + name;
      StringBuilder line = new StringBuilder(start);
      for (PoolEntry entry : ClassFile.of().parse(file.readAllBytes()).constantPool()) {
        String index = " " + entry.index();
        boolean resolved =
            switch (entry) {
              case ClassEntry _, MemberRefEntry _ -> true;
              case InvokeDynamicEntry call -> isLambda(call) && isOfMostRuns(start + index);
              default -> false;
            };
        if (resolved) {
          line.append(index);
        }
      }
      if (line.length() > start.length()) {
        lines.add(line.toString());
      }
    }
  }

  /** Not so the concatenation of texts, mostly of messages that depend on time. */
  private static boolean isLambda(InvokeDynamicEntry call) {
    return call.bootstrap().bootstrapMethod().reference().owner().asInternalName().equals(LAMBDAS);
  }
}
