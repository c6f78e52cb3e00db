package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnWordsTest {
  @ParameterizedTest
  @CsvSource({
    "order_status, order status",
    "orderStatus, order status",
    "OrderStatus, order status",
    "order-status, order status",
    "__order__status_, order status",
    "userID, user id",
    "status, status",
    "v2_data, v2 data",
    "'', ''"
  })
  void aNameIsSplitAtMarksAndHumps(String name, String words) {
    assertEquals(words, String.join(" ", ColumnWords.of(name).words()));
  }

  @ParameterizedTest
  @CsvSource({
    "order_id, order",
    "orderid, order",
    "sales_order_uuid, sales order",
    "orderuuid, order",
    "id, ''",
    "paid, paid",
    "total, total"
  })
  void anIdentifierSaysWhatItIdentifies(String name, String entity) {
    assertEquals(entity, String.join(" ", ColumnWords.of(name).entity()));
  }

  @Test
  void wordsAreComparedWhole() {
    ColumnWords words = ColumnWords.of("day_of_week");
    assertTrue(words.endsWith("day", "of", "week"));
    assertTrue(words.endsWith("week"));
    assertFalse(words.endsWith("a", "day", "of", "week"));
    assertTrue(words.endsWith(Set.of("week", "month")));
    assertFalse(words.endsWith(Set.of("day", "we")));
    assertTrue(words.hasAny(Set.of("day")));
    assertFalse(words.hasAny(Set.of("da")));
    assertFalse(words.is("day"));
    assertTrue(ColumnWords.of("Day").is("day"));
    assertFalse(new ColumnWords(List.of()).endsWith(Set.of("")));
  }
}
