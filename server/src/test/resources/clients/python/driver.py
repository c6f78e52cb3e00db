"""What users of the Python driver do, against one server: driver.py HOST PORT. Ends with 0 if all of it works."""

import datetime
import decimal
import sys
import threading
import time
import uuid

import cassandra
from cassandra.cluster import Cluster
from cassandra.concurrent import execute_concurrent_with_args
from cassandra.query import BatchStatement, BatchType, SimpleStatement, UNSET_VALUE, dict_factory
from cassandra.util import Duration, Time

ROWS = 100_000
DEADLINE_SECONDS = 30


def await_condition(condition, what):
    end = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("not seen within %d s: %s" % (DEADLINE_SECONDS, what))
        threading.Event().wait(0.02)


def expect(error, action):
    try:
        action()
    except error as e:
        return e
    raise AssertionError("%s expected" % error.__name__)


def indexes(cluster, session):
    """Indexes with their kinds, targets and options, as they are created and dropped."""
    session.execute(
        "CREATE TABLE python_driver.books (id int PRIMARY KEY, title text, tags set<text>, sizes map<text, int>)")
    session.execute("CREATE INDEX by_tag ON python_driver.books (tags)")
    session.execute("CREATE INDEX ON python_driver.books (keys(sizes))")
    session.execute(
        "CREATE INDEX by_title ON python_driver.books (title) USING 'sai' WITH OPTIONS = {'case_sensitive': 'false'}")
    table = cluster.metadata.keyspaces["python_driver"].tables["books"]
    shown = {name: (index.kind, dict(index.index_options)) for name, index in table.indexes.items()}
    assert shown == {
        "by_tag": ("COMPOSITES", {"target": "values(tags)"}),
        "books_sizes_idx": ("COMPOSITES", {"target": "keys(sizes)"}),
        "by_title": ("CUSTOM", {"case_sensitive": "false", "class_name": "sai", "target": "title"}),
    }, shown
    text = table.export_as_string()
    assert "CREATE INDEX by_tag ON python_driver.books (values(tags));" in text, text
    assert "CREATE CUSTOM INDEX by_title ON python_driver.books (title) USING 'sai'" in text, text
    session.execute("INSERT INTO python_driver.books (id, title, tags) VALUES (1, 'Faust', {'play'})")
    assert session.execute("SELECT id FROM python_driver.books WHERE title = 'FAUST'").one().id == 1
    session.execute("DROP INDEX python_driver.by_title")
    table = cluster.metadata.keyspaces["python_driver"].tables["books"]
    assert set(table.indexes) == {"by_tag", "books_sizes_idx"}, table.indexes


def views(cluster, session):
    """Materialized views, as they are created, altered and dropped."""
    session.execute("CREATE TABLE python_driver.visits (page text, at timestamp, guest text, note text, PRIMARY KEY (page, at))")
    session.execute(
        "CREATE MATERIALIZED VIEW python_driver.by_guest AS SELECT page, at, guest FROM python_driver.visits"
        " WHERE guest IS NOT NULL AND page IS NOT NULL AND at IS NOT NULL PRIMARY KEY (guest, at, page)"
        " WITH CLUSTERING ORDER BY (at DESC, page ASC) AND comment = 'of a guest'")
    keyspace = cluster.metadata.keyspaces["python_driver"]
    view = keyspace.views["by_guest"]
    assert keyspace.tables["visits"].views["by_guest"] is view
    assert view.base_table_name == "visits" and not view.include_all_columns
    assert view.where_clause == "guest IS NOT NULL AND page IS NOT NULL AND at IS NOT NULL", view.where_clause
    assert [c.name for c in view.partition_key] == ["guest"]
    assert [(c.name, c.is_reversed) for c in view.clustering_key] == [("at", True), ("page", False)]
    assert set(view.columns) == {"guest", "at", "page"} and view.options["comment"] == "of a guest"
    text = view.as_cql_query()
    assert text.startswith("CREATE MATERIALIZED VIEW python_driver.by_guest AS"), text
    session.execute("INSERT INTO python_driver.visits (page, at, guest) VALUES ('a', 1, 'g')")
    assert session.execute("SELECT page FROM python_driver.by_guest WHERE guest = 'g'").one().page == "a"
    session.execute("ALTER MATERIALIZED VIEW python_driver.by_guest WITH comment = 'altered'")
    assert cluster.metadata.keyspaces["python_driver"].views["by_guest"].options["comment"] == "altered"
    session.execute("DROP MATERIALIZED VIEW python_driver.by_guest")
    assert "by_guest" not in cluster.metadata.keyspaces["python_driver"].views


