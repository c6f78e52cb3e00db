package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The supervision of the nodes of a cluster, with children that are no processes. */
@Timeout(60)
class NodeProcessesTest {
  private static final long GRACE_MILLIS = 2_000;

  /** A child that ends when it is told to. */
  private static final class Child implements NodeProcesses.Child {
    final CompletableFuture<Integer> exit = new CompletableFuture<>();
    final PipedOutputStream says = new PipedOutputStream();
    final PipedInputStream output;
    final List<String> signals = new ArrayList<>();

    /** How it ends on SIGTERM; negative if it does not. */
    int onTerminate;

    Child() throws IOException {
      output = new PipedInputStream(says, 1 << 16);
    }

    void say(String text) throws IOException {
      says.write(text.getBytes(StandardCharsets.UTF_8));
      says.flush();
    }

    void end(int code) {
      try {
        says.close();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      exit.complete(code);
    }

    @Override
    public InputStream output() {
      return output;
    }

    @Override
    public int await() {
      return exit.join();
    }

    @Override
    public boolean await(long nanos) throws InterruptedException {
      try {
        exit.get(nanos, TimeUnit.NANOSECONDS);
        return true;
      } catch (TimeoutException e) {
        return false;
      } catch (ExecutionException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void terminate() {
      signals.add("TERM");
      if (onTerminate >= 0) {
        end(onTerminate);
      }
    }

    @Override
    public void kill() {
      signals.add("KILL");
      end(137);
    }
  }

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final List<Child> children = new ArrayList<>();
  private final NodeProcesses nodes =
      new NodeProcesses(
          arguments -> {
            if (arguments.contains("fails")) {
              throw new IOException("no launcher");
            }
            if (!arguments.isEmpty()) {
              return new NodeProcess(arguments);
            }
            Child child = new Child();
            children.add(child);
            return child;
          },
          new PrintStream(printed, true, StandardCharsets.UTF_8),
          GRACE_MILLIS);

  private static ClusterPlan.Member member(int number, String... arguments) {
    InetSocketAddress unused = InetSocketAddress.createUnresolved("unused", 1);
    return new ClusterPlan.Member(
        "node" + number, Path.of("node" + number), unused, unused, List.of(arguments));
  }

  private void start(int count) throws IOException {
    List<ClusterPlan.Member> members = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      members.add(member(i));
    }
    nodes.start(members);
  }

  private List<String> lines() {
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private void awaitLine(String line) throws InterruptedException {
    while (!lines().contains(line)) {
      Thread.sleep(1);
    }
  }

  @Test
  void eachLineNamesItsNode() throws Exception {
    start(2);
    children.get(0).say("one\nÄpfel 漢字\n");
    awaitLine("node1 | Äpfel 漢字");
    children.get(1).say("two\npart");
    awaitLine("node2 | two");
    children.get(1).say(" of a line\nthe last one");
    children.forEach(child -> child.end(0));
    nodes.await();
    List<String> expected =
        List.of("node1 | one", "node1 | Äpfel 漢字", "node2 | two", "node2 | part of a line");
    assertEquals(expected, lines().subList(0, 4));
    assertTrue(lines().contains("node2 | the last one"), printed::toString);
  }

  @Test
  void itTellsWhenAllServe() throws Exception {
    start(2);
    children.get(0).say("Startup complete: Helenus\nStartup complete: again\n");
    awaitLine("node1 | Startup complete: again");
    assertFalse(printed.toString(StandardCharsets.UTF_8).contains("all 2 nodes"));
    children.get(1).say("Startup complete: Helenus\n");
    awaitLine("helenus: all 2 nodes serve clients; Ctrl-C stops them");
    assertTrue(nodes.stop());
  }

  @Test
  void whenOneDiesTheOthersGoOn() throws Exception {
    start(3);
    children.get(1).end(137);
    awaitLine("helenus: node2 has ended with exit code 137; the others go on");
    children.get(0).end(1);
    awaitLine("helenus: node1 has ended with exit code 1; the other one goes on");
    assertEquals(List.of(), children.get(2).signals);
    children.get(2).say("still here\n");
    awaitLine("node3 | still here");
    assertTrue(nodes.stop(), "the one that ran was stopped in order");
    assertTrue(nodes.await());
    assertEquals(List.of("TERM"), children.get(2).signals);
    assertEquals(3, lines().size(), printed::toString);
  }

  @Test
  void whenAllHaveEndedItIsOver() throws Exception {
    start(1);
    children.getFirst().end(0);
    assertFalse(nodes.await());
    assertEquals(List.of("helenus: node1 has ended with exit code 0"), lines());
  }

  @Test
  void aStopIsCleanIfAllStopInOrder() throws Exception {
    start(3);
    children.get(1).onTerminate = 143; // before the JVM has a handler
    assertTrue(nodes.stop());
    assertTrue(nodes.await());
    assertEquals(List.of(), lines());
    for (Child child : children) {
      assertEquals(List.of("TERM"), child.signals);
    }
  }

  @Test
  void aNodeThatFailsToStopIsReported() throws Exception {
    start(2);
    children.get(1).onTerminate = 1;
    assertFalse(nodes.stop());
    assertFalse(nodes.await());
    assertEquals(List.of("helenus: node2 has ended with exit code 1"), lines());
  }

  @Test
  void aNodeThatDoesNotStopIsKilled() throws Exception {
    start(2);
    children.get(0).onTerminate = -1;
    assertFalse(nodes.stop());
    assertEquals(List.of("TERM", "KILL"), children.get(0).signals);
    assertEquals(List.of("TERM"), children.get(1).signals);
    assertEquals(
        List.of(
            "helenus: node1 has not stopped within 2 s and is killed",
            "helenus: node1 has ended with exit code 137"),
        lines());
  }

  @Test
  void whenOneCannotBeStartedThoseBeforeItAreStopped() throws Exception {
    IOException failure =
        assertThrows(
            IOException.class,
            () -> nodes.start(List.of(member(1), member(2, "fails"), member(3))));
    assertEquals("no launcher", failure.getMessage());
    assertEquals(1, children.size());
    assertEquals(List.of("TERM"), children.getFirst().signals);
  }

  @Test
  void afterAStopNoneIsStarted() throws Exception {
    assertTrue(nodes.stop());
    start(2);
    assertEquals(List.of(), children);
  }

  @Test
  void whatAProcessSaysLastIsPrinted() throws Exception {
    String script =
        "trap 'echo stopping >&2; exit 0' TERM; echo started; while :; do sleep 0.02; done";
    nodes.start(List.of(member(1, "sh", "-c", script)));
    awaitLine("node1 | started");
    assertTrue(nodes.stop(), printed::toString);
    assertEquals(List.of("node1 | started", "node1 | stopping"), lines());
  }

  @Test
  void aProcessThatIgnoresSignalsIsKilled() throws Exception {
    String script = "trap '' TERM; echo started; while :; do sleep 0.02; done";
    nodes.start(List.of(member(1, "sh", "-c", script)));
    awaitLine("node1 | started");
    assertFalse(nodes.stop());
    assertTrue(lines().contains("helenus: node1 has ended with exit code 137"), printed::toString);
  }
}
