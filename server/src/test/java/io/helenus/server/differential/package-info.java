/**
 * The differential tester: looks for differences from Apache Cassandra that no script covers.
 *
 * <p>Purpose: {@link io.helenus.server.differential.Differential} sends the statements of {@code
 * generated} to both servers, recognizes the differences that {@code docs/compatibility.md}
 * describes ({@link io.helenus.server.differential.Difference}), and reduces the others to few
 * statements. Each finding becomes a script.
 *
 * <p>Imports allowed: the JDK, JUnit, {@code conformance} and {@code generated}.
 */
@NullMarked
package io.helenus.server.differential;

import org.jspecify.annotations.NullMarked;
