package io.helenus.cql.ast;

import org.jspecify.annotations.Nullable;

/** One element of a SELECT list. */
public record Selector(Selectable selectable, @Nullable String alias) {}
