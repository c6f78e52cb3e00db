package io.helenus.server.query.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.client.CqlClient;
import io.helenus.server.client.QueryOptions;
import io.helenus.server.client.Response;
import io.helenus.server.conformance.NodeUnderTest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements and writes down their answers: rows after {@code >}, the columns apart by bars;
 * errors after {@code !}; warnings after {@code ~}. Lines that begin with {@code @} are
 * instructions: {@code @flush}, {@code @page N}, {@code @fill N M statement} with {@code {i}} from
 * 0 below N and {@code {j}} from 0 below M, {@code @write statement}, whose answer is not written.
 */
final class ExplainScript implements AutoCloseable {
  private static final Pattern TIME = Pattern.compile("\\d+(\\.\\d)? (us|ms)|\"micros\": \\d+");
  private static final Pattern SIZE = Pattern.compile("of \\d+(\\.\\d)? [KM]?B");

  private final NodeUnderTest node = new NodeUnderTest();
  private final CqlClient client;
  private int page;

  ExplainScript(Path folder, Map<String, String> settings) throws IOException {
    node.start(folder, 1, settings);
    client = CqlClient.connect(InetAddress.getByName(node.host()), node.port());
  }

  /** Runs the statements of a script, whose answers are left out, and adds those that it gets. */
  List<String> run(List<String> script) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String line : script) {
      if (line.startsWith(">") || line.startsWith("!") || line.startsWith("~")) {
        continue;
      }
      lines.add(line);
      if (line.startsWith("@")) {
        instruct(line);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        lines.addAll(answer(line));
      }
    }
    return lines;
  }

  private void instruct(String line) throws IOException {
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case "@flush" -> node.flush();
      case "@compact" -> node.compact();
      case "@page" -> page = Integer.parseInt(words[1]);
      case "@write" -> write(words[1]);
      case "@fill" -> {
        String[] parts = words[1].split(" ", 3);
        for (int i = 0; i < Integer.parseInt(parts[0]); i++) {
          for (int j = 0; j < Integer.parseInt(parts[1]); j++) {
            write(parts[2].replace("{i}", Integer.toString(i)).replace("{j}", Integer.toString(j)));
          }
        }
      }
      default -> throw new AssertionError(line);
    }
  }

  private void write(String statement) {
    if (client.query(statement) instanceof Response.Failure failure) {
      throw new AssertionError(statement + ": " + failure.message());
    }
  }

  /** The answer of a prepared statement with an int as its only value. */
  List<String> prepared(String statement, int value) {
    Response.Prepared prepared = (Response.Prepared) client.prepare(statement);
    assertEquals(1, prepared.markers().size());
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt(value).array();
    return lines(client.execute(prepared, QueryOptions.NONE.withValues(List.of(bytes))));
  }

  /** The lines of an answer. Sizes of files depend on when they were written, times on all. */
  List<String> answer(String statement) {
    return lines(
        client.query(
            statement, page == 0 ? QueryOptions.NONE : QueryOptions.NONE.withPage(page, null)));
  }

  private static List<String> lines(Response response) {
    List<String> lines = new ArrayList<>();
    switch (response) {
      case Response.Rows rows -> rows.rows().forEach(row -> lines.add("> " + text(row)));
      case Response.Failure failure ->
          lines.add("! " + Integer.toHexString(failure.code()) + " " + failure.message());
      default -> lines.add("> done");
    }
    response.warnings().forEach(warning -> lines.add("~ " + warning));
    return lines;
  }

  private static String text(List<byte @Nullable []> row) {
    String text =
        row.stream()
            .map(value -> value == null ? "null" : new String(value, StandardCharsets.UTF_8))
            .collect(Collectors.joining(" | "));
    text = SIZE.matcher(TIME.matcher(text).replaceAll("some time")).replaceAll("of some size");
    return text.replaceAll(" +(\\||$)", " $1").stripTrailing();
  }

  @Override
  public void close() {
    client.close();
    node.close();
  }
}
