package io.helenus.server.query.selection;

import io.helenus.cql.ast.Selectable;
import io.helenus.server.error.CqlException;
import io.helenus.server.functions.Argument;
import io.helenus.server.query.selection.SelectableCompiler.Draft;
import io.helenus.server.query.selection.SelectableCompiler.Place;
import io.helenus.server.query.selection.SelectableCompiler.Selected;
import io.helenus.server.query.value.Expression;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ListType;
import io.helenus.server.types.MapType;
import io.helenus.server.types.ScalarType;
import io.helenus.server.types.SetType;
import io.helenus.server.types.TupleType;
import io.helenus.server.types.UserType;
import io.helenus.server.types.VectorType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drafts literals of collections, tuples, user types and vectors in a select list. A literal has
 * the type of its place, or that of its elements if those have one. As in Cassandra, a map has none
 * by itself: it may be a user type. One per statement.
 */
final class LiteralSelections {
  private final SelectableCompiler selectables;

  LiteralSelections(SelectableCompiler selectables) {
    this.selectables = selectables;
  }

  private List<Draft> drafts(List<Selectable> elements) {
    return elements.stream().map(selectables::draft).toList();
  }

  /** One element in parentheses has the type of its place, unless that is a tuple. */
  Draft parenthesised(List<Selectable> elements) {
    List<Draft> drafts = drafts(elements);
    String text = text("(", drafts, ")");
    @Nullable Draft only = drafts.size() == 1 ? drafts.getFirst() : null;
    @Nullable CqlType exact = only == null ? tuple(drafts, Draft::exact) : null;
    Argument argument =
        new Argument.Dependent(
            text,
            wanted ->
                only == null || wanted instanceof TupleType
                    ? matchTuple(drafts, wanted)
                    : only.argument().match(wanted),
            () -> only == null ? tuple(drafts, draft -> draft.argument().type()) : null);
    return new Draft(
        argument,
        exact,
        place -> {
          CqlType type = type(exact, place, text);
          if (only == null || type instanceof TupleType) {
            List<Selected> parts = complete(drafts, type.parts(), place, text);
            return composed(type, parts, "(", ")");
          }
          Selected inner = only.completion().in(place);
          return new Selected(inner.expression(), "(" + inner.name() + ")", inner.type());
        });
  }

  private static boolean isTuple(CqlType type) {
    return type instanceof TupleType || type instanceof UserType;
  }

  private static @Nullable CqlType tuple(
      List<Draft> drafts, Function<Draft, @Nullable CqlType> known) {
    List<CqlType> types = new ArrayList<>(drafts.size());
    for (Draft draft : drafts) {
      CqlType type = known.apply(draft);
      if (type == null) {
        return null;
      }
      types.add(type.freeze());
    }
    return new TupleType(types);
  }

  private static Argument.Match matchTuple(List<Draft> drafts, CqlType wanted) {
    if (!isTuple(wanted) || drafts.size() > wanted.parts().size()) {
      return Argument.Match.NONE;
    }
    boolean fits = matchAll(drafts, wanted.parts()) != Argument.Match.NONE;
    return fits ? Argument.Match.WEAK : Argument.Match.NONE;
  }

  /** A list, or a vector if its place is one. */
  Draft array(List<Selectable> elements) {
    List<Draft> drafts = drafts(elements);
    String text = text("[", drafts, "]");
    @Nullable CqlType element = firstExact(drafts);
    @Nullable CqlType exact = element == null ? null : new ListType(element.freeze(), true);
    Argument argument =
        new Argument.ArrayLiteral(
            text,
            drafts.size(),
            wanted ->
                wanted instanceof ListType || wanted instanceof VectorType
                    ? matchEach(drafts, wanted)
                    : Argument.Match.NONE,
            () -> {
              CqlType known = compatible(drafts);
              return known == null ? null : new ListType(known.freeze(), true);
            });
    return new Draft(
        argument,
        exact,
        place -> {
          boolean ofVector = place != null && place.type() instanceof VectorType;
          CqlType type = type(ofVector ? null : exact, place, text);
          if (type instanceof VectorType vector && vector.dimension() != drafts.size()) {
            throw CqlException.invalid(
                "Unable to create a vector selector of type "
                    + type.toCql()
                    + " from "
                    + drafts.size()
                    + " elements");
          }
          return composed(type, completeEach(drafts, type, place, text), "[", "]");
        });
  }

