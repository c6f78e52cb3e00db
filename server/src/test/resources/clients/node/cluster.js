// An application with the Node.js driver and three nodes: cluster.js HOST PORT. What it reads and prints, ClusterProgram.java describes.
'use strict';

const cassandra = require('cassandra-driver');
const readline = require('readline');

const [host, port] = process.argv.slice(2);
const WORKERS = 4;
const PAUSE_MILLIS = 10;

function say(line) {
  process.stdout.write(line.replaceAll('\n', ' ') + '\n');
}

function address(of) {
  return of.address.split(':')[0];
}

class Load {
  constructor(client) {
    this.client = client;
    this.running = true;
    this.done = 0;
    this.workers = Array.from({ length: WORKERS }, (_, i) => this.work(i));
  }

  async work(number) {
    for (let i = number; this.running; i += 3) {
      try {
        if (i % 2 === 0) {
          await this.client.execute('INSERT INTO rf3.t (id, v) VALUES (?, ?)', [i % 1000, i]);
        } else {
          await this.client.execute('SELECT v FROM rf3.t WHERE id = ?', [i % 1000]);
        }
        this.done++;
      } catch (error) {
        say('failed ' + error + ' ' + JSON.stringify(error.innerErrors || ''));
      }
      await new Promise((go) => setTimeout(go, PAUSE_MILLIS));
    }
  }

  async end() {
    this.running = false;
    await Promise.all(this.workers);
  }
}

async function main() {
  const client = new cassandra.Client({
    contactPoints: [host],
    localDataCenter: 'datacenter1',
    protocolOptions: { port: Number(port) },
    queryOptions: { prepare: true, isIdempotent: true, consistency: cassandra.types.consistencies.quorum },
    socketOptions: { readTimeout: 60000 },
  });
  await client.connect();
  let load;
  say('hosts ' + client.hosts.values().map(address).sort().join(' '));
  client.on('hostUp', (of) => say('up ' + address(of)));
  client.on('hostDown', (of) => say('down ' + address(of)));
  client.on('hostRemove', (of) => say('removed ' + address(of)));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [command, ...keys] = line.split(' ');
    if (command === 'route') {
      for (const key of keys.map(Number)) {
        await client.execute('INSERT INTO rf1.t (id, v) VALUES (?, ?)', [key, key]);
      }
      say('routed');
    } else if (command === 'load') {
      load = new Load(client);
    } else if (command === 'count') {
      say('done ' + load.done);
    } else if (command === 'end') {
      await load.end();
      say('done ' + load.done);
      break;
    }
  }
  await client.shutdown();
  process.exit(0); // though more input could come
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
