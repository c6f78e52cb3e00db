package io.helenus.server.query.statement;

import io.helenus.server.protocol.Session;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves a line in the node's log for every definition that a client changes and every table that
 * it truncates: what was done, to what, by which user and from where. Stateless; any thread.
 */
public final class DefinitionLog {
  private static final Logger LOG = LoggerFactory.getLogger(DefinitionLog.class);

  /** What a name must not put into a log. */
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  private DefinitionLog() {}

  /**
   * Reports what was done.
   *
   * @param statement the kind of statement, such as CREATE INDEX
   * @param effect what it did, such as UPDATED TABLE ks.t
   */
  public static void done(String statement, String effect, Session session) {
    String user = session.user();
    InetSocketAddress client = session.remoteAddress();
    LOG.info(
        "{}: {}, by {} from {}:{}",
        statement,
        CONTROL.matcher(effect).replaceAll("?"),
        user == null ? "anonymous" : user,
        client.getAddress() == null ? client.getHostString() : client.getAddress().getHostAddress(),
        client.getPort());
  }

  /** Reports what was advised about a table. */
  public static void advised(String advice) {
    LOG.warn("Advice: {}", CONTROL.matcher(advice).replaceAll("?"));
  }
}
