package io.helenus.server.query.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.helenus.server.protocol.QueryParameters;
import io.helenus.server.protocol.RecordedExchange;
import io.helenus.server.schema.Schema;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunContextTest {
  private final RunContext context = new RunContext();

  private RunContext of(@Nullable String user) {
    Schema schema = Schema.of(List.of(), new UUID(0, 0), 1);
    return context.fill(new RecordedExchange(), user, new QueryParameters(), schema, null);
  }

  @Test
  void theUserIsThatOfTheRequestInHand() {
    assertEquals("app", of("app").user());
    assertNull(of(null).user());
  }
}
