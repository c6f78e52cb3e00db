/** Tests of the metrics package, with synthetic times. */
@NullMarked
package io.helenus.server.metrics;

import org.jspecify.annotations.NullMarked;