def metadata(cluster, session):
    """The protocol version is negotiated from the highest; schema and tokens are read."""
    assert cluster.protocol_version == 5, cluster.protocol_version
    session.execute("DROP KEYSPACE IF EXISTS python_driver")
    session.execute(
        "CREATE KEYSPACE python_driver WITH replication ="
        " {'class': 'SimpleStrategy', 'replication_factor': 1}")
    session.execute(
        "CREATE TABLE python_driver.events (user text, day date, at timestamp, id uuid, owner text static, v blob,"
        " PRIMARY KEY ((user, day), at, id)) WITH CLUSTERING ORDER BY (at DESC, id ASC) AND comment = 'of a user'")
    keyspace = cluster.metadata.keyspaces["python_driver"]
    assert keyspace.replication_strategy.name == "SimpleStrategy"
    table = keyspace.tables["events"]
    assert [c.name for c in table.partition_key] == ["user", "day"]
    assert [c.name for c in table.clustering_key] == ["at", "id"]
    assert [c.is_reversed for c in table.clustering_key] == [True, False]
    assert table.columns["owner"].is_static
    assert table.columns["v"].cql_type == "blob"
    assert table.options["comment"] == "of a user"
    assert "CLUSTERING ORDER BY (at DESC, id ASC)" in table.export_as_string()
    indexes(cluster, session)
    views(cluster, session)
    assert "system" in cluster.metadata.keyspaces
    assert "system_schema" in cluster.metadata.keyspaces
    hosts = list(cluster.metadata.all_hosts())
    assert len(hosts) == 1, hosts
    assert hosts[0].datacenter == "datacenter1" and hosts[0].rack == "rack1"
    assert hosts[0].release_version and hosts[0].host_id
    assert cluster.metadata.token_map and len(cluster.metadata.token_map.ring) >= 1
    assert list(cluster.metadata.get_replicas("python_driver", b"alice")) == hosts
    assert cluster.metadata.partitioner.endswith("Murmur3Partitioner")


def every_type(session):
    session.execute(
        "CREATE TABLE python_driver.scalars (k int PRIMARY KEY, a ascii, b bigint, bl blob, bo boolean, da date,"
        " de decimal, dou double, du duration, f float, i inet, s smallint, t text, ti time, ts timestamp,"
        " tu timeuuid, ty tinyint, u uuid, vi varint)")
    row = dict(
        k=1, a="ascii", b=2**63 - 1, bl=b"\x00\xff", bo=True, da=datetime.date(2026, 11, 20), de=decimal.Decimal("12345.678900"),
        dou=3.141592653589793, du=Duration(14, 25, 18367008009010), f=1.5, i="192.168.1.10", s=-32768, t="text é 漢字",
        ti=Time(48654234567891), ts=datetime.datetime(2026, 11, 20, 13, 30, 54, 234000),
        tu=uuid.UUID("50554d6e-29bb-11e5-b345-feff819cdc9f"), ty=127, u=uuid.UUID("123e4567-e89b-12d3-a456-426655440000"),
        vi=-123456789012345678901234567890)
    names = list(row)
    insert = session.prepare(
        "INSERT INTO python_driver.scalars (%s) VALUES (%s)" % (", ".join(names), ", ".join(":" + n for n in names)))
    assert [c.name for c in insert.column_metadata] == names
    assert insert.routing_key_indexes == [0]
    session.execute(insert, row)
    session.execute(insert, dict({n: None for n in names}, k=2))
    session.execute(insert, dict({n: UNSET_VALUE for n in names}, k=3))
    session.row_factory, factory = dict_factory, session.row_factory
    select = session.prepare("SELECT * FROM python_driver.scalars WHERE k = ?")
    read = session.execute(select, [1]).one()
    for name in names:
        got = read[name].date() if name == "da" else read[name]
        assert got == row[name], (name, read[name], row[name])
    assert all(v is None for n, v in session.execute(select, [2]).one().items() if n != "k")
    assert session.execute(select, [4]).one() is None
    session.row_factory = factory


