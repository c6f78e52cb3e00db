/**
 * The metrics of a node as Prometheus reads them. Entry class: {@link
 * io.helenus.server.admin.prometheus.MetricsPage}. {@link
 * io.helenus.server.admin.prometheus.Series} lists everything that is shown. Micrometer and what it
 * needs are loaded with the first scrape.
 */
@NullMarked
package io.helenus.server.admin.prometheus;

import org.jspecify.annotations.NullMarked;
