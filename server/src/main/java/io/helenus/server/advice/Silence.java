package io.helenus.server.advice;

import io.helenus.server.schema.KeyspaceSchema;
import io.helenus.server.schema.TableOptions;
import io.helenus.server.schema.TableSchema;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which rules speak: by the configuration of the node, {@code schema_advice} and {@code
 * schema_advice_silent_keyspaces}, and by a table's extension {@code schema_advice}, whose bytes
 * are {@code off} or the names of rules that are silent, with commas between them. Immutable; any
 * thread.
 */
public final class Silence {
  /** The extension of a table. */
  public static final String EXTENSION = TableOptions.SCHEMA_ADVICE;

  private static final String OFF = "off";

  private final boolean off;
  private final Set<String> only;
  private final Set<String> keyspaces;

  private Silence(boolean off, Set<String> only, Set<String> keyspaces) {
    this.off = off;
    this.only = Set.copyOf(only);
    this.keyspaces = Set.copyOf(keyspaces);
  }

  /**
   * As configured.
   *
   * @param advice {@code on}, {@code off}, or the names of the rules that speak
   * @param silentKeyspaces the keyspaces about which none speaks
   * @throws IllegalArgumentException if a rule does not exist; the text names those that do
   */
  public static Silence of(String advice, String silentKeyspaces) {
    Set<String> keyspaces = names(silentKeyspaces);
    String value = advice.strip();
    if (value.equals("on") || value.equals(OFF)) {
      return new Silence(value.equals(OFF), Set.of(), keyspaces);
    }
    Set<String> only = names(value);
    Set<String> unknown = new TreeSet<>(only);
    unknown.removeAll(ruleNames());
    if (!unknown.isEmpty() || only.isEmpty()) {
      throw new IllegalArgumentException(
          "neither on, off nor the name of a rule: "
              + (unknown.isEmpty() ? "\"\"" : String.join(", ", unknown))
              + "; rules are "
              + String.join(", ", ruleNames()));
    }
    return new Silence(false, only, keyspaces);
  }

  /** The names of all rules, of those about tables and of those about statements. */
  public static List<String> ruleNames() {
    List<String> names = new ArrayList<>(SchemaAdvisor.ruleNames());
    names.addAll(StatementAdvisor.ruleNames());
    return names;
  }

  private static Set<String> names(String list) {
    Set<String> names = new TreeSet<>();
    Arrays.stream(list.replace('[', ' ').replace(']', ' ').split(",", -1))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .forEach(names::add);
    return names;
  }

  /** Whether a rule may speak about anything. */
  boolean speaks(String rule) {
    return !off && (only.isEmpty() || only.contains(rule));
  }

  /** Whether nothing is to be said about a table. */
  boolean isSilent(TableSchema table) {
    return off || keyspaces.contains(table.keyspace()) || extension(table).contains(OFF);
  }

  /** Whether a rule may speak about a table that is not silent. */
  boolean speaks(String rule, TableSchema table) {
    return (only.isEmpty() || only.contains(rule)) && !extension(table).contains(rule);
  }

  /** Whether a rule may speak about a keyspace. */
  boolean speaks(String rule, KeyspaceSchema keyspace) {
    return speaks(rule) && !keyspaces.contains(keyspace.name());
  }

  private static Set<String> extension(TableSchema table) {
    String hex = table.options().extensions().get(EXTENSION);
    if (hex == null) {
      return Set.of();
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
      return names(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException e) {
      return Set.of();
    }
  }

  /** The statement that silences a rule for a table. */
  public static String statement(String table, List<String> rules) {
    byte[] bytes = String.join(",", rules).getBytes(StandardCharsets.UTF_8);
    return "ALTER TABLE "
        + table
        + " WITH extensions = {'"
        + EXTENSION
        + "': 0x"
        + HexFormat.of().formatHex(bytes)
        + "};";
  }
}
