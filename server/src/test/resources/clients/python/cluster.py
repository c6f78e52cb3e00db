"""An application with the Python driver and three nodes: cluster.py HOST PORT.

What it reads and prints, ClusterProgram.java describes.
"""

import sys
import threading
import time

from cassandra import ConsistencyLevel
from cassandra.cluster import EXEC_PROFILE_DEFAULT, Cluster, ExecutionProfile
from cassandra.policies import HostStateListener

WORKERS = 4
PAUSE_SECONDS = 0.01

output = threading.Lock()


def say(line):
    with output:
        print(line.replace("\n", " "), flush=True)


class Listener(HostStateListener):
    def on_up(self, host):
        say("up " + host.address)

    def on_down(self, host):
        say("down " + host.address)

    def on_add(self, host):
        pass

    def on_remove(self, host):
        say("removed " + host.address)


class Load:
    def __init__(self, session):
        self.session = session
        self.insert = session.prepare("INSERT INTO rf3.t (id, v) VALUES (?, ?)")
        self.select = session.prepare("SELECT v FROM rf3.t WHERE id = ?")
        self.insert.is_idempotent = self.select.is_idempotent = True
        self.running = True
        self.done = [0] * WORKERS
        self.workers = [threading.Thread(target=self.work, args=(n,)) for n in range(WORKERS)]
        for worker in self.workers:
            worker.start()

    def work(self, number):
        i = number
        while self.running:
            try:
                if i % 2 == 0:
                    self.session.execute(self.insert, (i % 1000, i))
                else:
                    self.session.execute(self.select, (i % 1000,))
                self.done[number] += 1
            except Exception as e:
                say("failed %s: %s" % (type(e).__name__, e))
            i += 3
            time.sleep(PAUSE_SECONDS)

    def count(self):
        return sum(self.done)

    def end(self):
        self.running = False
        for worker in self.workers:
            worker.join()


def main(host, port):
    profile = ExecutionProfile(consistency_level=ConsistencyLevel.QUORUM, request_timeout=60)
    cluster = Cluster([host], port=port, execution_profiles={EXEC_PROFILE_DEFAULT: profile})
    session = cluster.connect()
    load = None
    say("hosts " + " ".join(sorted(h.address for h in cluster.metadata.all_hosts())))
    cluster.register_listener(Listener())
    for line in sys.stdin:
        command = line.split()
        if command[0] == "route":
            insert = session.prepare("INSERT INTO rf1.t (id, v) VALUES (?, ?)")
            for key in map(int, command[1:]):
                session.execute(insert, (key, key))
            say("routed")
        elif command[0] == "load":
            load = Load(session)
        elif command[0] == "count":
            say("done %d" % load.count())
        elif command[0] == "end":
            load.end()
            say("done %d" % load.count())
            break
    cluster.shutdown()


main(sys.argv[1], int(sys.argv[2]))
