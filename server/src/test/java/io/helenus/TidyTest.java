package io.helenus;

import static io.helenus.CompiledModules.in;
import static io.helenus.CompiledModules.packageBelow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.helenus.server.config.ClusterSettings;
import io.helenus.server.config.MemoryPlan;
import io.helenus.server.config.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Enforces the dependencies of docs/architecture.md, the size limits, and the banned calls. */
class TidyTest {
  private static final int FILE_LINES = 500;
  private static final int METHOD_LINES = 70;

  /** The packages of the server from the bottom to the top: each may depend on those before it. */
  private static final List<String> LAYERS =
      List.of(
          "error",
          "metrics",
          "config",
          "guardrails",
          "types",
          "ring",
          "functions",
          "schema",
          "advice",
          "protocol",
          "consensus",
          "metadata",
          "shard",
          "internode",
          "cluster",
          "view",
          "coordinator",
          "replica",
          "viewbuild",
          "query",
          "modelling",
          "system",
          "transport",
          "admin",
          "nodetool",
          "dump",
          "node",
          "process");

  /** The packages of query, from the bottom to the top; requests are dispatched above them. */
  private static final List<String> QUERY_LAYERS =
      List.of(
          "statement",
          "value",
          "restriction",
          "selection",
          "condition",
          "modification",
          "select",
          "definition",
          "prepared",
          "tracing",
          "explain");

  /** The packages of storage, from the bottom to the top. */
  private static final List<String> STORAGE_LAYERS =
      List.of(
          "memory",
          "bytes",
          "env",
          "row",
          "engine",
          "run",
          "index",
          "vector",
          "memtable",
          "sstable",
          "cache",
          "merge",
          "reply",
          "read",
          "lookup",
          "nearest",
          "log",
          "manifest",
          "job",
          "compaction",
          "local");

  /** The packages of copy, from the bottom to the top; its command is above them. */
  private static final List<String> COPY_LAYERS =
      List.of("cluster", "schema", "rows", "compare", "work");

  /** Packages of query that neither reach a replica, nor answer a client, nor read a clock. */
  private static final Set<String> PURE_QUERY_PACKAGES =
      Set.of("value", "restriction", "selection", "condition");

  private static final Set<String> STORAGE_API =
      Set.of("memory", "bytes", "row", "env", "engine", "local");
  private static final Set<String> ENGINE_USERS =
      Set.of(
          "shard",
          "view",
          "coordinator",
          "replica",
          "viewbuild",
          "query",
          "schema",
          "system",
          "metadata",
          "admin");

  /** The types of storage's engine visible to packages that must not drive it: requests, sinks. */
  private static final Set<String> ENGINE_VALUES =
      Set.of(
          "CommitLogStatistics",
          "IndexDescriptor",
          "IndexDescriptor$Similarity",
          "IndexDescriptor$Source",
          "IndexDescriptor$VectorOptions",
          "IndexTerms",
          "ColumnSelection",
          "FilesToLoad",
          "IndexLookup",
          "KeyRanges",
          "PartitionNotes",
          "ReadCursor",
          "ReadCursor$Status",
          "ReadLimits",
          "ReadRequest",
          "ReplicaDifferences",
          "ReplicaMerge",
          "ReplyDigest",
          "ElementSink",
          "RowSink",
          "RowSink$Next",
          "TableDescriptor",
          "TableDescriptor$Column",
          "TableDescriptor$Kind",
          "TableDescriptor$Compression",
          "Tables",
          "TableContents",
          "TableStatistics",
          "VectorSearchCounts",
          "TermSink",
          "ShardMap",
          "StorageActivity",
          "StorageActivity$FinishedCompaction",
          "StorageActivity$Kind",
          "StorageActivity$Task",
          "StorageActivity$Work",
          "StorageException",
          "TombstoneLimitException",
          "WriteRefusedException",
          "WriteRefusedException$Reason");

