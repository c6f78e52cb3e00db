package io.helenus.cql.parser;

import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.UpdateParameters;
import org.jspecify.annotations.Nullable;

/** A USING while it is read; what is given twice keeps its last value. */
final class UsingDraft {
  @Nullable Term timestamp;
  @Nullable Term timeToLive;

  UpdateParameters build() {
    return timestamp == null && timeToLive == null
        ? UpdateParameters.NONE
        : new UpdateParameters(timestamp, timeToLive);
  }
}
