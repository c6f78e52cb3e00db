package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

const workers = 4
const pause = 10 * time.Millisecond

var output sync.Mutex

func say(line string) {
	output.Lock()
	defer output.Unlock()
	fmt.Println(strings.ReplaceAll(line, "\n", " "))
}

type hostListener struct{}

func (hostListener) OnHostUp(event gocql.HostUpEvent) {
	say("up " + event.Host.ConnectAddress().String())
}

func (hostListener) OnHostDown(event gocql.HostDownEvent) {
	say("down " + event.Host.ConnectAddress().String())
}

// load is requests one after the other by each worker.
type load struct {
	session *gocql.Session
	ended   atomic.Bool
	done    atomic.Int64
	all     sync.WaitGroup
}

func startLoad(session *gocql.Session) *load {
	l := &load{session: session}
	for worker := 0; worker < workers; worker++ {
		l.all.Add(1)
		go func() {
			defer l.all.Done()
			for i := worker; !l.ended.Load(); i += 3 {
				query := session.Query("SELECT v FROM rf3.t WHERE id = ?", i%1000)
				if i%2 == 0 {
					query = session.Query("INSERT INTO rf3.t (id, v) VALUES (?, ?)", i%1000, i)
				}
				if err := query.Idempotent(true).Exec(); err != nil {
					say("failed " + err.Error())
				} else {
					l.done.Add(1)
				}
				time.Sleep(pause)
			}
		}()
	}
	return l
}

func (l *load) end() {
	l.ended.Store(true)
	l.all.Wait()
}

// runCluster is an application on three nodes. What it reads and prints, ClusterProgram.java describes.
func runCluster(host string, port int) {
	cluster := gocql.NewCluster(host)
	cluster.Port = port
	cluster.Consistency = gocql.Quorum
	cluster.Timeout = 60 * time.Second
	cluster.Metadata.HostListener.HostStateChangeListener = hostListener{}
	cluster.PoolConfig.HostSelectionPolicy = gocql.TokenAwareHostPolicy(gocql.RoundRobinHostPolicy())
	// after an UP event it waits 10 s, but not here
	cluster.ReconnectInterval = time.Second
	// by default it does not retry at all
	cluster.RetryPolicy = &gocql.SimpleRetryPolicy{NumRetries: 3}
	session, err := cluster.CreateSession()
	require(err, "connect")
	hosts := []string{}
	for _, info := range session.GetHosts() {
		hosts = append(hosts, info.ConnectAddress().String())
	}
	sort.Strings(hosts)
	say("hosts " + strings.Join(hosts, " "))
	var running *load
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		command := strings.Fields(lines.Text())
		switch command[0] {
		case "route":
			for _, text := range command[1:] {
				key, err := strconv.Atoi(text)
				require(err, "key")
				require(session.Query("INSERT INTO rf1.t (id, v) VALUES (?, ?)", key, key).Exec(), "insert")
			}
			say("routed")
		case "load":
			running = startLoad(session)
		case "count":
			say(fmt.Sprint("done ", running.done.Load()))
		case "end":
			running.end()
			say(fmt.Sprint("done ", running.done.Load()))
			session.Close()
			return
		}
	}
}