def paging(session):
    """Writes and pages through a hundred thousand rows, in partitions of a thousand."""
    session.execute("CREATE TABLE python_driver.pages (p int, c int, v text, PRIMARY KEY (p, c))")
    insert = session.prepare("INSERT INTO python_driver.pages (p, c, v) VALUES (?, ?, ?)")
    arguments = [(i // 1000, i % 1000, "value %d" % i) for i in range(ROWS)]
    results = execute_concurrent_with_args(session, insert, arguments, concurrency=200)
    assert all(success for success, _ in results)
    result = session.execute(SimpleStatement("SELECT p, c, v FROM python_driver.pages", fetch_size=1999))
    assert result.has_more_pages
    seen = set()
    last = None
    for row in result:
        assert row.v == "value %d" % (row.p * 1000 + row.c)
        assert last is None or last[0] != row.p or last[1] < row.c, (last, row)
        last = (row.p, row.c)
        seen.add(last)
    assert len(seen) == ROWS, len(seen)
    first = session.execute(SimpleStatement("SELECT c FROM python_driver.pages WHERE p = 7", fetch_size=300))
    resumed = session.execute(
        SimpleStatement("SELECT c FROM python_driver.pages WHERE p = 7", fetch_size=300), paging_state=first.paging_state)
    assert resumed.current_rows[0].c == 300
    warned = session.execute_async("SELECT count(*) FROM python_driver.pages")
    assert warned.result().one().count == ROWS
    assert warned.warnings == ["Aggregation query used without partition key"], warned.warnings


def events(host, port, cluster, session):
    """A change of the schema made through one driver is reported to the others."""
    other = Cluster([host], port=port)
    try:
        watching = other.connect()
        changes = []
        other.control_connection._connection.register_watcher("SCHEMA_CHANGE", changes.append)
        session.execute("CREATE TABLE python_driver.announced (k int PRIMARY KEY, v int)")
        await_condition(
            lambda: "announced" in other.metadata.keyspaces["python_driver"].tables, "a created table")
        session.execute("ALTER TABLE python_driver.announced ADD w text")
        await_condition(
            lambda: "w" in other.metadata.keyspaces["python_driver"].tables["announced"].columns, "a new column")
        session.execute("DROP TABLE python_driver.announced")
        await_condition(
            lambda: "announced" not in other.metadata.keyspaces["python_driver"].tables, "a dropped table")
        await_condition(lambda: len(changes) >= 3, "three events")
        assert [(c["change_type"], c["target_type"], c["table"]) for c in changes[:3]] == [
            ("CREATED", "TABLE", "announced"), ("UPDATED", "TABLE", "announced"), ("DROPPED", "TABLE", "announced")], changes
        watching.execute("SELECT key FROM system.local")
    finally:
        other.shutdown()
    assert cluster.metadata.keyspaces["python_driver"]


def prepared_again(session):
    """A prepared SELECT * shows a new column without being prepared again by its user."""
    session.execute("CREATE TABLE python_driver.growing (k int PRIMARY KEY, v int)")
    session.execute("INSERT INTO python_driver.growing (k, v) VALUES (1, 2)")
    select = session.prepare("SELECT * FROM python_driver.growing WHERE k = ?")
    assert session.execute(select, [1]).one() == (1, 2)
    session.execute("ALTER TABLE python_driver.growing ADD w text")
    assert session.execute(select, [1]).one() == (1, 2, None)


def warnings_and_batches(session):
    insert = session.prepare("INSERT INTO python_driver.pages (p, c, v) VALUES (?, ?, ?)")
    batch = BatchStatement(BatchType.UNLOGGED)
    for p in range(12):
        batch.add(insert, (1000 + p, 0, "batch"))
    future = session.execute_async(batch)
    future.result()
    assert "Unlogged batch covering 12 partitions" in future.warnings[0], future.warnings
    assert all(each.startswith("batch-over-many-partitions: ") for each in future.warnings[1:]), future.warnings
    logged = BatchStatement(BatchType.LOGGED)
    logged.add(insert, (2000, 0, "a"))
    logged.add(SimpleStatement("DELETE FROM python_driver.pages WHERE p = %s"), (1000,))
    session.execute(logged)
    assert session.execute("SELECT v FROM python_driver.pages WHERE p = %s", (2000,)).one().v == "a"
    assert session.execute("SELECT v FROM python_driver.pages WHERE p = 1000").one() is None


def errors(session):
    e = expect(cassandra.InvalidRequest, lambda: session.execute("SELECT * FROM python_driver.nope"))
    assert "table nope does not exist" in str(e), e
    expect(cassandra.protocol.SyntaxException, lambda: session.execute("SELEC * FROM t"))
    e = expect(
        cassandra.AlreadyExists,
        lambda: session.execute("CREATE TABLE python_driver.pages (p int PRIMARY KEY)"))
    assert (e.keyspace, e.table) == ("python_driver", "pages")
    expect(
        cassandra.protocol.ConfigurationException,
        lambda: session.execute("CREATE KEYSPACE x WITH replication = {'class': 'Nope'}"))
    e = expect(
        cassandra.cluster.NoHostAvailable,
        lambda: session.execute(
            SimpleStatement("SELECT * FROM python_driver.pages WHERE p = 1", consistency_level=cassandra.ConsistencyLevel.TWO)))
    unavailable = list(e.errors.values())[0]
    assert isinstance(unavailable, cassandra.Unavailable), e
    assert (unavailable.required_replicas, unavailable.alive_replicas) == (2, 1)


def traces(session):
    query = "SELECT v FROM python_driver.pages WHERE p = 3 AND c = 4"
    trace = session.execute(SimpleStatement(query, fetch_size=17), trace=True).get_query_trace()
    assert (trace.request_type, trace.client is not None) == ("Execute CQL3 query", True), trace
    assert trace.duration > datetime.timedelta(0) and trace.events, trace
    assert dict(trace.parameters) == {
        "consistency_level": "LOCAL_ONE",
        "page_size": "17",
        "query": query,
        "serial_consistency_level": "SERIAL"}, trace.parameters
    select = session.prepare("SELECT v FROM python_driver.pages WHERE p = ? AND c IN ?")
    trace = session.execute(select, (3, [4, 5]), trace=True).get_query_trace()
    assert trace.request_type == "Execute CQL3 prepared query", trace
    bound = {name: value for name, value in trace.parameters.items() if name.startswith("bound_var")}
    assert bound == {"bound_var_0_p": "3", "bound_var_1_in(c)": "[4, 5]"}, bound


def older_protocols(host, port):
    for version in (3, 4):
        for compression in (False, "lz4"):
            cluster = Cluster([host], port=port, protocol_version=version, compression=compression)
            try:
                session = cluster.connect("python_driver")
                assert session.execute("SELECT v FROM pages WHERE p = 3 AND c = 4").one().v == "value 3004"
            finally:
                cluster.shutdown()


def main(host, port):
    cluster = Cluster([host], port=port)
    try:
        session = cluster.connect()
        metadata(cluster, session)
        every_type(session)
        paging(session)
        events(host, port, cluster, session)
        prepared_again(session)
        warnings_and_batches(session)
        errors(session)
        traces(session)
        older_protocols(host, port)
        session.execute("DROP KEYSPACE python_driver")
        assert "python_driver" not in cluster.metadata.keyspaces
    finally:
        cluster.shutdown()
    print("all of it works")


main(sys.argv[1], int(sys.argv[2]))
