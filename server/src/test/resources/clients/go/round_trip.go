package main

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
)

const keyspaceOfTypes = "gocql_types"

type column struct {
	name, cqlType, literal string
}

type address struct {
	Street *string  `cql:"street"`
	Zip    int      `cql:"zip"`
	Tags   []string `cql:"tags"`
}

type person struct {
	Name   string            `cql:"name"`
	Home   address           `cql:"home"`
	Phones map[string]string `cql:"phones"`
}

type pair struct {
	First  int
	Second float32
}

// decoded is what the driver must decode from some of the literals.
var decoded = map[string]string{
	"bigint":        "[-9223372036854775808]",
	"blob":          "[[0 255 127 128]]",
	"decimal":       "[-12345.678900]",
	"duration":      "[{14 25 18367008009010}]",
	"inet":          "[2001:db8::ff00:42:8329]",
	"text":          "[quotes ' and é 漢字 𝄞]",
	"varint":        "[-123456789012345678901234567890]",
	"list_int":      "[[3 1 2 1]]",
	"set_text":      "[[ b é]]",
	"map_text_int":  "[map[:-2 x:1]]",
	"map_of_lists":  "[map[1:[[a b] [c]] 2:[[d]]]]",
	"nested_empty":  "[map[1:[[a b] []] 2:[]]]",
	"tuple_nested":  "[{1 2.5} map[3:three]]",
	"udt_nested":    "[{Ada {Main 1 [x]} map[work:1]}]",
	"vector_float":  "[[0.5 -0.25 3.5]]",
	"vector_text":   "[[ longer]]",
	"tuple_null":    "[<nil> x <nil>]",
	"udt_null":      "[{<nil> 1 []}]",
	"list_of_maps":  "[[map[a:[1 2] b:[3]] map[c:[4]]]]",
	"list_duration": "[[{1 0 0} {0 2 0} {0 0 3}]]",
}

// targets are what a column is scanned into, a tuple with one target for each of its elements.
func targets(name string, info gocql.TypeInfo) []any {
	switch name {
	case "udt", "udt_null":
		return []any{new(address)}
	case "udt_nested":
		return []any{new(person)}
	case "list_of_udts":
		return []any{new([]address)}
	case "tuple":
		return []any{new(int), new(string), new([]gocql.Duration)}
	case "tuple_null":
		return []any{new(*int), new(*string), new(*bool)}
	case "tuple_nested":
		return []any{new(pair), new(map[int]string)}
	}
	return []any{reflect.New(reflect.TypeOf(info.Zero())).Interface()}
}

func shown(scanned []any) string {
	var texts []string
	for _, target := range scanned {
		value := reflect.ValueOf(target).Elem()
		for value.Kind() == reflect.Pointer && !value.IsNil() && value.Type().Elem().Kind() != reflect.Struct {
			value = value.Elem()
		}
		texts = append(texts, strings.ReplaceAll(text(value), "  ", " "))
	}
	return "[" + strings.Join(texts, " ") + "]"
}

// text is a value with the texts behind its pointers.
func text(value reflect.Value) string {
	switch each := value.Interface().(type) {
	case address:
		street := "<nil>"
		if each.Street != nil {
			street = *each.Street
		}
		return fmt.Sprint("{", street, " ", each.Zip, " ", each.Tags, "}")
	case person:
		return fmt.Sprint("{", each.Name, " ", text(reflect.ValueOf(each.Home)), " ", each.Phones, "}")
	}
	return fmt.Sprint(value.Interface())
}

type types struct {
	session *gocql.Session
	columns []column
	infos   map[string]gocql.TypeInfo
}

// roundTripEveryType binds what the driver decodes from the literals of a file, and reads the same.
func roundTripEveryType(open func(keyspace string) *gocql.Session, path string) {
	session := open("")
	execute(session, "DROP KEYSPACE IF EXISTS "+keyspaceOfTypes)
	execute(session, "CREATE KEYSPACE "+keyspaceOfTypes+" WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
	session.Close()
	session = open(keyspaceOfTypes)
	defer session.Close()
	lines, err := os.ReadFile(path)
	require(err, "types")
	all := types{session: session, infos: map[string]gocql.TypeInfo{}}
	for _, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		parts := strings.Split(line, "\t")
		if len(parts) == 3 {
			all.columns = append(all.columns, column{parts[0], parts[1], parts[2]})
		} else if !strings.HasPrefix(line, "#") {
			execute(session, line)
		}
	}
	values := all.roundTrip()
	all.keys(values)
	all.metadata()
	conditionsTracesAndNewColumns(session)
	execute(session, "DROP KEYSPACE "+keyspaceOfTypes)
}

