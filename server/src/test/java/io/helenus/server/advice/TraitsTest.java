package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraitsTest {
  @ParameterizedTest
  @CsvSource({
    "status text, few",
    "active boolean, few",
    "x boolean, few",
    "country_code text, few",
    "day_of_week int, few bucket number",
    "\"eventType\" text, few",
    "status uuid, identifier",
    "status_id int, identifier number",
    "page_size int, number",
    "category text, ''",
    "name text, ''",
    "email text, identifier person",
    "username text, identifier person",
    "videoid int, identifier number",
    "paid int, number",
    "customer_id bigint, identifier number person",
    "created timestamp, time moment",
    "sensor_id timeuuid, time identifier",
    "event_id timeuuid, time moment identifier",
    "ts bigint, time moment number",
    "total bigint, number",
    "hour timestamp, time bucket",
    "day text, date bucket",
    "birthday date, date bucket planned",
    "departure_time timestamp, time moment planned",
    "yyyymmdd text, date bucket",
    "shard int, bucket number",
    "partition_nr bigint, bucket number",
    "event_date timestamp, time moment bucket"
  })
  void aColumnIsJudgedByItsNameAndType(String definition, String traits) {
    TableSchema table = Tables.of("CREATE TABLE events (k_k inet PRIMARY KEY, " + definition + ")");
    ColumnSchema column = table.regularColumns().getFirst();
    List<String> found = new ArrayList<>();
    add(found, Traits.isFewValued(column), "few");
    add(found, Traits.isTime(column), "time");
    add(found, Traits.isMoment(column, TableWords.of(table)), "moment");
    add(found, Traits.isDate(column), "date");
    add(found, Traits.isBucket(column), "bucket");
    add(found, Traits.isIdentifier(column), "identifier");
    add(found, Traits.isNumber(column), "number");
    add(found, Traits.isPlanned(column), "planned");
    add(found, Traits.isPerson(column), "person");
    assertEquals(traits, String.join(" ", found));
  }

  private static void add(List<String> found, boolean is, String trait) {
    if (is) {
      found.add(trait);
    }
  }
}
