package io.helenus.server.admin.prometheus;

import io.helenus.server.admin.AdminNode;
import io.helenus.server.admin.CommandException;
import io.helenus.server.admin.Page;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Writes the metrics of the node, and those of the JVM as Micrometer reads them.
 *
 * <p>The metrics of the node are not meters of Micrometer: a meter is registered before it counts
 * and lives until it is removed, and none of them can give out counts per bucket that were made
 * elsewhere. A scrape instead reads what the shards count for themselves and hands it to the model
 * under Micrometer's registry, so that nothing is registered when a table is defined or used, and
 * no shard shares a counter. One thread at a time.
 */
final class Exposition {
  private static final int FIRST_BYTES = 64 << 10;

  private final PrometheusMeterRegistry process =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final ExpositionFormats formats = ExpositionFormats.init();
  private final NodeSamples samples;

  Exposition(AdminNode node, int tableLimit) {
    samples = new NodeSamples(node, tableLimit);
    new JvmMemoryMetrics().bindTo(process);
    new JvmThreadMetrics().bindTo(process);
    new ProcessorMetrics().bindTo(process);
    new FileDescriptorMetrics().bindTo(process);
    new UptimeMetrics().bindTo(process);
    // not JvmGcMetrics, which counts only from its first use on
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      FunctionTimer.builder(
              "jvm.gc.collection",
              collector,
              GarbageCollectorMXBean::getCollectionCount,
              GarbageCollectorMXBean::getCollectionTime,
              TimeUnit.MILLISECONDS)
          .description("Garbage collections since the start")
          .tag("gc", collector.getName())
          .register(process);
    }
  }

  Page.Document scrape(String accept) throws CommandException, IOException {
    List<MetricSnapshot> all = new ArrayList<>();
    samples.take().forEach(all::add);
    process.getPrometheusRegistry().scrape().forEach(all::add);
    ExpositionFormatWriter writer =
        accept.contains("openmetrics")
            ? formats.getOpenMetricsTextFormatWriter()
            : formats.getPrometheusTextFormatWriter();
    ByteArrayOutputStream out = new ByteArrayOutputStream(FIRST_BYTES);
    writer.write(out, new MetricSnapshots(all));
    return new Page.Document(writer.getContentType(), out.toByteArray());
  }
}
