package io.helenus.server.differential;

import io.helenus.server.conformance.Comparison;
import io.helenus.server.conformance.Script;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells whether two servers refuse a statement for different mistakes that it both has, of which
 * each server names one.
 *
 * <p>This is proven by reductions of the statement (see {@link Reductions}): for each of the two
 * texts there must be one that both servers refuse with that text. So both know both mistakes, and
 * a text that does not belong to the statement is not excused. Either text may also be one that its
 * server alone gives to a reduction, if that difference is deliberate. Not thread-safe.
 */
final class OrderOfMistakes {
  private static final int STEPS = 3;
  private static final int BOUND = 1000;
  private static final Pattern REFUSED = Pattern.compile("! (?!0000|2000|no answer)[0-9a-f]{4} .*");
  private static final Pattern MISSING =
      Pattern.compile(
          "(?is).*(?:missing|mandatory|restrict(?!ed by (?:both|more than))|filtering|order by"
              + "|group by|range delet).*");
  private static final Pattern FOUND_BY_READING =
      Pattern.compile(
          "! 2200 (?:Attempted to .* a list which is null|List index \\d+ out of bound.*)");

  /** Also of a list that Cassandra does not read in a conditional batch. */
  private static final String UNREAD = " a list which is null";

  private static final Pattern JSON = Pattern.compile("(?is)\\s*insert into \\S+ json .*");
  private static final String NOT_PREPARED = "> not prepared";
  private static final String NULL_KEY = "! 2200 Invalid null value in condition for column ";

  private final ServerPair servers;
  private boolean rowsWritten;

  OrderOfMistakes(ServerPair servers) {
    this.servers = servers;
  }

  /** Whether a reduction has been accepted that may have changed rows, since the last call. */
  boolean takeRowsWritten() {
    boolean written = rowsWritten;
    rowsWritten = false;
    return written;
  }

  /**
   * Whether the answers differ only in which of several mistakes they name. Sends reductions of the
   * statement to both servers; see {@link #takeRowsWritten}.
   */
  boolean explains(Difference difference) throws IOException {
    Script.Statement statement = difference.statement();
    boolean message = statement.directive("batch").isPresent();
    List<String> expected = refusedAtLast(lines(difference.reference()), message);
    List<String> actual = refusedAtLast(lines(difference.subject()), message);
    if (expected.size() != actual.size() || !message && !Reductions.isReducible(statement.text())) {
      return false;
    }
    int execution = -1;
    for (int i = 0; i < expected.size(); i++) {
      execution += expected.get(i).startsWith("> with ") ? 1 : 0;
      if (!expected.get(i).equals(actual.get(i))
          && !bothNamed(statement, execution, expected.get(i), actual.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The compared lines, in which functions have the names that Helenus gives them. */
  private static List<String> lines(List<String> answer) {
    return Comparison.essence(answer).stream()
        .map(line -> Difference.plain(List.of(line)))
        .toList();
  }

  /**
   * The lines without those that say that a statement of a BATCH message was refused when it was
   * prepared: the other server may refuse another one that is sent as text.
   */
  private static List<String> refusedAtLast(List<String> lines, boolean message) {
    return lines.stream().filter(line -> !message || !line.equals(NOT_PREPARED)).toList();
  }

  private boolean bothNamed(
      Script.Statement statement, int execution, String expected, String actual)
      throws IOException {
    if (!mayBeOfOneStatement(expected, actual)) {
      return false;
    }
    Set<String> unproven = new HashSet<>(List.of(expected, actual));
    if (new Difference(statement, List.of(expected), List.of(actual)).isMistakeOfReference()) {
      unproven.remove(expected);
    }
    for (int i = 0; execution >= 0 && i < statement.directives("bind").size(); i++) {
      // the reference's mistake may be repeated with other values
      if (i != execution
          && proven(Reductions.execution(statement, i), expected, actual).equals(expected)) {
        unproven.remove(expected);
      }
    }
    findIn(
        execution < 0 ? statement : Reductions.execution(statement, execution),
        expected,
        actual,
        unproven);
    return unproven.isEmpty();
  }

  /** Whether both lines are refusals with the same code, or one is made by reading a list. */
  private static boolean mayBeOfOneStatement(String expected, String actual) {
    return REFUSED.matcher(actual).matches()
        && (isOfList(expected)
            || REFUSED.matcher(expected).matches()
                && expected.substring(0, 6).equals(actual.substring(0, 6)));
  }

  /** Whether a list was too short. */
  private static boolean isOfList(String refusal) {
    return FOUND_BY_READING.matcher(refusal).matches();
  }

  /** Removes the texts with which both servers refuse the same reduction. */
  private void findIn(Script.Statement whole, String expected, String actual, Set<String> unproven)
      throws IOException {
    Set<List<List<String>>> asked = new HashSet<>();
    List<Reductions.Reduction> simplest = List.of(new Reductions.Reduction(whole, false));
    for (int step = 0; step < STEPS && !unproven.isEmpty(); step++) {
      List<Reductions.Reduction> simpler = new ArrayList<>();
      for (Reductions.Reduction each : simplest) {
        for (Reductions.Reduction next : Reductions.of(each.statement())) {
          Script.Statement statement = next.statement();
          if (unproven.isEmpty() || asked.size() == BOUND) {
            return;
          }
          if (asked.add(List.of(statement.directives(), statement.lines()))) {
            boolean looser = each.isLooser() || next.isLooser();
            String refusal = proven(statement, expected, actual);
            if (!looser || !isOfMissing(statement, refusal)) {
              unproven.remove(refusal);
            }
            simpler.add(new Reductions.Reduction(statement, looser));
          }
        }
      }
      simplest = simpler;
    }
  }

  /** Whether a statement may be refused for what has been omitted from it. */
  private static boolean isOfMissing(Script.Statement statement, String refusal) {
    return MISSING.matcher(refusal).matches()
        || refusal.startsWith(NULL_KEY) && JSON.matcher(statement.text()).matches();
  }

  /**
   * The line with which both servers refuse a statement, or only one of them if it is what that
   * server is to be proven to find and the difference is deliberate; otherwise the empty text.
   */
  private String proven(Script.Statement statement, String expected, String actual)
      throws IOException {
    ServerPair.Answers answers = servers.ask(statement);
    boolean select = DifferentialRound.isSelect(statement);
    boolean prepared = statement.directive("prepare").isPresent();
    rowsWritten |= !answers.areRefusals() && !select && !prepared;
    String there = lines(answers.expected()).getLast();
    String here = lines(answers.actual()).getLast();
    if (answers.areRefusals() && there.equals(here)) {
      return expected.endsWith(UNREAD) && isOfList(there) ? expected : there;
    }
    boolean sought = there.equals(expected) || here.equals(actual);
    if (!sought || !new Difference(statement, answers.expected(), answers.actual()).isAllowed()) {
      return "";
    }
    return there.equals(expected) ? there : here;
  }
}
