/**
 * Parses text into statements. The entry point is {@link io.helenus.cql.parser.CqlParser}; errors
 * are thrown as {@link io.helenus.cql.parser.CqlSyntaxException}. ANTLR is not visible outside.
 * {@link io.helenus.cql.parser.StatementShape} recognises statements that differ only in their
 * constants, without parsing them.
 *
 * <p>{@code CqlLexer} produces tokens on demand; the generated {@code CqlGrammar} matches them and
 * builds the statement through {@code GrammarActions} and the drafts; {@code SyntaxErrors} formats
 * the first error.
 *
 * <p>May import {@code io.helenus.cql.ast}, the ANTLR runtime, {@code java.*}, jspecify.
 */
@NullMarked
package io.helenus.cql.parser;

import org.jspecify.annotations.NullMarked;
