package io.helenus.server.protocol;

import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of one connection that is kept between requests. Written on the event loop of the
 * connection only; other threads may read stale values, which is acceptable for listings.
 */
public final class Session {
  /** The stages of a connection. */
  public enum Stage {
    /** Before STARTUP. */
    ESTABLISHED,
    /** The client must authenticate. */
    AUTHENTICATING,
    /** Requests are accepted. */
    READY
  }

  private final InetSocketAddress remoteAddress;
  private int protocolVersion;
  private Stage stage = Stage.ESTABLISHED;
  private @Nullable String keyspace;
  private @Nullable String user;
  private boolean warnedOfUse;
  private Map<String, String> startupOptions = Map.of();
  private long requestCount;

  /** Creates the state of a new connection from this address. */
  public Session(InetSocketAddress remoteAddress) {
    this.remoteAddress = remoteAddress;
  }

  /** The address of the client. */
  public InetSocketAddress remoteAddress() {
    return remoteAddress;
  }

  /** The version of the native protocol in use; 0 before STARTUP. */
  public int protocolVersion() {
    return protocolVersion;
  }

  /** Sets {@link #protocolVersion}. */
  public void protocolVersion(int version) {
    protocolVersion = version;
  }

  /** The stage of the connection. */
  public Stage stage() {
    return stage;
  }

  /** Sets {@link #stage}. */
  public void stage(Stage newStage) {
    stage = newStage;
  }

  /** The keyspace chosen with USE; null before that. */
  public @Nullable String keyspace() {
    return keyspace;
  }

  /** Sets {@link #keyspace}. */
  public void keyspace(@Nullable String name) {
    keyspace = name;
  }

  /** Whether the client has been warned that its prepared statements depend on USE. */
  public boolean isWarnedOfUse() {
    return warnedOfUse;
  }

  /** Notes that the client has been warned. */
  public void warnedOfUse() {
    warnedOfUse = true;
  }

  /** The authenticated user; null if no login is required. */
  public @Nullable String user() {
    return user;
  }

  /** Sets {@link #user}. */
  public void user(@Nullable String name) {
    user = name;
  }

  /** The options of STARTUP. */
  public Map<String, String> startupOptions() {
    return startupOptions;
  }

  /** Sets {@link #startupOptions}. */
  public void startupOptions(Map<String, String> options) {
    startupOptions = options;
  }

  /** The name of the client's driver; null if not given. */
  public @Nullable String driverName() {
    return startupOptions.get("DRIVER_NAME");
  }

  /** The version of the client's driver; null if not given. */
  public @Nullable String driverVersion() {
    return startupOptions.get("DRIVER_VERSION");
  }

  /** The number of messages received. */
  public long requestCount() {
    return requestCount;
  }

  /** Counts a received message. */
  public void countRequest() {
    requestCount++;
  }
}
