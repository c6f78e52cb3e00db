// What users of the Node.js driver do, against one server: driver.js HOST PORT. Ends with 0 if all of it works.
'use strict';

const assert = require('assert');
const cassandra = require('cassandra-driver');
const types = cassandra.types;

const [host, port] = process.argv.slice(2);
const ROWS = 20000;
const DEADLINE_MILLIS = 30000;

function open() {
  return new cassandra.Client({ contactPoints: [host + ':' + port], localDataCenter: 'datacenter1' });
}

async function awaitCondition(condition, what) {
  const end = Date.now() + DEADLINE_MILLIS;
  while (!(await condition())) {
    assert.ok(Date.now() < end, 'not seen in time: ' + what);
    await new Promise((go) => setTimeout(go, 20));
  }
}

async function everyTypeComesBack(client) {
  await client.execute(
    'CREATE TABLE node_driver.types (k int, c timeuuid, v text, d decimal, n bigint, u uuid, i inet, ts timestamp, ' +
    'da date, ti time, b blob, du duration, vi varint, f float, db double, bo boolean, si smallint, ty tinyint, ' +
    'PRIMARY KEY (k, c))');
  const table = await client.metadata.getTable('node_driver', 'types');
  assert.strictEqual(table.columns.length, 18);
  assert.deepStrictEqual(table.partitionKeys.map((key) => key.name), ['k']);
  assert.deepStrictEqual(table.clusteringKeys.map((key) => key.name), ['c']);
  const values = [
    1, types.TimeUuid.now(), 'text', types.BigDecimal.fromString('4.20'), types.Long.fromString('9007199254740993'),
    types.Uuid.random(), types.InetAddress.fromString('127.0.0.1'), new Date(1700000000123), types.LocalDate.now(),
    types.LocalTime.now(), Buffer.from('ab', 'hex'), new types.Duration(1, 2, types.Long.fromInt(3)),
    types.Integer.fromString('123456789012345678901234567890'), 1.5, 2.5, true, 3, 4];
  const names = table.columnsByName;
  assert.ok(names.du);
  await client.execute(
    'INSERT INTO node_driver.types (k, c, v, d, n, u, i, ts, da, ti, b, du, vi, f, db, bo, si, ty) ' +
    'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', values, { prepare: true });
  const result = await client.execute(
    'SELECT k, c, v, d, n, u, i, ts, da, ti, b, du, vi, f, db, bo, si, ty FROM node_driver.types WHERE k = ?',
    [1], { prepare: true });
  assert.deepStrictEqual(result.first().values().map(String), values.map(String));
}

async function manyRowsComeInPages(client) {
  await client.execute('CREATE TABLE node_driver.pages (k int, c int, v text, PRIMARY KEY (k, c))');
  await cassandra.concurrent.executeConcurrent(
    client, 'INSERT INTO node_driver.pages (k, c, v) VALUES (?, ?, ?)',
    Array.from({ length: ROWS }, (_, i) => [i % 10, i, 'v' + i]), { prepare: true, concurrencyLevel: 200 });
  let seen = 0;
  for await (const row of client.stream('SELECT * FROM node_driver.pages', [], { prepare: true, fetchSize: 777 })) {
    assert.strictEqual(row.v, 'v' + row.c);
    seen++;
  }
  assert.strictEqual(seen, ROWS);
  const options = { prepare: true, fetchSize: 10 };
  const first = await client.execute('SELECT c FROM node_driver.pages WHERE k = 3', [], options);
  const second = await client.execute(
    'SELECT c FROM node_driver.pages WHERE k = 3', [], { ...options, pageState: first.pageState });
  assert.deepStrictEqual(second.rows.map((row) => row.c), [103, 113, 123, 133, 143, 153, 163, 173, 183, 193]);
}

async function batchesErrorsAndTraces(client) {
  const insert = 'INSERT INTO node_driver.pages (k, c, v) VALUES (?, ?, ?)';
  await client.batch(
    [{ query: insert, params: [100, 1, 'a'] }, { query: insert, params: [100, 2, 'b'] }], { prepare: true });
  await assert.rejects(client.execute('SELECT * FROM node_driver.nope'), { code: 0x2200 });
  await assert.rejects(client.execute('SELEC'), { code: 0x2000 });
  const traced = await client.execute('SELECT * FROM node_driver.pages WHERE k = 100', [], { traceQuery: true });
  assert.strictEqual(traced.rowLength, 2);
  const trace = await client.metadata.getTrace(traced.info.traceId);
  assert.ok(trace.events.length > 0);
}

async function changesByOthersAreSeen(client) {
  const other = open();
  await other.connect();
  assert.strictEqual(await client.metadata.getTable('node_driver', 'late'), null);
  await other.execute('CREATE TABLE node_driver.late (k int PRIMARY KEY, a int)');
  await awaitCondition(() => client.metadata.getTable('node_driver', 'late'), 'a new table');
  await other.execute('ALTER TABLE node_driver.late ADD b int');
  await awaitCondition(
    async () => (await client.metadata.getTable('node_driver', 'late')).columns.length === 3, 'a new column');
  await other.shutdown();
}

/** Writes a new field of a type through statements that were prepared before it was added. */
async function aFieldOfAnAlteredTypeIsWritten(client) {
  await client.execute('CREATE TYPE node_driver.addr (street text)');
  await client.execute(
    'CREATE TABLE node_driver.people (k int PRIMARY KEY, home frozen<addr>, homes list<frozen<addr>>)');
  const insert = 'INSERT INTO node_driver.people (k, home, homes) VALUES (?, ?, ?)';
  const update = 'UPDATE node_driver.people SET home = ? WHERE k = ?';
  const old = { street: 'Main' };
  await client.execute(insert, [1, old, [old]], { prepare: true });
  await client.execute(update, [old, 1], { prepare: true });
  await client.execute('ALTER TYPE node_driver.addr ADD city text');
  const home = { street: 'Main', city: 'Ulm' };
  await client.execute(insert, [2, home, [home]], { prepare: true });
  await client.execute(update, [home, 3], { prepare: true });
  const rows = await client.execute('SELECT k, home, homes FROM node_driver.people');
  const found = new Map(rows.rows.map((row) => [row.k, row]));
  assert.deepStrictEqual({ ...found.get(2).home }, home);
  assert.deepStrictEqual({ ...found.get(2).homes[0] }, home);
  assert.deepStrictEqual({ ...found.get(3).home }, home);
  assert.ok(!found.get(1).home.city);
}

async function main() {
  const client = open();
  await client.connect();
  assert.strictEqual(client.hosts.length, 1);
  assert.strictEqual(client.controlConnection.protocolVersion, 4);
  await client.execute('DROP KEYSPACE IF EXISTS node_driver');
  await client.execute(
    "CREATE KEYSPACE node_driver WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  assert.strictEqual(client.metadata.getReplicas('node_driver', Buffer.from([0, 0, 0, 1])).length, 1);
  await everyTypeComesBack(client);
  await manyRowsComeInPages(client);
  await batchesErrorsAndTraces(client);
  await changesByOthersAreSeen(client);
  await aFieldOfAnAlteredTypeIsWritten(client);
  await client.shutdown();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
