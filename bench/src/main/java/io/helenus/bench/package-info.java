/**
 * Measurements: micro-benchmarks (JMH), each saying what it measures and with how much data, and
 * {@link io.helenus.bench.LoadGenerator}, which measures a server from outside. May use everything;
 * nothing uses it.
 */
@NullMarked
package io.helenus.bench;

import org.jspecify.annotations.NullMarked;
