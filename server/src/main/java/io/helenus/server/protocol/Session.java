package io.helenus.server.protocol;

import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one connection beyond a request. Written on the connection's event loop only;
 * listings on other threads may see a value that is a moment old.
 */
public final class Session {
  /** How far a connection has come. */
  public enum Stage {
    /** No STARTUP so far. */
    ESTABLISHED,
    /** The client must authenticate. */
    AUTHENTICATING,
    /** Requests are taken. */
    READY
  }

  private final InetSocketAddress remoteAddress;
  private int protocolVersion;
  private Stage stage = Stage.ESTABLISHED;
  private @Nullable String keyspace;
  private @Nullable String user;
  private Map<String, String> startupOptions = Map.of();
  private long requestCount;

  /** A connection from this address that has not said anything yet. */
  public Session(InetSocketAddress remoteAddress) {
    this.remoteAddress = remoteAddress;
  }

  /** Where the client is. */
  public InetSocketAddress remoteAddress() {
    return remoteAddress;
  }

  /** The version of the native protocol in use; 0 before the first message. */
  public int protocolVersion() {
    return protocolVersion;
  }

  /** Sets {@link #protocolVersion}. */
  public void protocolVersion(int version) {
    protocolVersion = version;
  }

  /** How far the connection has come. */
  public Stage stage() {
    return stage;
  }

  /** Sets {@link #stage}. */
  public void stage(Stage newStage) {
    stage = newStage;
  }

  /** The keyspace chosen with USE, null before that. */
  public @Nullable String keyspace() {
    return keyspace;
  }

  /** Sets {@link #keyspace}. */
  public void keyspace(@Nullable String name) {
    keyspace = name;
  }

  /** Who has logged in; null while nobody has to. */
  public @Nullable String user() {
    return user;
  }

  /** Sets {@link #user}. */
  public void user(@Nullable String name) {
    user = name;
  }

  /** What the client said in STARTUP. */
  public Map<String, String> startupOptions() {
    return startupOptions;
  }

  /** Sets {@link #startupOptions}. */
  public void startupOptions(Map<String, String> options) {
    startupOptions = options;
  }

  /** What the client calls itself, null when it does not say. */
  public @Nullable String driverName() {
    return startupOptions.get("DRIVER_NAME");
  }

  /** The client's own version, null when it does not say. */
  public @Nullable String driverVersion() {
    return startupOptions.get("DRIVER_VERSION");
  }

  /** How many messages the client has sent. */
  public long requestCount() {
    return requestCount;
  }

  /** Counts a message. */
  public void countRequest() {
    requestCount++;
  }
}
