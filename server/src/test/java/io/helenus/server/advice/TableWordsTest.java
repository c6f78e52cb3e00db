package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableWordsTest {
  @ParameterizedTest
  @CsvSource({
    "messages_by_room, message, message, room",
    "user_messages, message, user message, ''",
    "orders_by_customer_and_day, order, order, customer and day",
    "statuses, status, status, ''",
    "activities, activity, activity, ''",
    "addresses_of_users, address, address, user",
    "time_series, series, time series, ''",
    "orders_with_details, order, order, detail",
    "reading_table_v2, reading, reading, ''",
    "by_status, '', '', status"
  })
  void aTableSaysWhatItsRowsAreAndByWhatTheyAreRead(
      String name, String noun, String subject, String by) {
    TableWords words = TableWords.of(Tables.of("CREATE TABLE " + name + " (k int PRIMARY KEY)"));
    assertEquals(noun, words.noun());
    assertEquals(subject, String.join(" ", words.subject()));
    assertEquals(by, String.join(" ", words.by()));
  }

  @Test
  void anIdentifierIsThatOfARowOrOfSomethingElse() {
    TableSchema table =
        Tables.of(
            "CREATE TABLE messages_by_user (user_id uuid, message_id uuid, messageid int, id int,"
                + " message text, PRIMARY KEY (user_id))");
    StringBuilder text = new StringBuilder();
    TableWords words = TableWords.of(table);
    for (ColumnSchema column : table.columns()) {
      text.append(column.name())
          .append(words.isRowId(column) ? " identifies" : "")
          .append(words.isReadBy(column) ? " is read by" : "")
          .append('\n');
    }
    assertEquals(
        """
        user_id is read by
        id identifies
        message
        message_id identifies
        messageid identifies
        """,
        text.toString());
  }
}
