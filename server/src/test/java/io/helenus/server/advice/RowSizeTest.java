package io.helenus.server.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowSizeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k uuid, ts timestamp, value double, PRIMARY KEY (k, ts)|28|1",
        "k uuid, s text STATIC, ts timestamp, value double, PRIMARY KEY (k, ts)|28|1",
        "k uuid, ts timestamp, PRIMARY KEY (k, ts)|17|1",
        "k int PRIMARY KEY, a boolean, b smallint, c int, d uuid, e text|66|5",
        "k int PRIMARY KEY, body text, picture blob|1514|2",
        "k int, body text, v int, PRIMARY KEY (k, body)|36|1",
        "k int PRIMARY KEY, l list<int>, m map<int, text>|354|20",
        "k int PRIMARY KEY, f frozen<list<int>>, t frozen<tuple<int, int>>, v vector<float,"
            + " 100>|495|3"
      })
  void aRowIsAsLargeAsItsTypesAndNamesSay(String columns, int bytes, int cells) {
    var table = Tables.of("CREATE TABLE t (" + columns + ")");
    assertEquals(bytes, RowSize.ofRow(table), "bytes");
    assertEquals(cells, RowSize.cellsOfRow(table), "cells");
  }
}
