package io.helenus.server.generated;

import io.helenus.server.conformance.DataType;
import io.helenus.server.generated.GeneratedTable.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Random selectors: columns, elements, fields, functions, casts and calculations. */
final class GeneratedSelectors {
  private static final String[] TYPES = {
    "ascii",
    "bigint",
    "blob",
    "boolean",
    "date",
    "decimal",
    "double",
    "duration",
    "float",
    "inet",
    "int",
    "smallint",
    "text",
    "time",
    "timestamp",
    "timeuuid",
    "tinyint",
    "uuid",
    "varchar",
    "varint",
    "counter",
    "nosuch"
  };

  private static final String[] COLLECTION_FUNCTIONS = {
    "map_keys",
    "map_values",
    "collection_count",
    "collection_min",
    "collection_max",
    "collection_sum",
    "collection_avg",
    "to_json",
    "toJson",
    "count",
    "min",
    "max"
  };

  private final Choices choices;

  GeneratedSelectors(Choices choices) {
    this.choices = choices;
  }

  /** Adds one selector. */
  void add(StatementDraft draft, GeneratedTable table) {
    Column column = choices.oneOf(table.columns());
    if (choices.chance(column.type() instanceof DataType.Scalar ? 55 : 25)) {
      draft.add(column.name());
    } else if (choices.chance(column.type() instanceof DataType.Scalar ? 3 : 65)) {
      ofComposite(draft, column, table);
    } else if (choices.chance(12)) {
      arithmetic(draft, column, table);
    } else if (choices.chance(85)) {
      draft.add(call(column, table));
    } else {
      draft.add(oddSelector(column, table));
    }
    if (choices.chance(12)) {
      draft.add(" AS " + choices.oneOf("a", "\"A b\"", "count", "x", "ttl", "\"\"", column.name()));
    }
  }

  private String call(Column column, GeneratedTable table) {
    String name = column.name();
    return switch (choices.below(13)) {
      case 12 -> mask(column);
      case 0 -> "token(" + GeneratedTable.names(table.partition()) + ")";
      case 1, 2 -> time(choices.oneOf("writetime", "WRITETIME"), table) + "(" + name + ")";
      case 3, 4, 5, 6 ->
          choices.oneOf("min", "max", "count", "sum", "avg", "system.max", "MIN")
              + "("
              + name
              + ")";
      case 7, 8 -> "cast(" + name + " AS " + choices.oneOf(TYPES) + ")";
      case 9 -> blobName(column) + choices.oneOf("AsBlob", "_as_blob", "asblob") + "(" + name + ")";
      case 10 ->
          choices.oneOf(
                  "toDate",
                  "toTimestamp",
                  "toUnixTimestamp",
                  "to_date",
                  "to_timestamp",
                  "to_unix_timestamp",
                  "dateOf",
                  "unixTimestampOf",
                  "abs",
                  "exp",
                  "log",
                  "log10",
                  "round",
                  time("maxwritetime", table),
                  "ttl")
              + "("
              + name
              + ")";
      default ->
          choices.oneOf("min", "max", "count") + "(" + blobName(column) + "AsBlob(" + name + "))";
    };
  }

  private String mask(Column column) {
    String name = column.name();
    String value = GeneratedValue.of(column.type(), choices).term();
    return choices.oneOf(
        "mask_null(" + name + ")",
        "mask_default(" + name + ")",
        "mask_hash(" + name + ")",
        "mask_hash(" + name + ", 'MD5')",
        "mask_replace(" + name + ", " + value + ")",
        "mask_inner(" + name + ", 1, null)",
        "mask_inner(" + name + ", 1, 1, '#')",
        "mask_outer(" + name + ", 1, 2)",
        "mask_outer(" + name + ", " + value + ", 2)");
  }

  /** What the name of a conversion to blob begins with; there are conversions of scalars only. */
  private static String blobName(Column column) {
    return column.type() instanceof DataType.Scalar ? column.type().toString() : "text";
  }

