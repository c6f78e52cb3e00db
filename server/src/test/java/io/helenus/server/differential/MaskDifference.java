package io.helenus.server.differential;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells whether two answers differ only in what docs/compatibility.md says of masked columns.
 *
 * @param text the statement
 * @param reference the expected answer
 * @param subject the answer of the server under test
 */
record MaskDifference(String text, List<String> reference, List<String> subject) {
  private static final Pattern SEVERAL_MASKS =
      Pattern.compile("(?is)^\\s*create table .* masked with .* masked with .*");
  private static final Pattern MASKED =
      Pattern.compile("(?is)^\\s*(?:create|alter) table .* masked with ");
  private static final Pattern MISTAKE =
      Pattern.compile(
          "! 2200 (?:Masking function \\w+\\(.* return type is|Unable to find masking function for"
              + "|Function system\\.mask_\\w+ requires an argument"
              + "|Type error: .* of function system\\.mask_\\w+ ).*");
  private static final Pattern MASKS =
      Pattern.compile("(?is)^\\s*select \\* from system_schema\\.column_masks .*");
  private static final Pattern INTERNALS =
      Pattern.compile("(?is)^\\s*desc(?:ribe)? .* with internals.*");
  private static final Pattern DESCRIPTION = Pattern.compile("(?is)^\\s*desc(?:ribe)? .*");
  private static final Pattern MASK_WITH_FIELDS =
      Pattern.compile(" MASKED WITH system\\.mask_replace\\(.*?\\)(?=,|$| static)");
  private static final Pattern FIELD = Pattern.compile("(?<=[{ ])\"?[fF] ?\\d+\"?(?=: )");
  private static final String DROPPED = "ALTER TABLE \\S+ DROP ";
  private static final Pattern MASK =
      Pattern.compile(" MASKED WITH system\\.mask_\\w+\\(.*?\\)(?=,|$)");

  boolean isAllowed() {
    return isOrderOfMasks()
        || isUnparsedArgument()
        || isUnreadable()
        || isForgottenMask()
        || isFormerField()
        || isMaskOfDropped();
  }

  /** Whether another of several wrong masks in CREATE TABLE is named. */
  private boolean isOrderOfMasks() {
    return SEVERAL_MASKS.matcher(text).matches()
        && MISTAKE.matcher(reference.getLast()).matches()
        && MISTAKE.matcher(subject.getLast()).matches();
  }

  /** Whether Cassandra cannot parse an argument of a mask after writing it as text. */
  private boolean isUnparsedArgument() {
    return MASKED.matcher(text).find()
        && reference.getLast().startsWith("! 2000 Failed parsing CQL term: ");
  }

  /** Whether Cassandra cannot read a table because of a mask with an unknown hash algorithm. */
  private boolean isUnreadable() {
    return !text.contains("mask_hash")
        && reference.getLast().startsWith("! 2200 Hash algorithm not found: ");
  }

  /** Whether Cassandra lists more masks, of columns that have been dropped or renamed. */
  private boolean isForgottenMask() {
    return MASKS.matcher(text).matches()
        && !Difference.refused(reference)
        && subject.size() < reference.size()
        && reference.containsAll(subject);
  }

  /** Whether Cassandra shows a mask with the former name of a field. */
  private boolean isFormerField() {
    return DESCRIPTION.matcher(text).matches()
        && withoutFields(reference).equals(withoutFields(subject));
  }

  private static List<String> withoutFields(List<String> answer) {
    return lines(answer).stream()
        .map(
            line ->
                MASK_WITH_FIELDS
                    .matcher(line)
                    .replaceAll(
                        mask ->
                            Matcher.quoteReplacement(FIELD.matcher(mask.group()).replaceAll("f"))))
        .toList();
  }

  /** Whether Cassandra shows the mask of a dropped column in DESCRIBE … WITH INTERNALS. */
  private boolean isMaskOfDropped() {
    List<String> expected = lines(reference);
    List<String> actual = lines(subject);
    if (!INTERNALS.matcher(text).matches() || expected.size() != actual.size()) {
      return false;
    }
    for (int i = 0; i < expected.size(); i++) {
      String line = expected.get(i);
      if (!line.equals(actual.get(i))
          && !(MASK.matcher(line).replaceAll("").equals(actual.get(i)) && isDropped(line))) {
        return false;
      }
    }
    return true;
  }

  private boolean isDropped(String definition) {
    String name = definition.strip().replaceAll("(\"[^\"]*\"|\\S+) .*", "$1");
    return Pattern.compile(DROPPED + Pattern.quote(name) + " ")
        .matcher(String.join("\n", reference))
        .find();
  }

  private static List<String> lines(List<String> answer) {
    return List.of(String.join("\n", answer).split("\n|\\\\n", -1));
  }
}
