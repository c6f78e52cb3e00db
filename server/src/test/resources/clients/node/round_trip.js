// Values of every type through the Node.js driver and back: round_trip.js HOST PORT TYPES. Ends with 0 if all come back.
//
// TYPES lists columns with a literal each. What the driver decodes from the literal is bound to a prepared statement and must come back the
// same, and as the same JSON; bound null removes it, an unset value leaves it.
'use strict';

const assert = require('assert');
const fs = require('fs');
const cassandra = require('cassandra-driver');
const types = cassandra.types;

const KEYSPACE = 'node_types';
const DEADLINE_MILLIS = 30000;
const [host, port, path] = process.argv.slice(2);

// Maps and sets as JavaScript's own, so that keys keep their types.
const encoding = { map: Map, set: Set };

const decodedValues = {
  bigint: types.Long.fromString('-9223372036854775808'),
  blob: Buffer.from('00ff7f80', 'hex'),
  date: types.LocalDate.fromString('2026-11-20'),
  decimal: types.BigDecimal.fromString('-12345.678900'),
  duration: new types.Duration(14, 25, types.Long.fromString('18367008009010')),
  inet: types.InetAddress.fromString('2001:db8::ff00:42:8329'),
  text: "quotes ' and é 漢字 𝄞",
  time: types.LocalTime.fromString('13:30:54.234567891'),
  timestamp: new Date('2026-11-20T13:30:54.234Z'),
  varint: types.Integer.fromString('-123456789012345678901234567890'),
  list_int: [3, 1, 2, 1],
  list_duration: [[1, 0, 0], [0, 2, 0], [0, 0, 3]].map((d) => new types.Duration(d[0], d[1], types.Long.fromInt(d[2]))),
  set_text: new Set(['', 'b', 'é']),
  map_text_int: new Map([['', -2], ['x', 1]]),
  list_of_maps: [new Map([['a', new Set([1, 2])], ['b', new Set([3])]]), new Map([['c', new Set([4])]])],
  map_of_lists: new Map([[1, [['a', 'b'], ['c']]], [2, [['d']]]]),
  nested_empty: new Map([[1, [new Set(['a', 'b']), new Set()]], [2, []]]),
  tuple_null: new types.Tuple(null, 'x', null),
  tuple_nested: new types.Tuple(new types.Tuple(1, 2.5), new Map([[3, 'three']])),
  udt: { street: 'Main', zip: 12345, tags: new Set(['home', 'old']) },
  udt_null: { street: null, zip: 1, tags: null },
  udt_nested: { name: 'Ada', home: { street: 'Main', zip: 1, tags: new Set(['x']) }, phones: new Map([['work', '1']]) },
  vector_float: new types.Vector([0.5, -0.25, 3.5].map(Math.fround), 'float'),
};

function open(keyspace) {
  return new cassandra.Client({ contactPoints: [host + ':' + port], localDataCenter: 'datacenter1', keyspace, encoding });
}

/** A value as comparable text: the driver's classes know their own. */
function shown(value) {
  if (value === null || value === undefined) return 'null';
  if (Buffer.isBuffer(value)) return '0x' + value.toString('hex');
  if (value instanceof types.Tuple) return '(' + value.elements.map(shown).join(', ') + ')';
  if (value instanceof types.Vector) return 'vector[' + Array.from(value).map(shown).join(', ') + ']';
  if (value instanceof Set) return 'set{' + [...value].map(shown).join(', ') + '}';
  if (value instanceof Map) return 'map{' + [...value].map(([k, v]) => shown(k) + ': ' + shown(v)).join(', ') + '}';
  if (Array.isArray(value)) return '[' + value.map(shown).join(', ') + ']';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value.constructor === Object) {
    return '{' + Object.keys(value).map((key) => key + ': ' + shown(value[key])).join(', ') + '}';
  }
  return typeof value === 'string' ? JSON.stringify(value) : value.constructor.name + ' ' + value;
}

function assertSame(actual, expected, what) {
  assert.strictEqual(shown(actual), shown(expected), what);
}

