package io.helenus.server.process;

import io.helenus.server.node.Node;
import io.helenus.storage.env.DiskFileSystem;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What must be free before the nodes of a cluster are started. Stateless. */
final class ClusterChecks {
  private ClusterChecks() {}

  /**
   * Checks that all data folders and addresses are free.
   *
   * @throws IOException with what is not, and what to do
   */
  static void check(ClusterPlan plan) throws IOException {
    List<ClusterPlan.Member> members = plan.members();
    String next = "node" + (members.size() + 1);
    if (Files.exists(plan.folder().resolve(next))) {
      throw new IOException(
          plan.folder()
              + " has a data folder "
              + next
              + ": it is of a cluster of more than "
              + members.size()
              + (members.size() == 1 ? " node" : " nodes")
              + "; start as many as before, or name another folder with --data");
    }
    for (ClusterPlan.Member member : members) {
      checkFolder(member.data());
      checkAddress(member.client(), "native_transport_port (--port)");
      checkAddress(member.node(), "storage_port");
    }
  }

  private static void checkFolder(Path data) throws IOException {
    if (Files.exists(data.resolve(Node.LOCK))) {
      new DiskFileSystem(data).lock(Node.LOCK).close();
    }
  }

  private static void checkAddress(InetSocketAddress address, String key) throws IOException {
    // as the node does: connections of a previous run that the system still remembers do no harm
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(address);
    } catch (BindException e) {
      String text = address.getAddress().getHostAddress() + ":" + address.getPort();
      throw new IOException(
          isInUse(address)
              ? "cannot listen on "
                  + text
                  + ": another process does; stop it, or choose another "
                  + key
              : "cannot listen on "
                  + text
                  + ": "
                  + e.getMessage()
                  + ". Every node needs an address of its own. macOS has only 127.0.0.1 until"
                  + " others are added: sudo ifconfig lo0 alias "
                  + address.getAddress().getHostAddress(),
          e);
    }
  }

  /** Whether the address exists, so that its port must be what is taken. */
  private static boolean isInUse(InetSocketAddress address) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(address.getAddress(), 0));
      return true;
    } catch (BindException e) {
      return false;
    }
  }
}
