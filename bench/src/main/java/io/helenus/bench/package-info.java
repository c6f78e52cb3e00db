/** Micro-benchmarks (JMH). Each says what it measures and with how much data. */
@NullMarked
package io.helenus.bench;

import org.jspecify.annotations.NullMarked;
