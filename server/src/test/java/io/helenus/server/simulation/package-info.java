/**
 * A whole node in one thread, with a virtual clock, a disk that loses unsynced bytes and fails, and
 * requests at the level of protocol records, checked against a model of rows that is independent of
 * the engine. Entry class: {@code SimulationTest}; {@code Model} defines the admissible states
 * after a crash.
 */
@NullMarked
package io.helenus.server.simulation;

import org.jspecify.annotations.NullMarked;
