/** Tests of the room metrics, with made-up times. */
@NullMarked
package io.helenus.server.metrics;

import org.jspecify.annotations.NullMarked;
