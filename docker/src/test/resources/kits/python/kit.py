"""Starts the image as Python applications' tests do: python kit.py IMAGE"""

import sys

from cassandra.cluster import Cluster
from cassandra.policies import DCAwareRoundRobinPolicy
from testcontainers.community.cassandra import CassandraContainer

with CassandraContainer(sys.argv[1]) as container, Cluster(
    container.get_contact_points(),
    load_balancing_policy=DCAwareRoundRobinPolicy(container.get_local_datacenter()),
    protocol_version=5,
) as cluster:
    session = cluster.connect()
    session.execute("CREATE KEYSPACE kit WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    session.execute("CREATE TABLE kit.items (id int PRIMARY KEY, name text)")
    insert = session.prepare("INSERT INTO kit.items (id, name) VALUES (?, ?)")
    session.execute(insert, (1, "one"))
    print(session.execute("SELECT name FROM kit.items WHERE id = 1").one().name)
