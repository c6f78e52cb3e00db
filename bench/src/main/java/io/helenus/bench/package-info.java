/**
 * Measurements: micro-benchmarks (JMH), each documenting what it measures and with how much data,
 * and {@link io.helenus.bench.LoadGenerator}, which measures a server externally. May depend on
 * everything; nothing depends on it.
 */
@NullMarked
package io.helenus.bench;

import org.jspecify.annotations.NullMarked;
