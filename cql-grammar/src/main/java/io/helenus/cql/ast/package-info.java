/**
 * The abstract syntax of CQL as immutable records: statements, terms, selectors, relations, types.
 * They are independent of the schema: names are case-folded but not resolved, and types and columns
 * are not looked up.
 *
 * <p>Entry: {@link io.helenus.cql.ast.Statement}. May import only {@code java.*} and jspecify.
 */
@NullMarked
package io.helenus.cql.ast;

import org.jspecify.annotations.NullMarked;
