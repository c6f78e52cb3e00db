package io.helenus.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Decrypts connections and passes them on to a server that does not encrypt. */
final class TlsProxy implements AutoCloseable {
  /** Of the key store, which is also one to trust. */
  static final String PASSWORD = "a password";

  private final ServerSocket accepting;
  private final int server;

  private TlsProxy(ServerSocket accepting, int server) {
    this.accepting = accepting;
    this.server = server;
  }

  /**
   * Starts one on a free port.
   *
   * @param keys the file in which its certificate is created
   */
  static TlsProxy start(Path keys, int server) throws Exception {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "proxy",
                "-keyalg",
                "EC",
                "-dname",
                "CN=proxy",
                "-ext",
                "SAN=ip:127.0.0.1,dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertEquals(0, keytool.waitFor());
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream input = Files.newInputStream(keys)) {
      store.load(input, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    ServerSocket accepting =
        context
            .getServerSocketFactory()
            .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    TlsProxy proxy = new TlsProxy(accepting, server);
    Thread.ofVirtual().start(proxy::accept);
    return proxy;
  }

  int port() {
    return accepting.getLocalPort();
  }

  private void accept() {
    while (!accepting.isClosed()) {
      try {
        Socket client = accepting.accept();
        Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
        Thread.ofVirtual().start(() -> pass(client, behind));
        Thread.ofVirtual().start(() -> pass(behind, client));
      } catch (IOException _) {
        // closed
      }
    }
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // one side has ended
    }
  }

  @Override
  public void close() throws IOException {
    accepting.close();
  }
}