  /** A set; an empty one may be a map. */
  Draft set(List<Selectable> elements) {
    List<Draft> drafts = drafts(elements);
    String text = text("{", drafts, "}");
    @Nullable CqlType element = firstExact(drafts);
    @Nullable CqlType exact = element == null ? null : new SetType(element.freeze(), true);
    Argument argument =
        new Argument.Dependent(
            text,
            wanted ->
                wanted instanceof SetType || (drafts.isEmpty() && wanted instanceof MapType)
                    ? matchEach(drafts, wanted)
                    : Argument.Match.NONE,
            () -> {
              CqlType known = compatible(drafts);
              return known == null ? null : new SetType(known.freeze(), true);
            });
    return new Draft(
        argument,
        exact,
        place -> {
          CqlType type = type(exact, place, text);
          if (type instanceof SetType set && set.element() == ScalarType.DURATION) {
            throw CqlException.invalid("Durations are not allowed inside sets: " + type.toCql());
          }
          return composed(type, completeEach(drafts, type, place, text), "{", "}");
        });
  }

  /** A map or a user type, as its place determines. */
  Draft mapOrUserType(List<Selectable.MapOrUserType.Entry> entries) {
    List<Draft> values =
        drafts(entries.stream().map(Selectable.MapOrUserType.Entry::value).toList());
    String text = entryText(entries, values.stream().map(Draft::text).toList());
    Argument argument =
        new Argument.Dependent(
            text,
            wanted ->
                switch (wanted) {
                  case UserType user -> matchFields(byField(entries, values, user), user);
                  case MapType map -> matchAll(alternating(entries, values), types(map, entries));
                  default -> {
                    // names that are not fields have to be columns, whatever is wanted
                    List<Draft> ignored = alternating(entries, values);
                    yield Argument.Match.NONE;
                  }
                },
            () -> null);
    return new Draft(
        argument,
        null,
        place -> {
          CqlType type = type(null, place, text);
          return type instanceof UserType user
              ? userType(user, entries, values, place, text)
              : map(type, entries, values, place, text);
        });
  }

  private Selected map(
      CqlType type,
      List<Selectable.MapOrUserType.Entry> entries,
      List<Draft> values,
      @Nullable Place place,
      String text) {
    if (!(type instanceof MapType map)) {
      throw noType(text);
    }
    List<Selected> parts = complete(alternating(entries, values), types(map, entries), place, text);
    List<String> names = new ArrayList<>(entries.size());
    for (int i = 0; i < parts.size(); i += 2) {
      names.add(parts.get(i).name() + ": " + parts.get(i + 1).name());
    }
    List<Expression> expressions = parts.stream().map(Selected::expression).toList();
    return new Selected(
        new Expression.Composed(type, expressions), "{" + String.join(", ", names) + "}");
  }

  private static Selected userType(
      UserType type,
      List<Selectable.MapOrUserType.Entry> entries,
      List<Draft> values,
      @Nullable Place place,
      String text) {
    Map<String, Selected> fields = new LinkedHashMap<>();
    for (int i = 0; i < entries.size(); i++) {
      String name = field(entries.get(i), type);
      fields.put(name, complete(values.get(i), fieldType(type, name), place, text));
    }
    List<Expression> parts = new ArrayList<>(type.fieldNames().size());
    for (int i = 0; i < type.fieldNames().size(); i++) {
      Selected field = fields.get(type.fieldNames().get(i));
      parts.add(
          field == null
              ? new Expression.Constant(null, type.fieldTypes().get(i))
              : field.expression());
    }
    List<String> names = new ArrayList<>(entries.size());
    fields.forEach((name, field) -> names.add(name + ": " + field.name()));
    return new Selected(new Expression.Composed(type, parts), "{" + String.join(", ", names) + "}");
  }

  private static CqlType fieldType(UserType type, String name) {
    return type.fieldTypes().get(type.fieldNames().indexOf(name));
  }

  private static Argument.Match matchFields(Map<String, Draft> values, UserType type) {
    boolean fits =
        values.entrySet().stream()
            .allMatch(
                field ->
                    field.getValue().argument().match(fieldType(type, field.getKey()))
                        != Argument.Match.NONE);
    return fits ? Argument.Match.WEAK : Argument.Match.NONE;
  }

  /** The values by field, of those of one field the last; refuses what is not a field. */
  private static Map<String, Draft> byField(
      List<Selectable.MapOrUserType.Entry> entries, List<Draft> values, UserType type) {
    Map<String, Draft> fields = new LinkedHashMap<>();
    for (int i = 0; i < entries.size(); i++) {
      fields.put(field(entries.get(i), type), values.get(i));
    }
    return fields;
  }

