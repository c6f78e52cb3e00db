/**
 * Conformance scripts: CQL statements with answers recorded from Apache Cassandra, and what runs
 * them.
 *
 * <p>Purpose: the same scripts (under {@code src/test/resources/cql}) run over the native protocol
 * against any host and port, so that Helenus and the oracle can be compared statement by statement.
 * Entry class: {@link io.helenus.server.conformance.Conformance} from a shell, {@code
 * ConformanceTest} from Maven. The script format is described at {@link
 * io.helenus.server.conformance.Script}.
 *
 * <p>{@link io.helenus.server.conformance.Differential} looks for the differences that no script
 * asks about: statements made from a seed, sent to both servers. What it finds becomes a script.
 *
 * <p>Imports allowed: the JDK, JUnit and the test client, and in a test what it tests; a client
 * that shared code with the server would share its mistakes.
 */
@NullMarked
package io.helenus.server.conformance;

import org.jspecify.annotations.NullMarked;
