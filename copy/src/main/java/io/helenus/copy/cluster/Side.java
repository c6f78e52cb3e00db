package io.helenus.copy.cluster;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.ProtocolVersion;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.ssl.DefaultSslEngineFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A session with one side of the copy. Used by many threads at once. */
public final class Side implements AutoCloseable {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final Endpoint endpoint;
  private final CqlSession session;

  private Side(Endpoint endpoint, CqlSession session) {
    this.endpoint = endpoint;
    this.session = session;
  }

  /**
   * Connects.
   *
   * @param environment variables with the secrets
   * @throws CopyException if no contact point answers, or refuses the login
   */
  public static Side open(Endpoint endpoint, String consistency, Map<String, String> environment) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .addContactPoints(endpoint.addresses())
            .withConfigLoader(configuration(endpoint, consistency, environment));
    String user = endpoint.user();
    if (user != null) {
      builder.withAuthCredentials(user, secret(endpoint, "PASSWORD", environment));
    }
    CqlSession session;
    try {
      session = builder.build();
    } catch (AllNodesFailedException e) {
      throw new CopyException(unreachable(endpoint, e), e);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new CopyException("--" + endpoint.name() + ": " + innermost(e), e);
    }
    Side side = new Side(endpoint, session);
    if (session.getContext().getProtocolVersion().getCode() < ProtocolVersion.V4.getCode()) {
      side.close();
      throw new CopyException(
          "--"
              + endpoint.name()
              + ": the server speaks only version 3 of the protocol, but copying needs version 4"
              + " (Apache Cassandra 2.2 or later)");
    }
    return side;
  }

  private static DriverConfigLoader configuration(
      Endpoint endpoint, String consistency, Map<String, String> environment) {
    ProgrammaticDriverConfigLoaderBuilder options =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.SESSION_NAME, endpoint.name())
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, REQUEST_TIMEOUT)
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, consistency)
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, CONNECT_TIMEOUT)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, CONNECT_TIMEOUT)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, REQUEST_TIMEOUT)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, REQUEST_TIMEOUT)
            .withBoolean(DefaultDriverOption.TIMESTAMP_GENERATOR_FORCE_JAVA_CLOCK, true)
            .withBoolean(DefaultDriverOption.PREPARE_ON_ALL_NODES, true)
            // a session that is closed would wait two seconds for work that nobody gives it
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .withClass(
                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                DcInferringLoadBalancingPolicy.class);
    if (endpoint.tls()) {
      options.withClass(
          DefaultDriverOption.SSL_ENGINE_FACTORY_CLASS, DefaultSslEngineFactory.class);
      Path trusted = endpoint.trustStore();
      if (trusted != null) {
        options.withString(DefaultDriverOption.SSL_TRUSTSTORE_PATH, trusted.toString());
        options.withString(
            DefaultDriverOption.SSL_TRUSTSTORE_PASSWORD,
            secret(endpoint, "TRUSTSTORE_PASSWORD", environment));
      }
      Path own = endpoint.keyStore();
      if (own != null) {
        options.withString(DefaultDriverOption.SSL_KEYSTORE_PATH, own.toString());
        options.withString(
            DefaultDriverOption.SSL_KEYSTORE_PASSWORD,
            secret(endpoint, "KEYSTORE_PASSWORD", environment));
      }
    }
    return options.build();
  }

  private static String secret(Endpoint endpoint, String name, Map<String, String> environment) {
    String variable = endpoint.variable(name);
    String value = environment.get(variable);
    if (value == null) {
      throw new CopyException(
          "set the environment variable "
              + variable
              + ": passwords are not taken from the command line, which other users can read");
    }
    return value;
  }

  private static String unreachable(Endpoint endpoint, AllNodesFailedException failure) {
    Throwable first =
        failure.getAllErrors().values().stream()
            .flatMap(errors -> errors.stream().findFirst().stream())
            .findFirst()
            .orElse(failure);
    String message = "cannot connect to --" + endpoint.name() + " " + endpoint.hosts() + ": ";
    if (first instanceof AuthenticationException) {
      return message
          + first.getMessage()
          + ". Give the role with --"
          + endpoint.name()
          + "-user and its password in "
          + endpoint.variable("PASSWORD");
    }
    return message + networkError(endpoint).orElseGet(() -> innermost(first));
  }

  /** Why a contact point cannot be reached; the driver tells only that the channel is closed. */
  private static Optional<String> networkError(Endpoint endpoint) {
    InetSocketAddress address = endpoint.addresses().getFirst();
    try (Socket socket = new Socket()) {
      socket.connect(address, (int) CONNECT_TIMEOUT.toMillis());
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(address + ": " + e.getMessage());
    }
  }

  private static String innermost(Throwable failure) {
    Throwable inner = failure;
    for (Throwable cause = inner.getCause(); cause != null; cause = inner.getCause()) {
      inner = cause;
    }
    String message = inner.getMessage();
    return message == null ? inner.toString() : message;
  }

  /** "from" or "to". */
  public String name() {
    return endpoint.name();
  }

  /** The addresses as the user wrote them. */
  public String hosts() {
    return endpoint.hosts();
  }

  /** The schema and the nodes, as of now. */
  public Metadata metadata() {
    return session.getMetadata();
  }

  /** Reads the schema again, as it is after definitions. */
  public void refreshSchema() {
    session.refreshSchema();
  }

  /** Prepares a statement. */
  public PreparedStatement prepare(String text) {
    return Requests.repeat(
        () -> "preparing '" + text + "' in " + hosts(), () -> session.prepare(text));
  }

  /** Prepares a statement that the server may refuse, because it does not know what is in it. */
  public Optional<PreparedStatement> prepareIfKnown(String text) {
    return Requests.repeat(
        () -> "preparing '" + text + "' in " + hosts(),
        () -> {
          try {
            return Optional.of(session.prepare(text));
          } catch (QueryValidationException _) {
            return Optional.empty();
          }
        });
  }

  /** Executes once, with the driver's exceptions; all pages are read as they are iterated. */
  public ResultSet execute(Statement<?> statement) {
    return session.execute(statement);
  }

  /** Executes text, repeatedly if the server is slow. */
  public ResultSet execute(String text) {
    return Requests.repeat(() -> "'" + text + "' in " + hosts(), () -> session.execute(text));
  }

  /** Executes a definition; returns the server's message if it refuses it, or null. */
  public @Nullable String define(String text) {
    try {
      session.execute(text);
      return null;
    } catch (QueryValidationException e) {
      return e.getMessage();
    }
  }

  /** The server's own description of one element of the schema; Cassandra has it since 4.0. */
  public Optional<String> describe(String element) {
    try {
      Row row = session.execute("DESCRIBE " + element).one();
      return Optional.ofNullable(row == null ? null : row.getString("create_statement"));
    } catch (QueryValidationException _) {
      return Optional.empty();
    }
  }

  /** One page, with the driver's exceptions. */
  public AsyncResultSet page(Statement<?> statement) {
    try {
      return session.executeAsync(statement).toCompletableFuture().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