  private static String field(Selectable.MapOrUserType.Entry entry, UserType type) {
    if (!(entry.key() instanceof Selectable.Column(String name, boolean ignored))) {
      throw CqlException.invalid(
          entry.key() + " is not a valid field identifier of type " + type.name());
    }
    if (!type.fieldNames().contains(name)) {
      throw CqlException.invalid(
          "Unknown field '" + name + "' in value of user defined type " + type.name());
    }
    return name;
  }

  private List<Draft> alternating(
      List<Selectable.MapOrUserType.Entry> entries, List<Draft> values) {
    List<Draft> all = new ArrayList<>(2 * entries.size());
    for (int i = 0; i < entries.size(); i++) {
      all.add(selectables.draft(entries.get(i).key()));
      all.add(values.get(i));
    }
    return all;
  }

  private static List<CqlType> types(MapType map, List<Selectable.MapOrUserType.Entry> entries) {
    List<CqlType> types = new ArrayList<>(2 * entries.size());
    entries.forEach(ignored -> types.addAll(map.parts()));
    return types;
  }

  private String entryText(List<Selectable.MapOrUserType.Entry> entries, List<String> values) {
    List<String> texts = new ArrayList<>(entries.size());
    for (int i = 0; i < entries.size(); i++) {
      String key =
          entries.get(i).key() instanceof Selectable.Column(String name, boolean ignored)
              ? name
              : selectables.draft(entries.get(i).key()).text();
      texts.add(key + ": " + values.get(i));
    }
    return texts.stream().collect(Collectors.joining(", ", "{", "}"));
  }

  private static String text(String open, List<Draft> drafts, String close) {
    return drafts.stream().map(Draft::text).collect(Collectors.joining(", ", open, close));
  }

  private static @Nullable CqlType firstExact(List<Draft> drafts) {
    return drafts.stream().map(Draft::exact).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** The type of the elements of an argument; null if those that are known do not fit together. */
  private static @Nullable CqlType compatible(List<Draft> drafts) {
    return CqlType.compatible(
        drafts.stream().map(draft -> draft.argument().type()).filter(Objects::nonNull).toList());
  }

  private static Argument.Match matchEach(List<Draft> drafts, CqlType wanted) {
    CqlType element = wanted.parts().getFirst();
    return drafts.isEmpty()
        ? Argument.Match.WEAK
        : matchAll(drafts, drafts.stream().map(ignored -> element).toList());
  }

  /** The worst match of elements with their types. */
  private static Argument.Match matchAll(List<Draft> drafts, List<CqlType> types) {
    Argument.Match worst = Argument.Match.EXACT;
    for (int i = 0; i < drafts.size(); i++) {
      Argument.Match match = drafts.get(i).argument().match(types.get(i));
      worst = match.ordinal() > worst.ordinal() ? match : worst;
    }
    return worst;
  }

  /** The type of a literal: its own, or that of its place. */
  private static CqlType type(@Nullable CqlType exact, @Nullable Place place, String text) {
    if (exact != null) {
      return exact;
    }
    if (place == null) {
      throw noType(text);
    }
    return place.type();
  }

  private static List<Selected> completeEach(
      List<Draft> drafts, CqlType type, @Nullable Place place, String text) {
    CqlType element = type.parts().getFirst();
    return complete(drafts, drafts.stream().map(ignored -> element).toList(), place, text);
  }

  private static List<Selected> complete(
      List<Draft> drafts, List<CqlType> types, @Nullable Place place, String text) {
    List<Selected> parts = new ArrayList<>(drafts.size());
    for (int i = 0; i < drafts.size(); i++) {
      parts.add(complete(drafts.get(i), types.get(i), place, text));
    }
    return parts;
  }

  private static Selected complete(Draft draft, CqlType type, @Nullable Place place, String text) {
    CqlType exact = draft.exact();
    boolean fits =
        exact == null
            || exact.freeze().equals(type.freeze())
            || draft.argument().match(type) != Argument.Match.NONE;
    if (!fits) {
      throw CqlException.invalid(
          "Cannot assign value " + draft.text() + " to " + text + " of type " + type.toCql());
    }
    return draft.completion().in(new Place(type, place == null ? text : place.name()));
  }

  private static Selected composed(CqlType type, List<Selected> parts, String open, String close) {
    List<Expression> expressions = parts.stream().map(Selected::expression).toList();
    String name = parts.stream().map(Selected::name).collect(Collectors.joining(", ", open, close));
    return new Selected(new Expression.Composed(type, expressions), name);
  }

  /** The error for a value that has no type by itself. */
  static CqlException noType(String text) {
    return CqlException.invalid(
        "Cannot infer type for term "
            + text
            + " in selection clause (try using a cast to force a type)");
  }
}
