package io.helenus.server.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The contents of {@code types.tsv}: one value of every kind of type.
 *
 * @param statements the statements to execute first
 * @param columns the columns with a value each
 */
public record ValuesOfTypes(List<String> statements, List<Column> columns) {
  /** A column, its type and a literal. */
  public record Column(String name, String type, String literal) {
    /** The type of a key with such values, or an empty text if no key can have them. */
    public String keyType() {
      if (type.contains("duration")) {
        return "";
      }
      boolean plain = !type.contains("<") || type.matches("(frozen|vector)<.*");
      return plain ? type : "frozen<" + type + ">";
    }
  }

  static Path file() {
    return Path.of("..", "server", "src", "test", "resources", "clients", "types.tsv")
        .toAbsolutePath();
  }

  /** Reads the file. */
  public static ValuesOfTypes read() throws IOException {
    List<String> statements = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    for (String line : Files.readAllLines(file())) {
      List<String> parts = List.of(line.split("\t", -1));
      if (parts.size() == 3) {
        columns.add(new Column(parts.get(0), parts.get(1), parts.get(2)));
      } else if (!line.startsWith("#")) {
        statements.add(line);
      }
    }
    return new ValuesOfTypes(statements, columns);
  }

  /** The statements that create a keyspace with a table {@code types} and its row 1. */
  public List<String> setUp(String keyspace) {
    List<String> all = new ArrayList<>();
    all.add("DROP KEYSPACE IF EXISTS " + keyspace);
    all.add(
        "CREATE KEYSPACE "
            + keyspace
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    all.add("USE " + keyspace);
    all.addAll(statements);
    all.add(createTable("types"));
    all.add(insertLiterals("types", 1));
    return all;
  }

  /** The names, separated by commas. */
  public String names() {
    return columns.stream().map(Column::name).collect(Collectors.joining(", "));
  }

  /** A table with these columns and the key {@code k int}. */
  public String createTable(String name) {
    String definitions =
        columns.stream()
            .map(column -> column.name() + " " + column.type())
            .collect(Collectors.joining(", "));
    return "CREATE TABLE " + name + " (k int PRIMARY KEY, " + definitions + ")";
  }

  /** An INSERT of the literals into the table. */
  public String insertLiterals(String table, int k) {
    String literals = columns.stream().map(Column::literal).collect(Collectors.joining(", "));
    return "INSERT INTO " + table + " (k, " + names() + ") VALUES (" + k + ", " + literals + ")";
  }

  /** An INSERT into the table with a marker for each value. */
  public String insertBound(String table) {
    return "INSERT INTO "
        + table
        + " (k, "
        + names()
        + ") VALUES (?"
        + ", ?".repeat(columns.size())
        + ")";
  }
}