/** The driver sends an empty collection as null, also within another collection. */
function isBindable(column) {
  return column.name !== 'nested_empty';
}

async function roundTrip(client, columns) {
  const names = columns.map((column) => column.name);
  const list = names.join(', ');
  await client.execute(`CREATE TABLE types (k int PRIMARY KEY, ${columns.map((c) => c.name + ' ' + c.type).join(', ')})`);
  await client.execute(`INSERT INTO types (k, ${list}) VALUES (1, ${columns.map((c) => c.literal).join(', ')})`);
  const first = (await client.execute(`SELECT ${list} FROM types`, [], { prepare: true })).first();
  for (const [name, value] of Object.entries(decodedValues)) {
    assertSame(first[name], value, name);
  }
  return first;
}

async function boundValues(client, columns, decoded) {
  const names = columns.map((column) => column.name);
  const list = names.join(', ');
  const prepare = { prepare: true };
  const read = async (k) => (await client.execute(`SELECT ${list} FROM types WHERE k = ?`, [k], prepare)).first();
  const write = (values) => client.execute(
    `INSERT INTO types (k, ${list}) VALUES (?, ${names.map(() => '?').join(', ')})`, [2, ...values], prepare);
  const values = names.map((name) => decoded[name]);
  const assertUnchanged = async () => {
    const second = await read(2);
    names.forEach((name, i) => assertSame(second[name], values[i], name));
  };
  await write(values);
  await assertUnchanged();
  const json = async (k) => (await client.execute(`SELECT JSON ${list} FROM types WHERE k = ${k}`)).first()['[json]'];
  assert.strictEqual(await json(2), await json(1));
  await write(names.map(() => types.unset));
  await assertUnchanged();
  await write(names.map(() => null));
  assert.deepStrictEqual((await read(2)).values(), names.map(() => null));
}

async function emptyValues(client) {
  await client.execute(
    'CREATE TABLE empties (k int PRIMARY KEY, l list<int>, s set<int>, m map<int, int>, fl frozen<list<int>>, ' +
    'fs frozen<set<int>>, fm frozen<map<int, int>>, t text, b blob)');
  await client.execute("INSERT INTO empties (k, l, s, m, fl, fs, fm) VALUES (1, [], {}, {}, [], {}, {})");
  await client.execute("UPDATE empties SET t = ?, b = ? WHERE k = 1", ['', Buffer.alloc(0)], { prepare: true });
  const row = (await client.execute('SELECT l, s, m, fl, fs, fm, t, b FROM empties')).first();
  assertSame(row.values(), [null, null, null, [], new Set(), new Map(), '', Buffer.alloc(0)], 'empty values');
}

async function keys(client, columns, decoded) {
  for (const { name, type } of columns) {
    if (type.includes('duration')) continue;
    const frozen = /^(frozen|vector)</.test(type) || !type.includes('<') ? type : `frozen<${type}>`;
    await client.execute(
      `CREATE TABLE key_${name} (p ${frozen}, a ${frozen}, d ${frozen}, v int, PRIMARY KEY (p, a, d)) ` +
      'WITH CLUSTERING ORDER BY (a ASC, d DESC)');
    const key = [decoded[name], decoded[name], decoded[name]];
    await client.execute(`INSERT INTO key_${name} (p, a, d, v) VALUES (?, ?, ?, 7)`, key, { prepare: true });
    const rows = (await client.execute(
      `SELECT p, a, d, v FROM key_${name} WHERE p = ? AND a = ? AND d = ?`, key, { prepare: true })).rows;
    assertSame(rows.map((row) => row.values()), [[...key, 7]], name);
  }
}

async function metadata(client, columns) {
  const person = await client.metadata.getUdt(KEYSPACE, 'person');
  assert.deepStrictEqual(person.fields.map((field) => field.name), ['name', 'home', 'phones']);
  assert.deepStrictEqual(person.fields[1].type.info.fields.map((field) => field.name), ['street', 'zip', 'tags']);
  const table = await client.metadata.getTable(KEYSPACE, 'types');
  const dataTypes = types.dataTypes;
  for (const { name, type } of columns) {
    const column = table.columnsByName[name].type;
    const outer = /^(?:frozen<)?(\w+)/.exec(type)[1];
    const expected = { address: 'udt', person: 'udt', vector: 'custom' }[outer] || outer;
    assert.strictEqual(column.code, dataTypes[expected === 'text' ? 'text' : expected], name);
  }
}

