package io.helenus.storage.compaction;

import io.helenus.storage.engine.FilesToLoad;
import io.helenus.storage.engine.TableDescriptor;
import io.helenus.storage.row.ColumnTranslation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The multi-cell columns of files in the fewest runs of which each has ascending ids in the table
 * where it has ascending ids in the files: the elements of a row that belong to columns of one run
 * keep their order when they get the ids of the table. Immutable.
 */
final class ColumnRuns {
  private final Map<Integer, Integer> runs = new HashMap<>();
  private final int count;

  ColumnRuns(FilesToLoad files, TableDescriptor table) {
    Map<Integer, TableDescriptor.Kind> kinds = new HashMap<>();
    table.columns().forEach(column -> kinds.put(column.id(), column.kind()));
    List<Integer> last = new ArrayList<>();
    for (ColumnTranslation.Column column : files.columns().columns()) {
      if (kinds.get(column.to()) == TableDescriptor.Kind.MULTI_CELL) {
        runs.put(column.from(), join(column.to(), last));
      }
    }
    count = Math.max(1, last.size());
  }

  /** Each column joins the first run that it can continue. */
  private static int join(int target, List<Integer> last) {
    int run = 0;
    while (run < last.size() && last.get(run) > target) {
      run++;
    }
    if (run == last.size()) {
      last.add(target);
    } else {
      last.set(run, target);
    }
    return run;
  }

  /** The number of runs, at least 1. */
  int count() {
    return count;
  }

  /** Whether a multi-cell column of the files belongs to a run, from 0; not if it is left out. */
  boolean isIn(int run, int column) {
    Integer found = runs.get(column);
    return found != null && found == run;
  }
}