  private static final Set<String> ENGINE_DRIVERS =
      Set.of("replica", "system", "dump", "node", "process");

  /** Only these open storage; the others are given its interfaces. */
  private static final Set<String> STORAGE_OPENERS = Set.of("dump", "node", "process");

  private static final Set<String> NETTY_USERS =
      Set.of("protocol", "transport", "admin", "process");

  /** Packages that run outside of a simulation only: the node's process, and the tool's. */
  private static final Set<String> PROCESSES = Set.of("process", "nodetool");

  /** Packages of copy that meet neither the clock nor threads nor files. */
  private static final Set<String> PURE_COPY_PACKAGES = Set.of("schema", "rows", "compare");

  private static final Map<String, Set<String>> BANNED_CALLS =
      Map.of(
          "java.lang.System", Set.of("nanoTime", "currentTimeMillis"),
          "java.lang.Thread", Set.of("<init>", "sleep", "start", "ofVirtual", "ofPlatform"),
          "java.util.UUID", Set.of("randomUUID"),
          "java.util.Random", Set.of("<init>"),
          "java.util.concurrent.ThreadLocalRandom", Set.of("current"),
          "java.util.concurrent.CompletableFuture", Set.of("runAsync", "supplyAsync"),
          "java.util.concurrent.Executors", Set.of("newFixedThreadPool", "newCachedThreadPool"),
          "java.time.Instant", Set.of("now"),
          "java.time.Clock", Set.of("systemUTC"));

  private static CompiledModules modules = CompiledModules.NONE;

  @BeforeAll
  static void importClasses(@TempDir Path folder) throws IOException {
    modules = CompiledModules.importAll(folder);
  }

  private static void check(CompiledModules.Rule rule) {
    modules.check(rule);
  }

  @Test
  void serverPackagesDependOnlyOnLowerLayers() {
    modules.checkLayers("server", LAYERS);
  }

  @Test
  void queryPackagesDependOnlyOnLowerLayers() {
    modules.checkLayers("server.query", QUERY_LAYERS);
  }

  @Test
  void storagePackagesDependOnlyOnLowerLayers() {
    modules.checkLayers("storage", STORAGE_LAYERS);
  }

  @Test
  void copyPackagesDependOnlyOnLowerLayers() {
    modules.checkLayers("copy", COPY_LAYERS);
  }

  /** Planning is pure, and so is everything that works on values, restrictions and rows. */
  @Test
  void planningUsesNoCoordinatorExchangeOrClock() {
    check((from, to) -> isPure(from) && isOutsideWorld(to));
  }

  private static boolean isPure(JavaClass type) {
    String name = packageBelow(type, "server.query");
    boolean inQuery = in(type, "io.helenus.server.query");
    String outermost = type.getName().replaceFirst("\\$.*", "");
    return PURE_QUERY_PACKAGES.contains(name)
        || (inQuery && (outermost.endsWith("Plan") || outermost.endsWith("Planner")));
  }

  private static boolean isOutsideWorld(JavaClass type) {
    return packageBelow(type, "server").equals("coordinator")
        || packageBelow(type, "server").equals("shard")
        || type.getName().equals("io.helenus.server.protocol.Exchange")
        || type.getName().equals("io.helenus.storage.env.Clock");
  }

  @Test
  void onlyTheServerDependsOnOtherModules() {
    for (String module : List.of("io.helenus.cql", "io.helenus.storage", "io.helenus.copy")) {
      check((from, to) -> in(from, module) && in(to, "io.helenus") && !in(to, module));
    }
    check((from, to) -> !in(from, "io.helenus.copy") && in(to, "io.helenus.copy"));
  }

  @Test
  void onlyDumpAndNodeOpenStorage() {
    check(
        (from, to) ->
            in(from, "io.helenus.server")
                && in(to, "io.helenus.storage.local")
                && !STORAGE_OPENERS.contains(packageBelow(from, "server")));
  }