func execute(session *gocql.Session, cql string, values ...any) {
	require(session.Query(cql, values...).Exec(), cql)
}

func (all *types) names(include func(column) bool) []string {
	var names []string
	for _, each := range all.columns {
		if include(each) {
			names = append(names, each.name)
		}
	}
	return names
}

func every(column) bool { return true }

// isBindable excludes a tuple in a tuple, of which the driver miscounts the values.
func isBindable(each column) bool { return each.name != "tuple_nested" }

// mayBeKey excludes what cannot be a key, and maps, whose entries the driver sends in random order.
func mayBeKey(each column) bool {
	return isBindable(each) && !strings.Contains(each.cqlType, "duration") && !strings.Contains(each.cqlType, "map<") &&
		each.name != "udt_nested"
}

// isNotTuple excludes tuples, of which the driver binds each element.
func isNotTuple(each column) bool { return !strings.HasPrefix(each.cqlType, "tuple") }

// marker is where a value is bound: the driver binds the elements of a tuple one by one.
func (all *types) marker(name string) string {
	if tuple, ok := all.infos[name].(gocql.TupleTypeInfo); ok {
		return "(?" + strings.Repeat(", ?", len(tuple.Elems)-1) + ")"
	}
	return "?"
}

func (all *types) insert(names []string) string {
	markers := "?"
	for _, name := range names {
		markers += ", " + all.marker(name)
	}
	return "INSERT INTO types (k, " + strings.Join(names, ", ") + ") VALUES (" + markers + ")"
}

func (all *types) roundTrip() map[string][]any {
	var definitions, literals []string
	for _, each := range all.columns {
		definitions = append(definitions, each.name+" "+each.cqlType)
		literals = append(literals, each.literal)
	}
	names := all.names(every)
	list := strings.Join(names, ", ")
	execute(all.session, "CREATE TABLE types (k int PRIMARY KEY, "+strings.Join(definitions, ", ")+")")
	execute(all.session, "INSERT INTO types (k, "+list+") VALUES (1, "+strings.Join(literals, ", ")+")")
	first := all.read(list, 1)
	for name, expected := range decoded {
		equal(expected, shown(first[name]), name)
	}
	values := []any{2}
	names = all.names(isBindable)
	for _, name := range names {
		values = append(values, first[name]...)
	}
	execute(all.session, all.insert(names), values...)
	all.mustEqual(first, all.read(strings.Join(names, ", "), 2))
	equal(all.json(names, 1), all.json(names, 2), "JSON")
	may := all.names(isNotTuple)
	unset, nulls := []any{2}, []any{2}
	for _, name := range may {
		unset = append(unset, gocql.UnsetValue)
		nulls = append(nulls, reflect.Zero(reflect.TypeOf(first[name][0])).Interface())
	}
	execute(all.session, all.insert(may), unset...)
	all.mustEqual(first, all.read(strings.Join(names, ", "), 2))
	execute(all.session, all.insert(may), nulls...)
	equal(`{"`+strings.Join(may, `": null, "`)+`": null}`, all.json(may, 2), "nulls")
	return first
}

func (all *types) read(list string, k int) map[string][]any {
	rows := all.session.Query("SELECT "+list+" FROM types WHERE k = ?", k).Iter()
	values := map[string][]any{}
	var flat []any
	for _, each := range rows.Columns() {
		all.infos[each.Name] = each.TypeInfo
		values[each.Name] = targets(each.Name, each.TypeInfo)
		flat = append(flat, values[each.Name]...)
	}
	if !rows.Scan(flat...) {
		require(rows.Close(), "row")
	}
	require(rows.Close(), "rows")
	return values
}

func (all *types) json(names []string, k int) string {
	var json string
	require(all.session.Query("SELECT JSON "+strings.Join(names, ", ")+" FROM types WHERE k = ?", k).Scan(&json), "JSON")
	return json
}

