/**
 * What the server advises about schemas: rules that judge a table from its names, types, options
 * and neighbours, and say what to write instead; and what is said about statements that others have
 * counted. Knows the schema and nothing of data, requests or clients. {@code docs/advice} has one
 * page for each rule.
 */
@NullMarked
package io.helenus.server.advice;

import org.jspecify.annotations.NullMarked;
