/**
 * Cassandra's guardrails: limits that an operator sets, above which a request causes a warning or
 * is rejected, with Cassandra's names and texts. Imports only {@code error} and {@code config}.
 */
@NullMarked
package io.helenus.server.guardrails;

import org.jspecify.annotations.NullMarked;
