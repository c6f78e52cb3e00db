package io.helenus.server.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A conformance script: statements with their recorded answers, one file per topic.
 *
 * <p>Line by line:
 *
 * <ul>
 *   <li>{@code # …} and blank lines are ignored;
 *   <li>{@code @directive …} specifies how the next statement is sent, or which parts of its answer
 *       are compared; see {@link Directives};
 *   <li>any other line is a statement, sent verbatim; lines that begin with a space continue it;
 *   <li>the following lines that begin with {@code >} (success) or {@code !} (error) are its
 *       recorded answer. They are written by {@code Conformance record}, never by hand.
 * </ul>
 *
 * @param path the file
 * @param entries its entries in order
 */
public record Script(Path path, List<Entry> entries) {

  /** A part of a script. */
  sealed interface Entry {}

  /** A comment or blank line. */
  record Remark(String line) implements Entry {}

  /**
   * A statement.
   *
   * @param lineNumber of its first line, from 1
   * @param directives that precede it, without the {@code @}
   * @param lines its text
   * @param answer the recorded lines
   */
  public record Statement(
      int lineNumber, List<String> directives, List<String> lines, List<String> answer)
      implements Entry {

    /** The arguments of a directive, if present. */
    public Optional<String> directive(String name) {
      return directives(name).stream().findFirst();
    }

    /** The arguments of all directives with this name. */
    public List<String> directives(String name) {
      return directives.stream()
          .filter(each -> each.equals(name) || each.startsWith(name + " "))
          .map(each -> each.substring(name.length()).strip())
          .toList();
    }

    /** The text to send. */
    public String text() {
      String text = String.join("\n", expanded().lines);
      return directive("escapes").isPresent() ? Literal.unescape(text) : text;
    }

    /** This statement, with its repeats expanded if it has {@code @repeats}. */
    Statement expanded() {
      if (directive("repeats").isEmpty()) {
        return this;
      }
      return new Statement(
          lineNumber,
          directives.stream().map(Repeats::expand).toList(),
          lines.stream().map(Repeats::expand).toList(),
          answer);
    }

    boolean isRefusal() {
      return answer.stream().anyMatch(line -> line.startsWith("!"));
    }
  }

  /** The topic: the file name without its extension. */
  String topic() {
    String name = String.valueOf(path.getFileName());
    return name.substring(0, name.length() - ".cql".length());
  }

  /** The settings of the server that the script needs; all others have their defaults. */
  Map<String, String> settings() {
    return statements().stream()
        .flatMap(statement -> statement.directives("server").stream())
        .map(setting -> setting.split(" ", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
  }

  List<Statement> statements() {
    return entries.stream().filter(Statement.class::isInstance).map(Statement.class::cast).toList();
  }

  /** Every script of a folder, by name. */
  static List<Script> readAll(Path folder) throws IOException {
    List<Path> files;
    try (var listing = Files.list(folder)) {
      files = listing.filter(file -> file.toString().endsWith(".cql")).sorted().toList();
    }
    List<Script> scripts = new ArrayList<>();
    for (Path file : files) {
      scripts.add(read(file));
    }
    return scripts;
  }

  /** Reads one script. */
  static Script read(Path file) throws IOException {
    return new Parser(Files.readAllLines(file)).parse(file);
  }

  /** Writes this script with new answers; unchanged parts keep their lines. */
  public void write(List<List<String>> answers) throws IOException {
    List<String> lines = new ArrayList<>();
    int next = 0;
    for (Entry entry : entries) {
      switch (entry) {
        case Remark remark -> lines.add(remark.line());
        case Statement statement -> {
          statement.directives().forEach(directive -> lines.add("@" + directive));
          lines.addAll(statement.lines());
          lines.addAll(answers.get(next));
          next++;
        }
      }
    }
    String text = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    Files.writeString(path, text, StandardCharsets.UTF_8);
  }

  private static final class Parser {
    private final List<String> lines;
    private int position;

    Parser(List<String> lines) {
      this.lines = lines;
    }

    Script parse(Path file) {
      List<Entry> entries = new ArrayList<>();
      while (position < lines.size()) {
        String line = lines.get(position);
        if (line.isBlank() || line.startsWith("#")) {
          entries.add(new Remark(line));
          position++;
        } else {
          entries.add(parseStatement(file));
        }
      }
      return new Script(file, entries);
    }

    private Statement parseStatement(Path file) {
      List<String> directives = new ArrayList<>();
      takeWhile("@", line -> directives.add(line.substring(1)));
      if (position >= lines.size() || isAnswer(lines.get(position))) {
        throw new IllegalArgumentException(file + ":" + (position + 1) + ": missing statement");
      }
      final int lineNumber = position + 1;
      List<String> text = new ArrayList<>();
      text.add(lines.get(position));
      position++;
      takeWhile(" ", text::add);
      List<String> answer = new ArrayList<>();
      while (position < lines.size() && isAnswer(lines.get(position))) {
        answer.add(lines.get(position));
        position++;
      }
      return new Statement(lineNumber, directives, text, answer);
    }

    private static boolean isAnswer(String line) {
      return line.startsWith(">") || line.startsWith("!");
    }

    private void takeWhile(String prefix, java.util.function.Consumer<String> taker) {
      while (position < lines.size() && lines.get(position).startsWith(prefix)) {
        taker.accept(lines.get(position));
        position++;
      }
    }
  }
}
