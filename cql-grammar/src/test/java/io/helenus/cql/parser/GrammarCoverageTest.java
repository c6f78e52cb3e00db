package io.helenus.cql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every alternative of the grammar has a statement in the conformance scripts. */
class GrammarCoverageTest {
  private static final Path SCRIPTS =
      Path.of("..", "server", "src", "test", "resources", "cql").toAbsolutePath();

  /** An order that this version refuses, and names that are parsed only to be rejected. */
  private static final Set<String> UNCOVERED =
      Set.of(
          "indexNamePart 4 of 4 QMARK",
          "keyspaceNamePart 4 of 4 QMARK",
          "tableNamePart 4 of 4 QMARK");

  /** Statements that this version refuses. */
  private static final Set<String> REFUSED =
      Set.of(
          "createIndexStatement",
          "dropIndexStatement",
          "createViewStatement",
          "alterViewStatement",
          "dropViewStatement",
          "createTriggerStatement",
          "dropTriggerStatement",
          "createFunctionStatement",
          "dropFunctionStatement",
          "createAggregateStatement",
          "dropAggregateStatement",
          "createUserStatement",
          "alterUserStatement",
          "dropUserStatement",
          "listUsersStatement",
          "createRoleStatement",
          "alterRoleStatement",
          "dropRoleStatement",
          "listRolesStatement",
          "grantRoleStatement",
          "revokeRoleStatement",
          "grantPermissionsStatement",
          "revokePermissionsStatement",
          "listPermissionsStatement",
          "addIdentityStatement",
          "dropIdentityStatement");

  @Test
  void everyAlternativeHasARecordedStatement() throws IOException {
    GrammarCoverage coverage = new GrammarCoverage();
    for (String statement : statements()) {
      coverage.add(statement);
    }
    assertEquals(UNCOVERED, coverage.missing(REFUSED));
  }

  private static List<String> statements() throws IOException {
    List<String> statements = new ArrayList<>();
    try (var files = Files.list(SCRIPTS)) {
      for (Path file : files.sorted().toList()) {
        addStatements(Files.readAllLines(file), statements);
      }
    }
    return statements;
  }

  /** The first lines of statements and those that continue them; see Script in the server. */
  private static void addStatements(List<String> lines, List<String> statements) {
    String statement = "";
    for (String line : lines) {
      if (line.startsWith(" ")) {
        statement += "\n" + line;
      } else {
        statements.add(statement);
        statement = line.isEmpty() || "#@>!".indexOf(line.charAt(0)) >= 0 ? "" : line;
      }
    }
    statements.add(statement);
  }
}
