/**
 * What a CQL text says, as immutable records: statements, terms, selectors, relations, types. They
 * know nothing of tables: names are as written with the case already folded, types and columns are
 * not looked up.
 *
 * <p>Entry: {@link io.helenus.cql.ast.Statement}. May import only {@code java.*} and jspecify.
 */
@NullMarked
package io.helenus.cql.ast;

import org.jspecify.annotations.NullMarked;
