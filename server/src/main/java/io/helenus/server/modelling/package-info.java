/**
 * Modelling without a server: schemas and queries read from text, which tables serve which queries,
 * and what {@code helenus advise} says about both. Pure, but for the command in {@code process}
 * that reads files. Knows the schema, its advice, and how statements are planned.
 */
@NullMarked
package io.helenus.server.modelling;

import org.jspecify.annotations.NullMarked;
