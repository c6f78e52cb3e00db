/**
 * Tests that compare a node with a model of what it must answer: collections, conditions, counters
 * and expiry, indexes, vectors, views, paging, tracing.
 *
 * <p>Purpose: seeded statements are sent through CQL to a node in this process; each answer is
 * compared with that of a plain Java model, or of another way to ask. {@link
 * io.helenus.server.model.ModelSession} is the session they share.
 *
 * <p>Imports allowed: the JDK, JUnit, the test client, {@code conformance} for the node, and the
 * code under test.
 */
@NullMarked
package io.helenus.server.model;

import org.jspecify.annotations.NullMarked;
