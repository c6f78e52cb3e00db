/**
 * A whole node in one thread: virtual clock, a disk that forgets unsynced bytes and fails, requests
 * at the records of the protocol, judged by a model of rows that knows nothing of the engine. Entry
 * class: {@code SimulationTest}; what may be there after a crash is defined by {@code Model}.
 */
@NullMarked
package io.helenus.server.simulation;

import org.jspecify.annotations.NullMarked;
