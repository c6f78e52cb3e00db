#!/usr/bin/env python3
"""Records what system tables of Apache Cassandra 5.0 show on one of three nodes: server/src/test/resources/system.

    record-cluster.py HOST KEYSPACE QUERY...

Prints each query and its rows, a line for each column that is not null and -- after each row. With the keyspace, DESCRIBE
CLUSTER shows the owners of ranges; - is none. Needs cassandra-driver.

The three nodes: num_tokens 4 and initial_token, the first
-9000000000000000000, -4000000000000000000, 1000000000000000000, 5500000000000000000, the second
-7500000000000000000, -2500000000000000000, 2500000000000000000, 7000000000000000000, the third
-6000000000000000000, -1000000000000000000, 4000000000000000000, 8500000000000000000; GossipingPropertyFileSnitch with dc1 and
rack1 to rack3, or west/r1, east/r1 and east/r2. Estimates: after nodetool flush and refreshsizeestimates. The outputs in
server/src/test/resources/nodetool/three-nodes and two-datacenters are those of Cassandra's nodetool on the first node about
half a minute after the third was killed; the files are named by the command, -mixed is with both keyspaces three and one.
"""
import sys
import uuid

from cassandra.cluster import Cluster, ExecutionProfile, EXEC_PROFILE_DEFAULT
from cassandra.policies import WhiteListRoundRobinPolicy

host, keyspace, queries = sys.argv[1], sys.argv[2], sys.argv[3:]
profile = ExecutionProfile(load_balancing_policy=WhiteListRoundRobinPolicy([host]), request_timeout=60)
cluster = Cluster([host], execution_profiles={EXEC_PROFILE_DEFAULT: profile}, schema_metadata_enabled=False)
session = cluster.connect() if keyspace == "-" else cluster.connect(keyspace)


def text(value):
    if isinstance(value, uuid.UUID):
        return str(value)
    if hasattr(value, "items"):
        return "{" + ", ".join(repr(entry) for entry in value.items()) + "}"
    if isinstance(value, (str, int)):
        return repr(value)
    return "{" + ", ".join(repr(element) for element in value) + "}"


for query in queries:
    print(">", query)
    for row in session.execute(query):
        for name, value in zip(row._fields, row):
            if value is not None and name != "truncated_at":
                print(name, "=", text(value))
        print("--")
cluster.shutdown()
