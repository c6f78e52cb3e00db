package io.helenus.server.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.types.ScalarType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Every function has a recorded statement for an argument of every scalar type. */
class FunctionScriptsTest {
  private static final Path SCRIPT =
      Path.of("src", "test", "resources", "cql", "functions-by-type.cql");

  /**
   * Functions without arguments; those with scripts of their own; results of a type that drivers
   * cannot read; and a call that overflows in Cassandra, which answers with a server error.
   */
  private static final Set<String> WITHOUT_LINE =
      new TreeSet<>(
          List.of(
              "collection_avg",
              "collection_count",
              "collection_max",
              "collection_min",
              "collection_sum",
              "current_time",
              "current_timestamp",
              "current_timeuuid",
              "currentdate",
              "currenttime",
              "currenttimestamp",
              "currenttimeuuid",
              "exp(varint)",
              "map_keys",
              "map_values",
              "mask_default(timeuuid)",
              "mask_null(timeuuid)",
              "mask_replace(timeuuid)",
              "min(timeuuid)",
              "similarity_cosine",
              "similarity_dot_product",
              "similarity_euclidean"));

  @Test
  void everyFunctionIsRecordedWithEveryType() throws IOException {
    String script = Files.readString(SCRIPT);
    Set<String> missing = new TreeSet<>();
    for (String function : FunctionNames.all()) {
      List<String> types = new ArrayList<>();
      for (ScalarType type : ScalarType.values()) {
        boolean column = type != ScalarType.COUNTER && type != ScalarType.EMPTY;
        if (column && !script.contains(" " + function + "(c_" + type.toCql())) {
          types.add(function + "(" + type.toCql() + ")");
        }
      }
      if (types.size() == ScalarType.values().length - 2) {
        missing.add(function);
      } else {
        missing.addAll(types);
      }
    }
    assertEquals(WITHOUT_LINE, missing);
  }

  @Test
  void everyCastIsRecorded() throws IOException {
    String script = Files.readString(SCRIPT);
    Set<String> missing = new TreeSet<>();
    for (ScalarType from : ScalarType.values()) {
      for (ScalarType to : ScalarType.values()) {
        boolean columns =
            from != ScalarType.COUNTER
                && from != ScalarType.EMPTY
                && to != ScalarType.COUNTER
                && to != ScalarType.EMPTY;
        String cast = "cast(c_" + from.toCql() + " AS " + to.toCql() + ")";
        if (columns && !script.contains(cast)) {
          missing.add(cast);
        }
      }
    }
    assertEquals(Set.of(), missing);
  }
}
