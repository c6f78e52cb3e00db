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
 * the classes of most runs, and names every class, field, method and lambda that they refer to: the
 * JVM resolves them when it makes the cache.
 */
final class ClassList {
  private static final String RESOLVED = "@cp ";
  private static final String LAMBDA = "@lambda-proxy ";

  private ClassList() {}

  /** Arguments: the file to write, the recorded files. The class path is that of the recording. */
  public static void main(String[] arguments) throws IOException {
    SortedMap<String, Integer> runs = new TreeMap<>();
    for (int i = 1; i < arguments.length; i++) {
      for (String line : new TreeSet<>(Files.readAllLines(Path.of(arguments[i])))) {
        if (!line.startsWith(RESOLVED) && !line.startsWith(LAMBDA) && !line.startsWith("#")) {
          runs.merge(line.replaceFirst(" id: .*", ""), 1, Integer::sum);
        }
      }
    }
    List<String> lines = new ArrayList<>();
    runs.forEach(
        (line, count) -> {
          if (2 * count > arguments.length - 1) {
            lines.add(line);
          }
        });
    List<String> classes = lines.stream().filter(line -> !line.startsWith("@")).toList();
    for (String name : classes) {
      addReferences(name, lines);
    }
    Files.write(Path.of(arguments[0]), lines);
  }

  private static void addReferences(String name, List<String> lines) throws IOException {
    try (InputStream file = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      if (file == null) {
        return; // an array, or made by the JVM
      }
      StringBuilder line = new StringBuilder(RESOLVED).append(name);
      for (PoolEntry entry : ClassFile.of().parse(file.readAllBytes()).constantPool()) {
        if (entry instanceof ClassEntry
            || entry instanceof MemberRefEntry
            || entry instanceof InvokeDynamicEntry) {
          line.append(' ').append(entry.index());
        }
      }
      if (line.length() > RESOLVED.length() + name.length()) {
        lines.add(line.toString());
      }
    }
  }
}