  private String oddSelector(Column column, GeneratedTable table) {
    String name = column.name();
    String other = choices.oneOf(table.columns()).name();
    return choices.oneOf(
        "nosuch",
        "nosuch(" + name + ")",
        name + "[0]",
        name + ".f",
        "(int) " + name,
        "(" + column.type() + ") " + name,
        "(int) 5",
        "(text) 'a'",
        "(" + choices.oneOf(TYPES) + ") " + GeneratedValue.oddTerm(choices),
        "5",
        "'a'",
        "?",
        "(int) ?",
        name + " + 1",
        name + " * " + other,
        name + " - " + other,
        name + " / 2",
        name + " % 2",
        "-" + name,
        "(" + name + ", " + other + ")",
        "[" + name + "]",
        "{" + name + "}",
        "count(" + name + ", " + other + ")",
        "max(min(" + name + "))",
        "sum(*)",
        "token(" + name + ")",
        "token(" + name + ", " + other + ")",
        time("writetime", table) + "(" + name + ", " + other + ")",
        "writetime(*)",
        "intAsBlob(" + GeneratedValue.oddTerm(choices) + ")",
        "blobAs" + column.type() + "(" + name + ")",
        "blobAs" + choices.oneOf(TYPES) + "(" + column.type() + "AsBlob(" + name + "))",
        "cast(" + GeneratedValue.oddTerm(choices) + " AS " + choices.oneOf(TYPES) + ")",
        "cast(cast(" + name + " AS text) AS " + choices.oneOf(TYPES) + ")",
        "max(" + name + ", 1)",
        "max(5)",
        "avg(cast(" + name + " AS double))",
        "*",
        "system.max(" + name + ")",
        "nowhere.max(" + name + ")");
  }

  /**
   * The function, or another one for a table whose timestamps cannot be compared, because they are
   * those of a clock.
   */
  private static String time(String function, GeneratedTable table) {
    return table.kind() == GeneratedTable.Kind.CONDITIONAL ? "ttl" : function;
  }

  private void arithmetic(StatementDraft draft, Column column, GeneratedTable table) {
    draft.add(column.name()).add(choices.oneOf(" + ", " - ", " * ", " / ", " % "));
    if (choices.chance(50)) {
      draft.add(choices.oneOf(table.columns()).name());
    } else {
      draft.add(choices.oneOf("1", "2", "1.5", "3d", "1h", "(int) 5", "(bigint) 7", "-1"));
    }
  }

  private void ofComposite(StatementDraft draft, Column column, GeneratedTable table) {
    String name = column.name();
    if (choices.chance(column.type() instanceof DataType.VectorOf ? 60 : 2)) {
      similarity(draft, column, table);
      return;
    }
    if (choices.chance(45)) {
      draft.add(choices.oneOf(COLLECTION_FUNCTIONS) + "(" + name + ")");
      return;
    }
    String function =
        hasElements(column.type()) && choices.chance(30)
            ? choices.oneOf(
                time("writetime", table),
                "ttl",
                time("maxwritetime", table),
                "count",
                "to_json",
                "max",
                "collection_count")
            : "";
    draft.add(function.isEmpty() ? "" : function + "(");
    draft.add(name);
    switch (column.type()) {
      case DataType.SetOf set -> elementOrSlice(draft, set.element());
      case DataType.MapOf map -> elementOrSlice(draft, map.key());
      case DataType.UserType user -> draft.add("." + choices.oneOf(user.fields()));
      case DataType.VectorOf _ -> {}
      default -> elementOrSlice(draft, DataType.Scalar.INT);
    }
    draft.add(function.isEmpty() ? "" : ")");
  }

  private void similarity(StatementDraft draft, Column column, GeneratedTable table) {
    List<Column> vectors =
        table.columns().stream()
            .filter(each -> each.type() instanceof DataType.VectorOf)
            .collect(Collectors.toCollection(ArrayList::new));
    vectors.add(column);
    String function = choices.oneOf("cosine", "euclidean", "dot_product");
    draft.add("similarity_" + function + "(");
    boolean nameFirst = choices.chance(70);
    draft.add(nameFirst ? column.name() + ", " : "");
    switch (choices.below(12)) {
      case 0, 1, 2 -> draft.add(choices.oneOf(vectors).name());
      case 3 -> draft.add(GeneratedValue.oddTerm(choices));
      case 4 -> draft.add("?");
      case 5 -> draft.add("(vector<float, 2>) ").value(column.type());
      case 6 -> draft.value(GeneratedVectors.type(choices));
      default -> draft.value(column.type());
    }
    draft.add(nameFirst ? ")" : ", " + column.name() + ")");
  }

  private static boolean hasElements(DataType type) {
    return type instanceof DataType.SetOf
        || type instanceof DataType.MapOf
        || type instanceof DataType.UserType;
  }

  private void elementOrSlice(StatementDraft draft, DataType type) {
    draft.add("[");
    switch (choices.below(6)) {
      case 0 -> draft.value(type).add("..").value(type);
      case 1 -> draft.value(type).add("..");
      case 2 -> draft.add("..").value(type);
      default -> draft.value(type);
    }
    draft.add("]");
  }
}
