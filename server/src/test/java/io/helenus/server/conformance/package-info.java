/**
 * Conformance scripts (CQL statements with answers recorded from Apache Cassandra) and their
 * runner.
 *
 * <p>Purpose: the same scripts (under {@code src/test/resources/cql}) run over the native protocol
 * against any host and port, so that Helenus and the oracle can be compared statement by statement.
 * Entry class: {@link io.helenus.server.conformance.Conformance} from a shell, {@code
 * ConformanceTest} and {@code ConformanceRestartTest} from Maven. The script format is described at
 * {@link io.helenus.server.conformance.Script}.
 *
 * <p>Imports allowed: the JDK, JUnit and the test client, and in a test the code under test; a
 * client that shared code with the server would share its bugs.
 */
@NullMarked
package io.helenus.server.conformance;

import org.jspecify.annotations.NullMarked;
