package io.helenus.server.clients;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines in which two texts differ, as {@code diff} shows them: {@code -} before a line that
 * only the first text has, {@code +} before one that only the second has.
 */
final class LineDifferences {
  private LineDifferences() {}

  /** The differences, outside a longest common subsequence of the two texts. */
  static List<String> between(List<String> first, List<String> second) {
    int[][] common = commonLines(first, second);
    List<String> differences = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < first.size() || j < second.size()) {
      if (i < first.size() && j < second.size() && first.get(i).equals(second.get(j))) {
        i++;
        j++;
      } else if (j == second.size() || i < first.size() && common[i + 1][j] >= common[i][j + 1]) {
        differences.add("-" + first.get(i++));
      } else {
        differences.add("+" + second.get(j++));
      }
    }
    return differences;
  }

  /** At [i][j] the number of lines that the texts from line i and line j on have in common. */
  private static int[][] commonLines(List<String> first, List<String> second) {
    int[][] common = new int[first.size() + 1][second.size() + 1];
    for (int i = first.size() - 1; i >= 0; i--) {
      for (int j = second.size() - 1; j >= 0; j--) {
        common[i][j] =
            first.get(i).equals(second.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }
}