  @Test
  void serverUsesOnlyThePublicPackagesOfStorage() {
    check(
        (from, to) ->
            in(from, "io.helenus.server")
                && in(to, "io.helenus.storage")
                && !STORAGE_API.contains(packageBelow(to, "storage")));
  }

  @Test
  void onlyReplicaSystemDumpNodeAndProcessDriveTheEngine() {
    check(
        (from, to) -> {
          if (!in(from, "io.helenus.server") || !packageBelow(to, "storage").equals("engine")) {
            return false;
          }
          String user = packageBelow(from, "server");
          String name = to.getName().substring(to.getPackageName().length() + 1);
          return !ENGINE_DRIVERS.contains(user)
              && !(ENGINE_USERS.contains(user) && ENGINE_VALUES.contains(name));
        });
  }

  @Test
  void queryReachesReplicasThroughTheCoordinatorOnly() {
    Set<String> behind = Set.of("transport", "replica");
    check(
        (from, to) ->
            packageBelow(from, "server").equals("query")
                && behind.contains(packageBelow(to, "server")));
  }

  @Test
  void onlyProtocolTransportAdminAndProcessUseNetty() {
    check(
        (from, to) ->
            in(from, "io.helenus")
                && in(to, "io.netty")
                && !NETTY_USERS.contains(packageBelow(from, "server")));
  }

  /** A node that is not scraped, or has no index of vectors, does not pay for their libraries. */
  @Test
  void librariesAreUsedInOnePackageEach() {
    Map.of(
            "io.micrometer", "io.helenus.server.admin.prometheus",
            "io.prometheus", "io.helenus.server.admin.prometheus",
            "org.apache.datasketches", "io.helenus.server.metrics",
            "io.github.jbellis", "io.helenus.storage.vector",
            "org.antlr", "io.helenus.cql.parser")
        .forEach(
            (library, user) ->
                check((from, to) -> in(to, library) && in(from, "io.helenus") && !in(from, user)));
  }

  @Test
  void packagesHaveNoCycles() {
    for (String module :
        List.of("io.helenus.cql", "io.helenus.storage", "io.helenus.server", "io.helenus.copy")) {
      SlicesRuleDefinition.slices()
          .matching(module + ".(**)")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .check(modules.classes().that(new InModule(module)));
    }
  }

  private static final class InModule extends DescribedPredicate<JavaClass> {
    private final String module;

    InModule(String module) {
      super("in " + module);
      this.module = module;
    }

    @Override
    public boolean test(JavaClass type) {
      return in(type, module);
    }
  }

  @Test
  void timeThreadsAndRandomnessAreInjected() {
    Set<String> broken = new TreeSet<>();
    for (JavaClass from : modules.classes()) {
      if (PROCESSES.contains(packageBelow(from, "server"))
          || packageBelow(from, "storage").equals("env")
          || in(from, "io.helenus.bench")
          || isImpureCopy(from)) {
        continue;
      }
      for (JavaAccess<?> access : from.getAccessesFromSelf()) {
        Set<String> names = BANNED_CALLS.get(access.getTargetOwner().getName());
        if (names != null && names.contains(access.getTarget().getName())) {
          broken.add(access.getDescription());
        }
        if (access.getTargetOwner().getName().equals("java.nio.file.Files")) {
          broken.add(access.getDescription());
        }
      }
    }
    assertTrue(broken.isEmpty(), () -> String.join("\n", broken));
  }

  private static boolean isImpureCopy(JavaClass type) {
    return in(type, "io.helenus.copy") && !PURE_COPY_PACKAGES.contains(packageBelow(type, "copy"));
  }

