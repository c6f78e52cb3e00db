/**
 * Tests of the process around a node; those named {@code …IT} run the built server as a process of
 * {@code bin/helenus}.
 */
@NullMarked
package io.helenus.server.process;

import org.jspecify.annotations.NullMarked;
