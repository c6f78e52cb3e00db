package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.client.CqlClient;
import io.helenus.server.process.ThreeServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the scripts against a cluster of three nodes: keyspaces have three replicas, requests are
 * sent at QUORUM unless a script says otherwise, and to each node in turn.
 *
 * <p>{@code -Dconformance.nodes=all} runs all scripts, {@code -Dconformance.scripts=a,b} those with
 * these topics; otherwise it is a choice that takes less than a minute.
 */
class ThreeNodesTest {
  private static final String ONLY = System.getProperty("conformance.scripts", "");
  private static final boolean ALL = "all".equals(System.getProperty("conformance.nodes"));

  /** Those that run without a property. */
  private static final Set<String> CHOSEN =
      Set.of(
          "insert",
          "update",
          "delete",
          "paging",
          "static-columns",
          "select-where",
          "select-aggregates",
          "select-multi-column",
          "select-token",
          "select-order-limit",
          "group-by-functions",
          "ttl",
          "timestamps",
          "batch",
          "prepared",
          "prepared-altered",
          "collections-maps",
          "collections-sets",
          "index-partition",
          "index-sai-select",
          "index-sai-text",
          "index-static-and-keys",
          "udt-not-frozen-writes",
          "keys-mixed-order",
          "tables-alter",
          "tables-drop-truncate",
          "conditional-insert",
          "counters-update",
          "views-create",
          "vector-search-select");

  /**
   * Those in which a statement is refused, as a later release decides it once for several replicas:
   * a conditional write, an increment of a counter, an element of a list by its index, a view, a
   * logged batch of several partitions, or another number of replicas for a keyspace with tables.
   * Their answers are compared up to there.
   */
  private static final Set<String> LATER =
      Set.of(
          "assign-sums",
          "batch",
          "collections-bound-unsorted",
          "collections-contains-identical",
          "compact-storage",
          "compact-storage-empty",
          "compact-storage-rows",
          "compact-storage-tables",
          "conditional-batch",
          "conditional-batch-timestamps",
          "conditional-by-type",
          "conditional-collections",
          "conditional-collections-batches",
          "conditional-delete",
          "conditional-insert",
          "conditional-operators",
          "conditional-prepared",
          "conditional-rejected",
          "conditional-static",
          "conditional-update",
          "conditional-user-types",
          "counters-batch",
          "counters-select",
          "counters-tables",
          "counters-update",
          "coverage-columns-composed",
          "coverage-elements",
          "coverage-elements-composed",
          "error-precedence-hints",
          "frameworks",
          "functions-varying",
          "generated-1500001",
          "generated-1500002",
          "generated-1500003",
          "generated-1500004",
          "grammar-rare",
          "guardrails-features",
          "identifiers",
          "identifiers-quoted",
          "index-guardrails",
          "index-legacy-collections",
          "index-sai-collections",
          "index-writes",
          "json-shapes",
          "json-spellings",
          "json-structures",
          "json-user-types",
          "lists-index",
          "lists-levels",
          "masked-columns",
          "negations",
          "prepared-altered",
          "quoted-names-refused",
          "teaching",
          "tuple-arguments",
          "types-by-class",
          "types-frozen-class-names",
          "udt-not-frozen-prepared",
          "user-types-as-tuples",
          "user-types-in-keys",
          "vector-search-refusals",
          "vector-search-writes",
          "views-alter",
          "views-compact",
          "views-create",
          "views-describe",
          "views-equal-values",
          "views-guardrails",
          "views-masked",
          "views-refused",
          "views-rows",
          "views-rows-collections",
          "views-rows-moved",
          "views-where",
          "views-where-collections",
          "views-writes-refused",
          "writetime-of-parts");

  /** Those that guard against other numbers of replicas, and against QUORUM. */
  private static final Set<String> OTHER_FACTORS =
      Set.of("guardrails-definitions", "guardrails-requests");

  /** How it is refused. */
  private static final Pattern NOT_YET =
      Pattern.compile(
          "! 2200 .* (?:not supported yet for rows with replicas on other nodes"
              + "|not supported yet in a cluster of several nodes"
              + "|cannot be changed yet in a cluster of several nodes).*");

  @TempDir private Path folder;

  @TestFactory
  Stream<DynamicTest> scripts() throws Exception {
    ThreeServers servers = start(folder.resolve("all"), Map.of());
    List<InetSocketAddress> nodes = nodes(servers);
    return Script.readAll(ScriptTest.folder()).stream()
        .filter(ThreeNodesTest::isChosen)
        .map(
            script ->
                DynamicTest.dynamicTest(
                    script.topic(),
                    () -> {
                      if (script.settings().isEmpty()) {
                        check(script, nodes);
                      } else {
                        checkAlone(script);
                      }
                    }))
        .onClose(servers::close);
  }

  private static ThreeServers start(Path folder, Map<String, String> given) throws IOException {
    return new ThreeServers(folder, settings -> NodeUnderTest.settings(settings, given));
  }

  private static List<InetSocketAddress> nodes(ThreeServers servers) throws InterruptedException {
    List<InetSocketAddress> nodes = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      servers.awaitUp(i, 2);
      nodes.add(InetSocketAddress.createUnresolved(ThreeServers.address(i), servers.port(i)));
    }
    return nodes;
  }

  /** Runs a script on nodes with its settings. */
  private void checkAlone(Script script) throws IOException, InterruptedException {
    try (ThreeServers servers = start(folder.resolve(script.topic()), script.settings())) {
      check(script, nodes(servers));
    }
  }

  private static boolean isChosen(Script script) {
    if (OTHER_FACTORS.contains(script.topic())) {
      return false;
    }
    return ONLY.isEmpty()
        ? ALL || CHOSEN.contains(script.topic())
        : List.of(ONLY.split(",", -1)).contains(script.topic());
  }

  private void check(Script script, List<InetSocketAddress> nodes) throws IOException {
    Script replicated = ThreeReplicas.of(script);
    try (ScriptRunner runner =
        new ScriptRunner(
            nodes, CqlClient.DEFAULT_TIMEOUT_MILLIS, ScriptRunner.Disturbance.NONE, false)) {
      List<List<String>> answers =
          runner.run(replicated).stream().map(ThreeReplicas::withoutFactors).toList();
      int refused = firstRefused(answers);
      assertEquals(LATER.contains(script.topic()), refused < answers.size(), "is in LATER");
      Comparison comparison =
          Comparison.ofReconnected(
              ThreeReplicas.first(replicated, refused), answers.subList(0, refused));
      assertEquals(0, comparison.failed(), () -> comparison.summary() + "\n" + comparison.report());
    }
  }

  /** The index of the first statement that a later release will carry out, or the number of all. */
  private static int firstRefused(List<List<String>> answers) {
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).stream().anyMatch(line -> NOT_YET.matcher(line).matches())) {
        return i;
      }
    }
    return answers.size();
  }
}
