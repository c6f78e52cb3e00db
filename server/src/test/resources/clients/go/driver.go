// What users of gocql do, against one server: driver HOST PORT TYPES. Ends with 0 if all of it works. With three nodes: driver HOST PORT cluster.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

const rows = 2000
const writers = 8
const deadline = 30 * time.Second

func require(err error, what string) {
	if err != nil {
		fmt.Println(what+":", err)
		os.Exit(1)
	}
}

func equal(expected, actual any, what string) {
	if expected != actual {
		require(fmt.Errorf("%v expected, %v found", expected, actual), what)
	}
}

func main() {
	port, err := strconv.Atoi(os.Args[2])
	require(err, "port")
	if os.Args[3] == "cluster" {
		runCluster(os.Args[1], port)
		return
	}
	open := func(version int, keyspace string) *gocql.Session {
		cluster := gocql.NewCluster(os.Args[1])
		cluster.Port = port
		cluster.ProtoVersion = version
		cluster.Keyspace = keyspace
		cluster.Timeout = 60 * time.Second
		cluster.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.RoundRobinHostPolicy())
		session, err := cluster.CreateSession()
		require(err, "connect with version "+strconv.Itoa(version))
		return session
	}
	for _, version := range []int{0, 3, 4, 5} {
		session := open(version, "")
		run(session)
		session.Close()
	}
	roundTripEveryType(func(keyspace string) *gocql.Session { return open(0, keyspace) }, os.Args[3])
}

func run(session *gocql.Session) {
	execute := func(cql string, values ...any) {
		require(session.Query(cql, values...).Exec(), cql)
	}
	execute("CREATE KEYSPACE IF NOT EXISTS gocql WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	execute("DROP TABLE IF EXISTS gocql.t")
	execute("CREATE TABLE gocql.t (k int, c int, v text, u uuid, ts timestamp, b blob, PRIMARY KEY (k, c))")
	write(session)
	read(session)
	batch := session.Batch(gocql.LoggedBatch)
	batch.Query("INSERT INTO gocql.t (k, c, v) VALUES (?, ?, ?)", 100, 1, "a")
	batch.Query("INSERT INTO gocql.t (k, c, v) VALUES (?, ?, ?)", 100, 2, "b")
	require(batch.Exec(), "batch")
	table := awaitTable(session)
	equal(6, len(table.Columns), "columns")
	equal("k", table.PartitionKey[0].Name, "partition key")
	if session.Query("SELECT * FROM gocql.nope").Exec() == nil {
		require(fmt.Errorf("an error was expected"), "an unknown table")
	}
	require(session.AwaitSchemaAgreement(context.Background()), "schema agreement")
	alterType(session)
}

// alterType writes a new field of a type through statements that were prepared before it was added.
func alterType(session *gocql.Session) {
	execute := func(cql string, values ...any) {
		require(session.Query(cql, values...).Exec(), cql)
	}
	execute("DROP TABLE IF EXISTS gocql.people")
	execute("DROP TYPE IF EXISTS gocql.addr")
	execute("CREATE TYPE gocql.addr (street text)")
	execute("CREATE TABLE gocql.people (k int PRIMARY KEY, home frozen<addr>, homes list<frozen<addr>>)")
	const insert = "INSERT INTO gocql.people (k, home, homes) VALUES (?, ?, ?)"
	const update = "UPDATE gocql.people SET home = ? WHERE k = ?"
	old := map[string]any{"street": "Main"}
	execute(insert, 1, old, []map[string]any{old})
	execute(update, old, 1)
	execute("ALTER TYPE gocql.addr ADD city text")
	home := map[string]any{"street": "Main", "city": "Ulm"}
	execute(insert, 2, home, []map[string]any{home})
	batch := session.Batch(gocql.LoggedBatch)
	batch.Query(update, home, 3)
	require(batch.Exec(), "batch after ALTER TYPE")
	equal("Ulm Ulm", cities(session, 2), "a field of an altered type")
	equal("Ulm", cities(session, 3), "a field of an altered type in a batch")
	equal("", cities(session, 1), "a value from before ALTER TYPE")
}

// cities are those of home and homes, as their JSON has them.
func cities(session *gocql.Session, k int) string {
	var home, homes *string
	require(session.Query("SELECT to_json(home), to_json(homes) FROM gocql.people WHERE k = ?", k).Scan(&home, &homes), "cities")
	found := []string{}
	for _, json := range []*string{home, homes} {
		if json != nil && strings.Contains(*json, `"city": "Ulm"`) {
			found = append(found, "Ulm")
		}
	}
	return strings.Join(found, " ")
}

// awaitTable waits until the driver, which gathers the events of a second, knows the new table.
func awaitTable(session *gocql.Session) *gocql.TableMetadata {
	for end := time.Now().Add(deadline); ; time.Sleep(20 * time.Millisecond) {
		keyspace, err := session.KeyspaceMetadata("gocql")
		if err == nil && keyspace.Tables["t"] != nil {
			return keyspace.Tables["t"]
		}
		if time.Now().After(end) {
			require(fmt.Errorf("not known in time: %v", err), "metadata")
		}
	}
}

func write(session *gocql.Session) {
	var all sync.WaitGroup
	for writer := 0; writer < writers; writer++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := writer; i < rows; i += writers {
				require(session.Query(
					"INSERT INTO gocql.t (k, c, v, u, ts, b) VALUES (?, ?, ?, ?, ?, ?)",
					i%10, i, "v"+strconv.Itoa(i), gocql.TimeUUID(), time.Now(), []byte{1, 2}).Exec(), "insert")
			}
		}()
	}
	all.Wait()
}

func read(session *gocql.Session) {
	pages := session.Query("SELECT k, c, v FROM gocql.t").PageSize(77).Iter()
	var k, c, seen int
	var v string
	for pages.Scan(&k, &c, &v) {
		equal("v"+strconv.Itoa(c), v, "row")
		equal(c%10, k, "partition")
		seen++
	}
	require(pages.Close(), "pages")
	equal(rows, seen, "rows")
}
