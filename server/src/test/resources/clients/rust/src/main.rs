//! What users of the Rust driver `scylla` do, against one server: clients HOST PORT TYPES. Ends with 0 if all of it works.
//! With three nodes: clients HOST PORT cluster.
//!
//! TYPES lists columns with a literal each. What the driver decodes from the literal is bound to a prepared statement and must
//! come back the same, and as the same JSON; bound null removes it, an unset value leaves it.

mod cluster;

use std::collections::HashMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::{env, fs, process};

use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::cluster::metadata::ColumnKind;
use scylla::errors::{DbError, ExecutionError, RequestAttemptError};
use scylla::response::PagingState;
use scylla::statement::batch::{Batch, BatchType};
use scylla::statement::unprepared::Statement;
use scylla::value::{CqlDuration, CqlValue, MaybeUnset, Row};

const KEYSPACE: &str = "rust_types";
const ROWS: i32 = 2000;

type Outcome<T> = Result<T, Box<dyn Error>>;
type Values = Vec<Option<CqlValue>>;

struct Column {
    name: String,
    cql_type: String,
    literal: String,
}

async fn execute(session: &Session, cql: &str) -> Outcome<()> {
    session.query_unpaged(cql, ()).await.map_err(|e| format!("{cql}: {e}"))?;
    Ok(())
}

/// The only row of an unprepared statement.
async fn row(session: &Session, cql: &str) -> Outcome<Values> {
    let result = session.query_unpaged(cql, ()).await.map_err(|e| format!("{cql}: {e}"))?;
    Ok(result.into_rows_result()?.single_row::<Row>()?.columns)
}

