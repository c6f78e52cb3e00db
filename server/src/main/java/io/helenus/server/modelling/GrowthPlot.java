package io.helenus.server.modelling;

import io.helenus.server.advice.Growth;
import java.util.Locale;

/**
 * How a partition grows, as SVG: its bytes and its cells in percent of their limits, over days. It
 * is as wide as a phone, so that its texts can be read there. Stateless.
 */
final class GrowthPlot {
  private static final int WIDTH = 360;
  private static final int HEIGHT = 200;
  private static final int LEFT = 44;
  private static final int RIGHT = 348;
  private static final int TOP = 16;
  private static final int BOTTOM = 172;
  private static final double LEAST_DAYS = 1 / 1440.0;

  private final PartitionSize size;
  private final double lastDay;
  private final double mostPercent;

  private GrowthPlot(PartitionSize size) {
    this.size = size;
    double limit = size.growth().daysToLimit();
    lastDay =
        Math.max(
            LEAST_DAYS,
            size.isTooLarge()
                ? Math.min(PartitionSize.HORIZON_DAYS, 2 * limit)
                : Math.min(PartitionSize.HORIZON_DAYS, 1.25 * size.grownDays()));
    mostPercent = size.isTooLarge() ? 200 : 125;
  }

  static String of(PartitionSize size) {
    return new GrowthPlot(size).draw();
  }

  private String draw() {
    Growth growth = size.growth();
    StringBuilder svg = new StringBuilder();
    svg.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT);
    svg.append("\" role=\"img\" aria-label=\"")
        .append(HtmlReport.escaped("Growth of a partition " + Sentences.growth(size)))
        .append("\">\n");
    for (int percent = 0; percent <= mostPercent; percent += mostPercent > 150 ? 100 : 50) {
      line(svg, percent == 100 ? "limit" : "grid", LEFT, y(percent), RIGHT, y(percent));
      text(svg, "end", LEFT - 6, y(percent) + 4, percent + " %");
    }
    text(
        svg,
        "start",
        LEFT + 4,
        y(100) - 5,
        "limit: " + Growth.size(Growth.MOST_BYTES) + " or 100,000 cells");
    for (int quarter = 0; quarter <= 2; quarter++) {
      double day = lastDay * quarter / 2;
      String anchor = quarter == 0 ? "start" : quarter == 1 ? "middle" : "end";
      line(svg, "grid", x(day), BOTTOM, x(day), BOTTOM + 4);
      text(svg, anchor, x(day), BOTTOM + 18, quarter == 0 ? "0" : Growth.duration(day));
    }
    curve(svg, "bytes", 100 * growth.bytesAfter(1) / Growth.MOST_BYTES);
    curve(svg, "cells", 100 * growth.rowsADay() * growth.rowCells() / Growth.MOST_CELLS);
    return svg.append("</svg>\n").toString();
  }

  /** Growth until it ends or leaves the plot. */
  private void curve(StringBuilder svg, String kind, double percentADay) {
    double end = Math.min(size.days(), lastDay);
    double leaves = mostPercent / percentADay;
    StringBuilder points = new StringBuilder();
    point(points, 0, 0);
    if (leaves <= end) {
      point(points, leaves, mostPercent);
    } else {
      point(points, end, end * percentADay);
      point(points, lastDay, end * percentADay);
    }
    svg.append("<polyline class=\"").append(kind).append("\" points=\"");
    svg.append(points.toString().strip()).append("\"/>\n");
  }

  private void point(StringBuilder points, double day, double percent) {
    points.append(number(x(day))).append(',').append(number(y(percent))).append(' ');
  }

  private double x(double day) {
    return LEFT + (RIGHT - LEFT) * day / lastDay;
  }

  private double y(double percent) {
    return BOTTOM - (BOTTOM - TOP) * percent / mostPercent;
  }

  private static void line(
      StringBuilder svg, String kind, double x1, double y1, double x2, double y2) {
    svg.append("<line class=\"").append(kind).append("\" x1=\"").append(number(x1));
    svg.append("\" y1=\"").append(number(y1)).append("\" x2=\"").append(number(x2));
    svg.append("\" y2=\"").append(number(y2)).append("\"/>\n");
  }

  private static void text(StringBuilder svg, String anchor, double x, double y, String text) {
    svg.append("<text text-anchor=\"").append(anchor).append("\" x=\"").append(number(x));
    svg.append("\" y=\"").append(number(y)).append("\">").append(HtmlReport.escaped(text));
    svg.append("</text>\n");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
