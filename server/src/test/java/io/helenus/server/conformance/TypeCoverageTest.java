package io.helenus.server.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.cql.ast.NativeType;
import io.helenus.server.conformance.TypeCoverage.Place;
import io.helenus.server.conformance.TypeCoverage.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every type has a recorded statement in each place, with a literal, a bound value, null, unset and
 * the empty value; where no table can have it, the definition is recorded.
 */
class TypeCoverageTest {
  private static final Set<String> MULTI_CELL = Set.of("list", "set", "map", "user type");
  private static final List<String> FROZEN =
      List.of("frozen list", "frozen set", "frozen map", "frozen user type", "tuple", "vector");

  @Test
  void everyTypeIsRecordedInEveryPlace() throws IOException {
    TypeCoverage coverage = new TypeCoverage();
    for (Script script : Script.readAll(ScriptTest.folder())) {
      coverage.add(script);
    }
    List<String> missing = new ArrayList<>();
    for (String kind : kinds()) {
      for (Place place : Place.values()) {
        if (!coverage.isDefined(kind, place) && !differs(kind, place)) {
          missing.add(kind + " " + place + ": definition");
        }
        for (Way way : Way.values()) {
          if (canBeWritten(kind, place, way) && !coverage.isWritten(kind, place, way)) {
            missing.add(kind + " " + place + ": " + way);
          }
        }
      }
    }
    assertEquals("", String.join("\n", missing));
  }

  @Test
  void aStatementCoversItsPlaceAndWayOnly(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("small.cql");
    Files.write(
        file,
        List.of(
            "CREATE TABLE t (k int PRIMARY KEY, s set<text>, u frozen<list<set<int>>>)",
            "> CREATED TABLE ks.t",
            "@bind unset, {'a', ''}",
            "INSERT INTO t (k, s) VALUES (?, ?)",
            "! 2200 Invalid unset value for column k",
            "INSERT INTO t (k, u) VALUES (1, [null])",
            "! 2200 null is not supported inside collections"));
    TypeCoverage coverage = new TypeCoverage();
    coverage.add(Script.read(file));
    assertEquals(
        List.of(
            "int PARTITION_KEY: LITERAL, UNSET",
            "int SET_ELEMENT:",
            "text SET_ELEMENT: BOUND, EMPTY",
            "frozen list REGULAR: LITERAL",
            "frozen set LIST_ELEMENT: NULL",
            "set REGULAR: BOUND"),
        kinds().stream().flatMap(kind -> found(coverage, kind)).toList());
  }

  private static Stream<String> found(TypeCoverage coverage, String kind) {
    return Stream.of(Place.values())
        .filter(place -> coverage.isDefined(kind, place))
        .map(
            place ->
                kind
                    + " "
                    + place
                    + ": "
                    + Stream.of(Way.values())
                        .filter(way -> coverage.isWritten(kind, place, way))
                        .map(Way::toString)
                        .collect(Collectors.joining(", ")))
        .map(String::strip);
  }

  private static List<String> kinds() {
    Stream<String> scalars =
        Stream.of(NativeType.values())
            .filter(type -> type != NativeType.VARCHAR)
            .map(NativeType::toString);
    return Stream.of(scalars, FROZEN.stream(), MULTI_CELL.stream().sorted())
        .flatMap(each -> each)
        .toList();
  }

  /** Cassandra accepts a table with counters in a vector; see docs/compatibility.md. */
  private static boolean differs(String kind, Place place) {
    return kind.equals("counter") && place == Place.VECTOR_ELEMENT;
  }

  /**
   * Counters and columns of several cells are columns outside the key; within another type, a type
   * is frozen or the definition is refused. Durations have no order, so that they are neither in
   * keys nor elements of what is sorted. An empty increment is a server error in Cassandra.
   */
  private static boolean canBeWritten(String kind, Place place, Way way) {
    if (kind.equals("counter") || MULTI_CELL.contains(kind)) {
      return place.isCell() && !(kind.equals("counter") && way == Way.EMPTY);
    }
    boolean sorted = place.isKey() || place == Place.SET_ELEMENT || place == Place.MAP_KEY;
    return !kind.equals("duration") || !sorted;
  }
}
