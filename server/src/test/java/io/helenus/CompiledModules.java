package io.helenus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The classes of all modules that have Java code for production, and what they depend on. */
record CompiledModules(JavaClasses classes) {
  static final CompiledModules NONE = new CompiledModules(new ClassFileImporter().importClasses());

  /** Which dependencies are not allowed. */
  interface Rule {
    boolean broken(JavaClass from, JavaClass to);
  }

  /**
   * Imports them.
   *
   * @param folder an empty one, for the classes of copy
   */
  static CompiledModules importAll(Path folder) throws IOException {
    compileCopy(folder);
    Set<Location> locations = new HashSet<>(Locations.ofPackage("io.helenus"));
    locations.addAll(Locations.of(Set.of(folder.toUri().toURL())));
    return new CompiledModules(
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("/test-classes/"))
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importLocations(locations));
  }

  /** The server does not use the copy module, so that its classes are not there yet. */
  private static void compileCopy(Path folder) throws IOException {
    List<Path> copy =
        Sources.all().stream()
            .filter(file -> file.startsWith(Sources.ROOT.resolve("copy/src/main")))
            .toList();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      assertTrue(
          compiler
              .getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none", "-d", folder.toString()),
                  null,
                  files.getJavaFileObjectsFromPaths(copy))
              .call(),
          "copy compiles");
    }
  }

  /** The first package segment of a class below a module or package; empty without one. */
  static String packageBelow(JavaClass type, String module) {
    String prefix = "io.helenus." + module + ".";
    String name = type.getPackageName();
    if (!name.startsWith(prefix)) {
      return "";
    }
    String rest = name.substring(prefix.length());
    int dot = rest.indexOf('.');
    return dot < 0 ? rest : rest.substring(0, dot);
  }

  /** The packages that have classes. */
  private Set<String> packagesBelow(String module) {
    Set<String> found = new TreeSet<>();
    classes.forEach(type -> found.add(packageBelow(type, module)));
    found.remove("");
    return found;
  }

  /** Fails with the dependencies that break a rule. */
  void check(Rule rule) {
    Set<String> broken = new TreeSet<>();
    for (JavaClass from : classes) {
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        if (rule.broken(from, to)) {
          broken.add(from.getName() + " → " + to.getName());
        }
      }
    }
    assertTrue(broken.isEmpty(), () -> String.join("\n", broken));
  }

  /**
   * Packages of a module, or of a package, depend on those before them in the list only, and not on
   * classes beside them, which are on top.
   */
  void checkLayers(String module, List<String> layers) {
    assertEquals(
        new TreeSet<>(layers), packagesBelow(module), "the list of layers names every package");
    check(
        (from, to) -> {
          String user = packageBelow(from, module);
          return goesUp(layers, user, packageBelow(to, module))
              || (!user.isEmpty() && to.getPackageName().equals("io.helenus." + module));
        });
  }

  private static boolean goesUp(List<String> staircase, String from, String to) {
    return !from.isEmpty() && !to.isEmpty() && staircase.indexOf(to) > staircase.indexOf(from);
  }

  /** Whether a class is in a package or below it. */
  static boolean in(JavaClass type, String prefix) {
    return type.getPackageName().equals(prefix) || type.getPackageName().startsWith(prefix + ".");
  }
}
