package io.helenus.server.process;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node in a process of the system. Any thread. */
final class NodeProcess implements NodeProcesses.Child {
  private final Process process;

  /** Starts it. */
  NodeProcess(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("NOTIFY_SOCKET"); // one node is not the service
    process = builder.start();
    process.getOutputStream().close();
  }

  @Override
  public InputStream output() {
    return process.getInputStream();
  }

  /** Through its handle: {@link Process#destroy} would close its output, with what it says last. */
  @Override
  public void terminate() {
    process.toHandle().destroy();
  }

  @Override
  public void kill() {
    process.toHandle().destroyForcibly();
  }

  @Override
  public int await() throws InterruptedException {
    return process.waitFor();
  }

  @Override
  public boolean await(long nanos) throws InterruptedException {
    return process.waitFor(nanos, TimeUnit.NANOSECONDS);
  }
}