func (all *types) mustEqual(expected, actual map[string][]any) {
	for name := range actual {
		if !reflect.DeepEqual(expected[name], actual[name]) {
			equal(shown(expected[name]), shown(actual[name])+" which differs", name)
		}
	}
}

// keys uses each type that a key can have, as partition key and as clustering column in both orders.
func (all *types) keys(values map[string][]any) {
	for _, each := range all.columns {
		if !mayBeKey(each) {
			continue
		}
		frozen := each.cqlType
		if strings.Contains(frozen, "<") && !strings.HasPrefix(frozen, "frozen<") && !strings.HasPrefix(frozen, "vector<") {
			frozen = "frozen<" + frozen + ">"
		}
		table := "key_" + each.name
		execute(all.session, "CREATE TABLE "+table+" (p "+frozen+", a "+frozen+", d "+frozen+
			", v int, PRIMARY KEY (p, a, d)) WITH CLUSTERING ORDER BY (a ASC, d DESC)")
		key := slices.Repeat(values[each.name], 3)
		marker := all.marker(each.name)
		execute(all.session, fmt.Sprintf("INSERT INTO %s (p, a, d, v) VALUES (%s, %[2]s, %[2]s, 7)", table, marker), key...)
		var v int
		selectV := fmt.Sprintf("SELECT v FROM %s WHERE p = %s AND a = %[2]s AND d = %[2]s", table, marker)
		require(all.session.Query(selectV, key...).Scan(&v), table)
		equal(7, v, table)
	}
}

// metadata waits until the driver, which gathers the events of a second, knows what was defined.
func (all *types) metadata() {
	for end := time.Now().Add(deadline); ; time.Sleep(20 * time.Millisecond) {
		keyspace, err := all.session.KeyspaceMetadata(keyspaceOfTypes)
		if err == nil && keyspace.Tables["types"] != nil && keyspace.UserTypes["person"] != nil {
			equal("[name home phones]", fmt.Sprint(keyspace.UserTypes["person"].FieldNames), "fields")
			for name, info := range all.infos {
				if strings.Contains(name, "udt") {
					continue // the driver does not resolve the names of user types in its metadata
				}
				defined := keyspace.Tables["types"].Columns[name].Type.Type()
				if defined == gocql.TypeText {
					defined = gocql.TypeVarchar
				}
				equal(info.Type(), defined, "type of "+name)
			}
			return
		}
		if time.Now().After(end) {
			require(fmt.Errorf("not known in time: %v", err), "metadata")
		}
	}
}

func conditionsTracesAndNewColumns(session *gocql.Session) {
	execute(session, "CREATE TABLE versions (k int PRIMARY KEY, v int)")
	var k, v int
	insert := "INSERT INTO versions (k, v) VALUES (?, ?) IF NOT EXISTS"
	applied, err := session.Query(insert, 1, 10).ScanCAS(&k, &v)
	require(err, "first")
	equal(true, applied, "first")
	applied, err = session.Query(insert, 1, 11).ScanCAS(&k, &v)
	require(err, "second")
	equal(false, applied, "second")
	equal(10, v, "current value")
	current := map[string]any{}
	applied, err = session.Query("UPDATE versions SET v = ? WHERE k = ? IF v = ?", 12, 1, 99).MapScanCAS(current)
	require(err, "update")
	equal(false, applied, "update")
	equal(10, current["v"], "current value")
	row := map[string]any{}
	require(session.Query("SELECT * FROM versions WHERE k = ?", 1).MapScan(row), "row")
	equal(2, len(row), "columns")
	execute(session, "ALTER TABLE versions ADD w text")
	row = map[string]any{}
	require(session.Query("SELECT * FROM versions WHERE k = ?", 1).MapScan(row), "row")
	equal(3, len(row), "columns after ALTER")
	var trace bytes.Buffer
	traced := session.Query("SELECT v FROM versions WHERE k = 1").Trace(gocql.NewTraceWriter(session, &trace))
	require(traced.Scan(&v), "traced")
	if !strings.Contains(trace.String(), "Tracing session") || !strings.Contains(trace.String(), "elapsed: ") {
		require(fmt.Errorf("%s", trace.String()), "trace")
	}
	warned := session.Query("SELECT count(*) FROM versions").Iter()
	equal("[Aggregation query used without partition key]", fmt.Sprint(warned.Warnings()), "warnings")
	require(warned.Close(), "count")
}