fn names(columns: &[Column]) -> String {
    columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn text(value: &str) -> CqlValue {
    CqlValue::Text(value.to_string())
}

/// What the driver must decode from some of the literals.
fn expected() -> Vec<(&'static str, CqlValue)> {
    use CqlValue::*;
    let duration = |months, days, nanoseconds| Duration(CqlDuration { months, days, nanoseconds });
    let address = |street: Option<&str>, zip, tags: Option<Vec<&str>>| UserDefinedType {
        keyspace: KEYSPACE.to_string(),
        name: "address".to_string(),
        fields: vec![
            ("street".to_string(), street.map(text)),
            ("zip".to_string(), Some(Int(zip))),
            ("tags".to_string(), tags.map(|tags| Set(tags.into_iter().map(text).collect()))),
        ],
    };
    vec![
        ("bigint", BigInt(i64::MIN)),
        ("blob", Blob(vec![0, 255, 127, 128])),
        ("duration", duration(14, 25, 18367008009010)),
        ("inet", Inet("2001:db8::ff00:42:8329".parse().unwrap())),
        ("text", text("quotes ' and é 漢字 𝄞")),
        ("list_int", List(vec![Int(3), Int(1), Int(2), Int(1)])),
        ("list_duration", List(vec![duration(1, 0, 0), duration(0, 2, 0), duration(0, 0, 3)])),
        ("set_text", Set(vec![text(""), text("b"), text("é")])),
        ("map_text_int", Map(vec![(text(""), Int(-2)), (text("x"), Int(1))])),
        ("nested_empty", Map(vec![(Int(1), List(vec![Set(vec![text("a"), text("b")]), Set(vec![])])), (Int(2), List(vec![]))])),
        ("tuple_null", Tuple(vec![None, Some(text("x")), None])),
        ("udt", address(Some("Main"), 12345, Some(vec!["home", "old"]))),
        ("udt_null", address(None, 1, None)),
        ("vector_float", Vector(vec![Float(0.5), Float(-0.25), Float(3.5)])),
        ("vector_text", Vector(vec![text(""), text("longer")])),
    ]
}

async fn round_trip(session: &Session, columns: &[Column]) -> Outcome<Values> {
    let list = names(columns);
    let definitions: Vec<_> = columns.iter().map(|c| format!("{} {}", c.name, c.cql_type)).collect();
    execute(session, &format!("CREATE TABLE types (k int PRIMARY KEY, {})", definitions.join(", "))).await?;
    let literals: Vec<_> = columns.iter().map(|c| c.literal.as_str()).collect();
    execute(session, &format!("INSERT INTO types (k, {list}) VALUES (1, {})", literals.join(", "))).await?;
    let decoded = row(session, &format!("SELECT {list} FROM types WHERE k = 1")).await?;
    for (name, value) in expected() {
        let index = columns.iter().position(|c| c.name == name).ok_or(name)?;
        assert_eq!(decoded[index], Some(value), "{name}");
    }
    let marks = vec!["?"; columns.len()].join(", ");
    let insert = session.prepare(format!("INSERT INTO types (k, {list}) VALUES (2, {marks})")).await?;
    session.execute_unpaged(&insert, &decoded).await?;
    let written = format!("SELECT {list} FROM types WHERE k = 2");
    assert_eq!(row(session, &written).await?, decoded);
    let json = |k| format!("SELECT JSON {list} FROM types WHERE k = {k}");
    assert_eq!(row(session, &json(2)).await?, row(session, &json(1)).await?);
    let unset: Vec<MaybeUnset<CqlValue>> = columns.iter().map(|_| MaybeUnset::Unset).collect();
    session.execute_unpaged(&insert, &unset).await?;
    assert_eq!(row(session, &written).await?, decoded);
    let nulls: Values = vec![None; columns.len()];
    session.execute_unpaged(&insert, &nulls).await?;
    assert_eq!(row(session, &written).await?, nulls);
    Ok(decoded)
}

/// Empty multi-cell collections are null; empty frozen ones, texts, blobs and numbers are values.
async fn empty_values(session: &Session) -> Outcome<()> {
    use CqlValue::*;
    execute(
        session,
        "CREATE TABLE empties (k int PRIMARY KEY, l list<int>, s set<int>, m map<int, int>, fl frozen<list<int>>, \
         fm frozen<map<int, int>>, t text, b blob, i int, u uuid, d decimal)",
    )
    .await?;
    let insert = session
        .prepare("INSERT INTO empties (k, l, s, m, fl, fm, t, b, i, u, d) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        .await?;
    let (list, set, map) = (Some(List(vec![])), Some(Set(vec![])), Some(Map(vec![])));
    let (empty, no_text, no_bytes) = (Some(Empty), Some(text("")), Some(Blob(vec![])));
    let bound: Values = vec![
        list.clone(), set, map.clone(), list.clone(), map.clone(), no_text.clone(), no_bytes.clone(),
        empty.clone(), empty.clone(), empty.clone(),
    ];
    session.execute_unpaged(&insert, &bound).await?;
    let read = row(session, "SELECT l, s, m, fl, fm, t, b, i, u, d FROM empties").await?;
    assert_eq!(read, vec![None, None, None, list, map, no_text, no_bytes, empty.clone(), empty.clone(), empty]);
    Ok(())
}

/// Each type that a key can have, as partition key and as clustering column in both orders.
async fn keys(session: &Session, columns: &[Column], decoded: &Values) -> Outcome<()> {
    for (column, value) in columns.iter().zip(decoded) {
        let (name, cql_type) = (&column.name, &column.cql_type);
        if cql_type.contains("duration") {
            continue;
        }
        let simple = !cql_type.contains('<') || cql_type.starts_with("frozen<") || cql_type.starts_with("vector<");
        let frozen = if simple { cql_type.clone() } else { format!("frozen<{cql_type}>") };
        execute(
            session,
            &format!(
                "CREATE TABLE key_{name} (p {frozen}, a {frozen}, d {frozen}, v int, PRIMARY KEY (p, a, d)) \
                 WITH CLUSTERING ORDER BY (a ASC, d DESC)"
            ),
        )
        .await?;
        let key: Values = vec![value.clone(); 3];
        let insert = session.prepare(format!("INSERT INTO key_{name} (p, a, d, v) VALUES (?, ?, ?, 7)")).await?;
        session.execute_unpaged(&insert, &key).await?;
        let select = session.prepare(format!("SELECT p, a, d, v FROM key_{name} WHERE p = ? AND a = ? AND d = ?")).await?;
        assert_eq!(
            insert.calculate_token(&key)?, select.calculate_token(&key)?,
            "{name}: the driver knows the partition key of both"
        );
        let read = session.execute_unpaged(&select, &key).await?.into_rows_result()?.single_row::<Row>()?;
        assert_eq!(read.columns, [key, vec![Some(CqlValue::Int(7))]].concat(), "{name}");
    }
    Ok(())
}

async fn paging_and_batches(session: &Session) -> Outcome<()> {
    execute(session, "CREATE TABLE pages (p int, c int, v text, PRIMARY KEY (p, c))").await?;
    let insert = session.prepare("INSERT INTO pages (p, c, v) VALUES (?, ?, ?)").await?;
    for first in (0..ROWS).step_by(50) {
        let mut batch = Batch::new(BatchType::Unlogged);
        let values: Vec<_> = (first..first + 50).map(|i| (first % 7, i, format!("v{i}"))).collect();
        values.iter().for_each(|_| batch.append_statement(insert.clone()));
        session.batch(&batch, &values).await?;
    }
    let mut select = session.prepare("SELECT c, v FROM pages").await?;
    select.set_page_size(77);
    let (mut state, mut pages, mut seen) = (PagingState::start(), 0, 0);
    loop {
        let (page, next) = session.execute_single_page(&select, (), state).await?;
        let rows = page.into_rows_result()?;
        assert!(rows.rows_num() <= 77);
        for row in rows.rows::<(i32, String)>()? {
            let (c, v) = row?;
            assert_eq!(v, format!("v{c}"));
            seen += 1;
        }
        pages += 1;
        match next.into_paging_control_flow() {
            ControlFlow::Break(()) => break,
            ControlFlow::Continue(more) => state = more,
        }
    }
    assert_eq!(seen, ROWS);
    assert!(pages >= ROWS / 77, "{pages} pages");
    let mut scattered = Batch::new(BatchType::Unlogged);
    (0..12).for_each(|p| scattered.append_statement(format!("INSERT INTO pages (p, c, v) VALUES ({}, 0, 'batch')", 100 + p).as_str()));
    let result = session.batch(&scattered, vec![(); 12]).await?;
    let warnings: Vec<_> = result.warnings().collect();
    assert!(warnings[0].contains("Unlogged batch covering 12 partitions"), "{warnings:?}");
    assert!(warnings[1..].iter().all(|each| each.starts_with("batch-over-many-partitions: ")), "{warnings:?}");
    let mut logged = Batch::new(BatchType::Logged);
    logged.append_statement(insert);
    logged.append_statement("DELETE FROM pages WHERE p = 100");
    session.batch(&logged, ((200, 0, "a"), ())).await?;
    assert_eq!(row(session, "SELECT v FROM pages WHERE p = 200").await?, vec![Some(text("a"))]);
    let gone = session.query_unpaged("SELECT v FROM pages WHERE p = 100", ()).await?.into_rows_result()?;
    assert_eq!(gone.rows_num(), 0);
    Ok(())
}

async fn conditions_and_new_columns(session: &Session) -> Outcome<()> {
    execute(session, "CREATE TABLE versions (k int PRIMARY KEY, v int)").await?;
    let insert = session.prepare("INSERT INTO versions (k, v) VALUES (?, ?) IF NOT EXISTS").await?;
    let first = session.execute_unpaged(&insert, (1, 10)).await?.into_rows_result()?;
    assert_eq!(first.single_row::<Row>()?.columns[0], Some(CqlValue::Boolean(true)));
    let second = session.execute_unpaged(&insert, (1, 11)).await?.into_rows_result()?;
    assert_eq!(second.single_row::<(bool, Option<i32>, Option<i32>)>()?, (false, Some(1), Some(10)));
    let update = session.prepare("UPDATE versions SET v = ? WHERE k = ? IF v = ?").await?;
    let applied = session.execute_unpaged(&update, (12, 1, 10)).await?.into_rows_result()?;
    assert_eq!(applied.single_row::<Row>()?.columns[0], Some(CqlValue::Boolean(true)));
    let select = session.prepare("SELECT * FROM versions WHERE k = ?").await?;
    assert_eq!(select.get_current_result_set_col_specs().get().len(), 2);
    execute(session, "ALTER TABLE versions ADD w text").await?;
    let read = session.execute_unpaged(&select, (1,)).await?.into_rows_result()?.single_row::<Row>()?;
    assert_eq!(read.columns, vec![Some(CqlValue::Int(1)), Some(CqlValue::Int(12)), None]);
    Ok(())
}

async fn errors_and_traces(session: &Session) -> Outcome<()> {
    let unknown = session.query_unpaged("SELECT * FROM nope", ()).await.unwrap_err();
    assert!(
        matches!(&unknown, ExecutionError::LastAttemptError(RequestAttemptError::DbError(DbError::Invalid, text))
            if text == "table nope does not exist"),
        "{unknown}"
    );
    let misspelt = session.query_unpaged("SELEC", ()).await.unwrap_err();
    assert!(
        matches!(&misspelt, ExecutionError::LastAttemptError(RequestAttemptError::DbError(DbError::SyntaxError, _))),
        "{misspelt}"
    );
    let mut traced = Statement::new("SELECT v FROM pages WHERE p = 200");
    traced.set_tracing(true);
    let result = session.query_unpaged(traced, ()).await?;
    let trace = session.get_tracing_info(&result.tracing_id().ok_or("no trace")?).await?;
    assert_eq!(trace.request.as_deref(), Some("Execute CQL3 query"));
    assert!(!trace.events.is_empty());
    Ok(())
}

/// The driver's picture of the schema is what was defined.
async fn metadata(session: &Session, columns: &[Column]) -> Outcome<()> {
    session.refresh_metadata().await?;
    let state = session.get_cluster_state();
    let keyspace = state.get_keyspace(KEYSPACE).ok_or("no keyspace")?;
    let person = &keyspace.user_defined_types["person"];
    let fields: Vec<_> = person.field_types.iter().map(|(name, _)| name.as_ref()).collect();
    assert_eq!(fields, ["name", "home", "phones"]);
    let table = &keyspace.tables["types"];
    assert_eq!(table.columns.len(), columns.len() + 1);
    assert_eq!(table.partition_key, ["k"]);
    let key = &keyspace.tables["key_date"];
    assert_eq!(key.clustering_key, ["a", "d"]);
    assert_eq!(key.columns["d"].kind, ColumnKind::Clustering);
    let select = session.prepare(format!("SELECT {} FROM types", names(columns))).await?;
    let types: HashMap<_, _> = select.get_current_result_set_col_specs().get().iter().map(|s| (s.name().to_string(), s.typ().clone().into_owned())).collect();
    for column in columns.iter().filter(|c| !c.cql_type.contains("frozen") && !c.cql_type.contains("tuple")) {
        assert_eq!(format!("{:?}", table.columns[&column.name].typ), format!("{:?}", types[&column.name]), "{}", column.name);
    }
    Ok(())
}

async fn run(host: &str, port: &str, path: &str) -> Outcome<()> {
    let lines = fs::read_to_string(path)?;
    let (mut statements, mut columns) = (Vec::new(), Vec::new());
    for line in lines.lines().filter(|line| !line.starts_with('#')) {
        match line.split('\t').collect::<Vec<_>>()[..] {
            [name, cql_type, literal] => columns.push(Column {
                name: name.to_string(),
                cql_type: cql_type.to_string(),
                literal: literal.to_string(),
            }),
            _ => statements.push(line),
        }
    }
    let session = SessionBuilder::new().known_node(format!("{host}:{port}")).build().await?;
    execute(&session, &format!("DROP KEYSPACE IF EXISTS {KEYSPACE}")).await?;
    execute(
        &session,
        &format!("CREATE KEYSPACE {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"),
    )
    .await?;
    session.use_keyspace(KEYSPACE, false).await?;
    for statement in statements {
        execute(&session, statement).await?;
    }
    let decoded = round_trip(&session, &columns).await?;
    empty_values(&session).await?;
    keys(&session, &columns, &decoded).await?;
    paging_and_batches(&session).await?;
    conditions_and_new_columns(&session).await?;
    errors_and_traces(&session).await?;
    metadata(&session, &columns).await?;
    execute(&session, &format!("DROP KEYSPACE {KEYSPACE}")).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = env::args().collect();
    let (host, port) = (&arguments[1], &arguments[2]);
    let outcome = match arguments[3].as_str() {
        "cluster" => cluster::run(host, port).await,
        types => run(host, port, types).await,
    };
    if let Err(error) = outcome {
        eprintln!("{error}");
        process::exit(1);
    }
}