async function awaitCondition(condition, what) {
  const end = Date.now() + DEADLINE_MILLIS;
  while (!(await condition())) {
    assert.ok(Date.now() < end, 'not seen in time: ' + what);
    await new Promise((go) => setTimeout(go, 20));
  }
}

async function schemaChanges(client) {
  const other = open(KEYSPACE);
  await other.connect();
  await other.execute('CREATE TYPE late (a int)');
  await awaitCondition(() => client.metadata.getUdt(KEYSPACE, 'late'), 'a new type');
  await other.execute('ALTER TYPE late ADD b text');
  await awaitCondition(
    async () => (await client.metadata.getUdt(KEYSPACE, 'late')).fields.length === 2, 'a new field');
  await other.execute('DROP TYPE late');
  await awaitCondition(async () => !(await client.metadata.getUdt(KEYSPACE, 'late')), 'a dropped type');
  await other.shutdown();
}

async function conditionsWarningsAndNewColumns(client) {
  await client.execute('CREATE TABLE versions (k int PRIMARY KEY, v int)');
  const insert = 'INSERT INTO versions (k, v) VALUES (?, ?) IF NOT EXISTS';
  const first = await client.execute(insert, [1, 10], { prepare: true });
  assert.ok(first.wasApplied());
  const second = await client.execute(insert, [1, 11], { prepare: true });
  assert.ok(!second.wasApplied());
  assert.deepStrictEqual(second.first().values(), [false, 1, 10]);
  const update = 'UPDATE versions SET v = ? WHERE k = ? IF v = ?';
  assert.ok((await client.execute(update, [12, 1, 10], { prepare: true })).wasApplied());
  const stale = await client.execute(update, [13, 1, 10], { prepare: true });
  assert.deepStrictEqual(stale.first().values(), [false, 12]);
  const select = 'SELECT * FROM versions WHERE k = ?';
  assert.deepStrictEqual((await client.execute(select, [1], { prepare: true })).first().keys(), ['k', 'v']);
  await client.execute('ALTER TABLE versions ADD w text');
  await awaitCondition(
    async () => (await client.execute(select, [1], { prepare: true })).first().keys().includes('w'), 'the new column');
  const queries = Array.from({ length: 12 }, (_, k) => ({ query: 'UPDATE versions SET v = 1 WHERE k = ?', params: [k] }));
  const warned = await client.batch(queries, { prepare: true, logged: false });
  assert.match(warned.info.warnings[0], /Unlogged batch covering 12 partitions/);
  for (const advice of warned.info.warnings.slice(1)) {
    assert.match(advice, /^batch-over-many-partitions: /);
  }
}

async function main() {
  const lines = fs.readFileSync(path, 'utf8').split('\n').filter((line) => line && !line.startsWith('#'));
  const columns = lines.filter((line) => line.includes('\t')).map((line) => {
    const [name, type, literal] = line.split('\t');
    return { name, type, literal };
  });
  const setUp = open();
  await setUp.connect();
  await setUp.execute('DROP KEYSPACE IF EXISTS ' + KEYSPACE);
  await setUp.execute(
    `CREATE KEYSPACE ${KEYSPACE} WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}`);
  await setUp.shutdown();
  const client = open(KEYSPACE);
  await client.connect();
  for (const statement of lines.filter((line) => !line.includes('\t'))) {
    await client.execute(statement);
  }
  const decoded = await roundTrip(client, columns);
  const bindable = columns.filter(isBindable);
  await boundValues(client, bindable, decoded);
  await emptyValues(client);
  await keys(client, bindable, decoded);
  await metadata(client, columns);
  await schemaChanges(client);
  await conditionsWarningsAndNewColumns(client);
  await client.execute('DROP KEYSPACE ' + KEYSPACE);
  await client.shutdown();
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
