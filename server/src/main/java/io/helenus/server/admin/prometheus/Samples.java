package io.helenus.server.admin.prometheus;

import io.helenus.server.metrics.LatencyCounts;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The samples of one scrape. One thread. */
final class Samples {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<Series, List<DataPointSnapshot>> points = new EnumMap<>(Series.class);

  private void add(Series series, DataPointSnapshot point) {
    points.computeIfAbsent(series, ignored -> new ArrayList<>()).add(point);
  }

  private static Labels labels(Series series, String... values) {
    return Labels.of(series.labels(), List.of(values));
  }

  /** Adds a sample of a counter or a gauge. */
  void add(Series series, double value, String... labels) {
    Labels labelled = labels(series, labels);
    switch (series.type()) {
      case COUNTER ->
          add(
              series,
              CounterSnapshot.CounterDataPointSnapshot.builder()
                  .labels(labelled)
                  .value(value)
                  .build());
      case GAUGE ->
          add(
              series,
              GaugeSnapshot.GaugeDataPointSnapshot.builder().labels(labelled).value(value).build());
      case INFO ->
          add(series, InfoSnapshot.InfoDataPointSnapshot.builder().labels(labelled).build());
      case HISTOGRAM, SUMMARY -> throw new IllegalArgumentException(series.title());
    }
  }

  /** Adds a sample of a histogram in seconds. */
  void add(Series series, LatencyCounts latencies, String... labels) {
    double[] bounds = latencies.boundsNanos();
    for (int i = 0; i < bounds.length; i++) {
      bounds[i] /= NANOS_PER_SECOND;
    }
    add(
        series,
        HistogramSnapshot.HistogramDataPointSnapshot.builder()
            .labels(labels(series, labels))
            .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, latencies.counts()))
            .sum(latencies.sumNanos() / NANOS_PER_SECOND)
            .build());
  }

  /** Adds a sample of a summary without quantiles. */
  void add(Series series, long count, double sum, String... labels) {
    add(
        series,
        SummarySnapshot.SummaryDataPointSnapshot.builder()
            .labels(labels(series, labels))
            .count(count)
            .sum(sum)
            .build());
  }

  MetricSnapshots snapshots() {
    List<MetricSnapshot> snapshots = new ArrayList<>();
    points.forEach((series, samples) -> snapshots.add(snapshot(series, samples)));
    return new MetricSnapshots(snapshots);
  }

  private static MetricSnapshot snapshot(Series series, List<DataPointSnapshot> samples) {
    MetricMetadata about = new MetricMetadata(series.title(), series.help());
    return switch (series.type()) {
      case COUNTER ->
          new CounterSnapshot(about, cast(CounterSnapshot.CounterDataPointSnapshot.class, samples));
      case GAUGE ->
          new GaugeSnapshot(about, cast(GaugeSnapshot.GaugeDataPointSnapshot.class, samples));
      case HISTOGRAM ->
          new HistogramSnapshot(
              about, cast(HistogramSnapshot.HistogramDataPointSnapshot.class, samples));
      case SUMMARY ->
          new SummarySnapshot(about, cast(SummarySnapshot.SummaryDataPointSnapshot.class, samples));
      case INFO -> new InfoSnapshot(about, cast(InfoSnapshot.InfoDataPointSnapshot.class, samples));
    };
  }

  private static <T> List<T> cast(Class<T> type, List<DataPointSnapshot> samples) {
    return samples.stream().map(type::cast).toList();
  }
}
