//! An application on three nodes. What it reads and prints, ClusterProgram.java describes.

use std::collections::HashMap;
use std::io::BufRead;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;
use std::time::Duration;

use scylla::client::execution_profile::ExecutionProfile;
use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::statement::Consistency;
use scylla::statement::prepared::PreparedStatement;
use tokio::sync::mpsc;
use tokio::time::sleep;

use crate::Outcome;

const WORKERS: i32 = 4;
const PAUSE: Duration = Duration::from_millis(10);

/// Whether the driver is connected to each node.
fn connected(session: &Session) -> HashMap<IpAddr, bool> {
    session.get_cluster_state().get_nodes_info().iter().map(|node| (node.address.ip(), node.is_connected())).collect()
}

/// Prints each change; the driver has no listener for them yet.
async fn watch(session: Arc<Session>) {
    let mut before = connected(&session);
    loop {
        sleep(PAUSE).await;
        let now = connected(&session);
        for (address, up) in &now {
            if before.get(address).is_some_and(|was| was != up) {
                println!("{} {address}", if *up { "up" } else { "down" });
            }
        }
        for address in before.keys().filter(|address| !now.contains_key(address)) {
            println!("removed {address}");
        }
        before = now;
    }
}

struct Load {
    session: Arc<Session>,
    insert: PreparedStatement,
    select: PreparedStatement,
    ended: AtomicBool,
    done: AtomicI64,
}

impl Load {
    async fn work(self: Arc<Self>, number: i32) {
        let mut i = number;
        while !self.ended.load(Ordering::Relaxed) {
            let result = if i % 2 == 0 {
                self.session.execute_unpaged(&self.insert, (i % 1000, i)).await
            } else {
                self.session.execute_unpaged(&self.select, (i % 1000,)).await
            };
            match result {
                Ok(_) => {
                    self.done.fetch_add(1, Ordering::Relaxed);
                }
                Err(error) => println!("failed {}", error.to_string().replace('\n', " ")),
            }
            i += 3;
            sleep(PAUSE).await;
        }
    }
}

pub async fn run(host: &str, port: &str) -> Outcome<()> {
    let profile = ExecutionProfile::builder().consistency(Consistency::Quorum).request_timeout(Some(Duration::from_secs(60))).build();
    let session = SessionBuilder::new().known_node(format!("{host}:{port}")).default_execution_profile_handle(profile.into_handle()).build().await?;
    let session = Arc::new(session);
    let mut hosts: Vec<_> = connected(&session).into_keys().collect();
    hosts.sort();
    println!("hosts {}", hosts.iter().map(IpAddr::to_string).collect::<Vec<_>>().join(" "));
    tokio::spawn(watch(session.clone()));
    let (send, mut lines) = mpsc::unbounded_channel();
    thread::spawn(move || std::io::stdin().lock().lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
    let mut load: Option<Arc<Load>> = None;
    let mut workers = Vec::new();
    while let Some(line) = lines.recv().await {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["route", ref keys @ ..] => {
                let insert = session.prepare("INSERT INTO rf1.t (id, v) VALUES (?, ?)").await?;
                for text in keys {
                    let key: i32 = text.parse()?;
                    session.execute_unpaged(&insert, (key, key)).await?;
                }
                println!("routed");
            }
            ["load"] => {
                let mut insert = session.prepare("INSERT INTO rf3.t (id, v) VALUES (?, ?)").await?;
                let mut select = session.prepare("SELECT v FROM rf3.t WHERE id = ?").await?;
                insert.set_is_idempotent(true);
                select.set_is_idempotent(true);
                let (ended, done) = (AtomicBool::new(false), AtomicI64::new(0));
                let started = Arc::new(Load { session: session.clone(), insert, select, ended, done });
                workers = (0..WORKERS).map(|number| tokio::spawn(started.clone().work(number))).collect();
                load = Some(started);
            }
            ["count"] => println!("done {}", load.as_ref().ok_or("no load")?.done.load(Ordering::Relaxed)),
            ["end"] => {
                let load = load.as_ref().ok_or("no load")?;
                load.ended.store(true, Ordering::Relaxed);
                for worker in workers.drain(..) {
                    worker.await?;
                }
                println!("done {}", load.done.load(Ordering::Relaxed));
                return Ok(());
            }
            _ => return Err(line.into()),
        }
    }
    Ok(())
}
