/**
 * A whole node in one thread: virtual clock, a disk that forgets unsynced bytes, requests at the
 * records of the protocol, judged by a model of rows that knows nothing of the engine. Entry class:
 * {@code SimulationTest}.
 */
@NullMarked
package io.helenus.server.simulation;

import org.jspecify.annotations.NullMarked;
