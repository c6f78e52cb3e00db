package io.helenus.cql.parser;

import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.UpdateParameters;
import org.jspecify.annotations.Nullable;

/** A USING clause being parsed; if an option is repeated, the last value wins. */
final class UsingDraft {
  @Nullable Term timestamp;
  @Nullable Term timeToLive;

  UpdateParameters build() {
    return timestamp == null && timeToLive == null
        ? UpdateParameters.NONE
        : new UpdateParameters(timestamp, timeToLive);
  }
}
