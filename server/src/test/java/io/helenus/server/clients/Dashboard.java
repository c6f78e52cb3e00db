package io.helenus.server.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** The dashboard for Grafana. */
final class Dashboard {
  static final Path FOLDER = Path.of("..", "monitoring").toAbsolutePath().normalize();
  static final Path FILE = FOLDER.resolve("grafana-dashboard.json");

  private Dashboard() {}

  /** The queries of its panels as Grafana sends them: with values for its variables. */
  static List<String> queries() throws IOException {
    List<String> queries = new ArrayList<>();
    for (String each : strings("expr")) {
      String query =
          each.replace("$instance", ".*")
              .replace("$keyspace", ".*")
              .replace("$__rate_interval", "30s");
      if (query.contains("$")) {
        throw new IOException("no value for a variable of " + each);
      }
      queries.add(query);
    }
    return queries;
  }

  /** The queries of its variables. */
  static List<String> variables() throws IOException {
    return strings("query").stream().filter(each -> each.startsWith("label_values")).toList();
  }

  /** The strings in all fields of a name. */
  private static List<String> strings(String field) throws IOException {
    List<String> found = new ArrayList<>();
    try (JsonParser parser =
        new JsonFactory().createParser(ObjectReadContext.empty(), Files.readString(FILE))) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.VALUE_STRING && field.equals(parser.currentName())) {
          found.add(parser.getString());
        }
      }
    }
    return found;
  }
}
