package io.helenus.server.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.helenus.server.schema.TableOptions;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IgnoredOptionsTest {
  @Test
  void defaultsGiveNoWarning() {
    assertEquals(List.of(), IgnoredOptions.of(TableOptions.defaults()));
  }

  @Test
  void anotherCompactionStrategyGivesAWarning() {
    TreeMap<String, String> compaction = new TreeMap<>(TableOptions.defaults().compaction());
    compaction.put("class", "org.apache.cassandra.db.compaction.LeveledCompactionStrategy");
    TableOptions options = TableOptions.defaults().toBuilder().compaction(compaction).build();
    assertEquals(List.of("compaction class"), IgnoredOptions.of(options));
  }

  @Test
  void disabledCompactionIsHonoured() {
    TreeMap<String, String> compaction = new TreeMap<>();
    compaction.put("class", "org.apache.cassandra.db.compaction.LeveledCompactionStrategy");
    compaction.put("enabled", "false");
    TableOptions options = TableOptions.defaults().toBuilder().compaction(compaction).build();
    assertEquals(List.of(), IgnoredOptions.of(options));
  }

  @Test
  void unsupportedCompactionOptionsGiveAWarning() {
    TreeMap<String, String> compaction = new TreeMap<>(TableOptions.defaults().compaction());
    compaction.put("min_threshold", "6");
    compaction.put("bucket_high", "2.0");
    TableOptions options = TableOptions.defaults().toBuilder().compaction(compaction).build();
    assertEquals(List.of("compaction bucket_high"), IgnoredOptions.of(options));
  }
}
