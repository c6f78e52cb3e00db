/**
 * Text to statements. Entry and only door: {@link io.helenus.cql.parser.CqlParser}; errors come as
 * {@link io.helenus.cql.parser.CqlSyntaxException}. ANTLR stays behind the door.
 *
 * <p>The way of a text: {@code CqlLexer} cuts it into tokens as the parser asks for them; the
 * generated {@code CqlGrammar} matches them and builds the statement through {@code GrammarActions}
 * and the drafts; {@code SyntaxErrors} words the first thing that goes wrong.
 *
 * <p>May import {@code io.helenus.cql.ast}, the ANTLR runtime, {@code java.*}, jspecify.
 */
@NullMarked
package io.helenus.cql.parser;

import org.jspecify.annotations.NullMarked;
