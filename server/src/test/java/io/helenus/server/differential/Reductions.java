package io.helenus.server.differential;

import io.helenus.server.conformance.Literal;
import io.helenus.server.conformance.Script;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The statements that are one step simpler than another: a selector, relation, assignment,
 * condition, clause or statement of a batch is omitted, or a value becomes a marker. Only SELECT,
 * INSERT, UPDATE, DELETE and BATCH have reductions.
 *
 * <p>A reduction does not put anything into a statement that could be a mistake, but may omit what
 * the rest needs, such as a part of the key: see {@link Reduction#isLooser}.
 */
final class Reductions {
  private static final Set<String> REDUCIBLE =
      Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "BEGIN");

  private Reductions() {}

  /**
   * A reduced statement.
   *
   * @param isLooser whether restrictions of rows, values of an INSERT or ALLOW FILTERING were
   *     omitted, so that the statement may be refused for missing them
   */
  record Reduction(Script.Statement statement, boolean isLooser) {}

  /** All reductions of a statement, those that omit the most first. */
  static List<Reduction> of(Script.Statement statement) {
    List<Reduction> reductions = new ArrayList<>();
    ofDirectives(statement, reductions);
    if (statement.directive("batch").isPresent()) {
      ofMessage(statement, reductions);
    } else if (isReducible(statement.text())) {
      for (StatementParts.Edit edit : StatementParts.of(statement.text()).edits()) {
        reductions.add(new Reduction(edited(statement, edit), edit.isLooser()));
      }
    }
    return reductions;
  }

  /** Whether the statement reads or writes rows, and defines nothing. */
  static boolean isReducible(String text) {
    List<StatementParts.Token> tokens = StatementParts.tokens(text);
    return !tokens.isEmpty() && REDUCIBLE.contains(tokens.getFirst().keyword());
  }

  /** The statement with one of its executions only. */
  static Script.Statement execution(Script.Statement statement, int number) {
    List<String> directives = new ArrayList<>(statement.directives());
    List<String> binds =
        directives.stream()
            .filter(each -> each.equals("bind") || each.startsWith("bind "))
            .toList();
    if (binds.size() > 1) {
      directives.removeAll(binds);
      directives.add(binds.get(number));
    }
    return with(statement, directives, statement.lines());
  }

  private static void ofDirectives(Script.Statement statement, List<Reduction> reductions) {
    for (String each : statement.directives()) {
      if (each.startsWith("consistency ")
          || each.startsWith("serial ")
          || each.startsWith("page ")) {
        List<String> fewer = new ArrayList<>(statement.directives());
        fewer.remove(each);
        reductions.add(new Reduction(with(statement, fewer, statement.lines()), false));
      }
    }
  }

  /** A BATCH message without one of its statements, one of them alone, or one of them reduced. */
  private static void ofMessage(Script.Statement message, List<Reduction> reductions) {
    List<String> lines = message.lines();
    for (int i = 1; i < lines.size() && lines.size() > 2; i++) {
      List<String> fewer = new ArrayList<>(lines);
      fewer.remove(i);
      reductions.add(new Reduction(with(message, message.directives(), fewer), false));
    }
    for (int i = 1; i < lines.size(); i++) {
      Script.Statement alone = alone(message, lines.get(i).strip());
      reductions.add(new Reduction(alone, false));
      for (StatementParts.Edit edit : StatementParts.of(alone.text()).edits()) {
        if (!edit.isPrepared()) {
          List<String> changed = new ArrayList<>(lines);
          changed.set(i, "  " + line(edited(alone, edit)));
          reductions.add(
              new Reduction(with(message, message.directives(), changed), edit.isLooser()));
        }
      }
    }
  }

  /** A statement of a BATCH message as a statement of its own. */
  private static Script.Statement alone(Script.Statement message, String line) {
    List<String> directives = new ArrayList<>(message.directives());
    directives.removeIf(each -> each.startsWith("batch"));
    int at = Math.max(line.indexOf(" @bind "), line.indexOf(" @values "));
    if (at >= 0) {
      directives.add(line.substring(at + 2).strip());
    } else if (line.endsWith(" @bind")) {
      at = line.length() - " @bind".length();
      directives.add("bind");
    }
    String text = at < 0 ? line : line.substring(0, at);
    return new Script.Statement(0, directives, List.of(text), List.of());
  }

  private static String line(Script.Statement alone) {
    StringBuilder line = new StringBuilder(alone.text());
    alone.directive("bind").ifPresent(values -> line.append(" @bind ").append(values));
    alone.directive("values").ifPresent(values -> line.append(" @values ").append(values));
    return line.toString();
  }

  private static Script.Statement edited(Script.Statement statement, StatementParts.Edit edit) {
    List<String> directives = new ArrayList<>();
    for (String each : statement.directives()) {
      String name = each.replaceFirst(" .*", "");
      boolean values = name.equals("bind") || name.equals("values");
      if (values && !edit.isPrepared()) {
        String rest = without(each.substring(name.length()).strip(), edit.omittedMarkers());
        if (name.equals("bind") || !rest.isEmpty()) {
          directives.add((name + " " + rest).strip());
        }
      } else if (!values && !(each.equals("prepare") && edit.isPrepared())) {
        directives.add(each);
      }
    }
    if (edit.isPrepared()) {
      directives.add("prepare");
    }
    String text =
        statement.directive("escapes").isPresent() ? Literal.escape(edit.text()) : edit.text();
    return new Script.Statement(0, directives, List.of(text.split("\n", -1)), List.of());
  }

  /** The values of a list without those at some positions. */
  private static String without(String values, Set<Integer> positions) {
    List<String> kept = new ArrayList<>();
    List<String> all = StatementParts.values(values);
    for (int i = 0; i < all.size(); i++) {
      if (!positions.contains(i)) {
        kept.add(all.get(i));
      }
    }
    return String.join(", ", kept);
  }

  private static Script.Statement with(
      Script.Statement statement, List<String> directives, List<String> lines) {
    return new Script.Statement(0, List.copyOf(directives), List.copyOf(lines), List.of());
  }
}
