package io.helenus.server.node;

import io.helenus.server.config.Settings;
import io.helenus.server.guardrails.Guardrails;
import io.helenus.server.query.prepared.PreparedStatements;
import io.helenus.server.query.select.SlowQueryLog;
import io.helenus.server.query.statement.AutoSnapshots;
import io.helenus.server.replica.LocalReplica;
import io.helenus.server.system.NodeFacts;
import io.helenus.storage.memory.NodeMemory;

/** What the services of all shards share. Any thread. */
record SharedServices(
    World world,
    Settings settings,
    Guardrails guardrails,
    Advisors advisors,
    NodeMemory memory,
    DurableState durable,
    Enrollment enrollment,
    LocalReplica replica,
    PreparedStatements prepared,
    SlowQueryLog slowQueries,
    AutoSnapshots autoSnapshots,
    NodeFacts facts) {}