  /**
   * As long as the JVM has loaded only one kind of segment, compiled code accesses memory without a
   * type check. The first segment over an array, created here or inside these JDK methods, ends
   * that for the whole process and triggers recompilation.
   */
  @Test
  void noSegmentWrapsAnArray() {
    Set<String> makers = Set.of("ofArray", "toArray", "allocateFrom");
    Set<String> broken = new TreeSet<>();
    for (JavaClass from : modules.classes()) {
      for (JavaAccess<?> access : from.getAccessesFromSelf()) {
        if (access.getTargetOwner().getPackageName().equals("java.lang.foreign")
            && makers.contains(access.getTarget().getName())) {
          broken.add(access.getDescription());
        }
      }
    }
    assertTrue(broken.isEmpty(), () -> String.join("\n", broken));
  }

  @Test
  void everySettingIsRead() {
    Set<String> idle = new TreeSet<>();
    Setting.ALL.forEach(
        setting -> idle.add(setting.name().replace('.', '_').toUpperCase(Locale.ROOT)));
    Setting.GUARDRAILS.forEach(setting -> idle.remove(setting.name().toUpperCase(Locale.ROOT)));
    for (JavaClass type : modules.classes()) {
      if (!packageBelow(type, "server").equals("config")
          || type.isEquivalentTo(MemoryPlan.class)
          || type.isEquivalentTo(ClusterSettings.class)) {
        type.getFieldAccessesFromSelf().stream()
            .filter(access -> access.getTargetOwner().isEquivalentTo(Setting.class))
            .forEach(access -> idle.remove(access.getTarget().getName()));
      }
    }
    assertEquals(Set.of(), idle, "settings that no code reads");
  }

  @Test
  void filesAndMethodsAreShort() throws IOException {
    List<String> tooLong = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(Sources.all()));
      for (CompilationUnitTree unit : task.parse()) {
        LineMap lines = unit.getLineMap();
        var positions = Trees.instance(task).getSourcePositions();
        String name = Sources.ROOT.relativize(Path.of(unit.getSourceFile().toUri())).toString();
        long total = lines.getLineNumber(positions.getEndPosition(unit, unit));
        if (total > FILE_LINES) {
          tooLong.add(name + " has " + total + " lines");
        }
        new TreeScanner<Void, Void>() {
          @Override
          public Void visitMethod(MethodTree method, Void nothing) {
            long first = lines.getLineNumber(positions.getStartPosition(unit, method));
            long last = lines.getLineNumber(positions.getEndPosition(unit, method));
            if (last - first + 1 > METHOD_LINES) {
              tooLong.add(name + " " + method.getName() + " has " + (last - first + 1) + " lines");
            }
            return super.visitMethod(method, nothing);
          }
        }.scan(unit, null);
      }
    }
    assertEquals(List.of(), tooLong);
  }

  /** With -Dformat=apply the sources are reformatted instead. */
  @Test
  void sourcesAreFormatted() throws IOException, FormatterException {
    Formatter formatter = new Formatter();
    boolean apply = "apply".equals(System.getProperty("format"));
    Set<String> untidy = new TreeSet<>();
    for (Path file : Sources.all()) {
      String source = Files.readString(file);
      String tidy = formatter.formatSourceAndFixImports(source);
      if (!tidy.equals(source)) {
        if (apply) {
          Files.writeString(file, tidy);
        } else {
          untidy.add(Sources.ROOT.relativize(file).toString());
        }
      }
    }
    assertEquals(
        Set.of(), untidy, "reformat with: mvn -pl server -am test -Dtest=TidyTest -Dformat=apply");
  }

  /** docs/architecture.md refers to files by name. */
  @Test
  void everyPackageHasADescription() throws IOException {
    Set<String> silent = new TreeSet<>();
    for (Path file : Sources.all()) {
      Path folder = file.getParent();
      if (file.toString().contains("/src/main/")
          && !Files.exists(folder.resolve("package-info.java"))) {
        silent.add(Sources.ROOT.relativize(folder).toString());
      }
    }
    assertEquals(Set.of(), silent);
  }
}
