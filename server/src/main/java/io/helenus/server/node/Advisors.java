package io.helenus.server.node;

import io.helenus.server.advice.SchemaAdvisor;
import io.helenus.server.advice.Silence;
import io.helenus.server.advice.StatementAdvisor;

/** What is said to clients about their tables and statements. One per node; any thread. */
record Advisors(SchemaAdvisor tables, StatementAdvisor statements) {
  static Advisors of(Silence silence) {
    return new Advisors(new SchemaAdvisor(silence), new StatementAdvisor(silence));
  }
}
