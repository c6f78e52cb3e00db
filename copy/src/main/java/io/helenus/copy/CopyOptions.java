package io.helenus.copy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.helenus.copy.cluster.Endpoint;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command line. Filled by picocli, then read only. */
@Command(
    name = "helenus copy",
    sortOptions = false,
    usageHelpWidth = 110,
    customSynopsis =
        "helenus copy --from HOST[:PORT] --to HOST[:PORT] [OPTIONS] KEYSPACE[.TABLE]...",
    description = {
      "Copies definitions and rows from one cluster to another, with write times and TTLs, and"
          + " compares both. A copy or comparison that was interrupted goes on when the same"
          + " command is repeated.",
      ""
    },
    footer = {
      "",
      "Passwords are taken from the environment: HELENUS_FROM_PASSWORD and HELENUS_TO_PASSWORD,"
          + " with _TRUSTSTORE_PASSWORD and _KEYSTORE_PASSWORD instead for those of the files.",
      "",
      "Exit codes: 0 both sides are equal, 1 it could not be done, 2 there are differences."
    })
final class CopyOptions {
  private static final int RANGES = 256;
  private static final int PARALLEL = 8;
  private static final int DIFFERENCES = 20;

  @Option(
      names = "--from",
      paramLabel = "HOST[:PORT]",
      required = true,
      description = "The source; several contact points are separated by commas.")
  private String from = "";

  @Option(names = "--to", paramLabel = "HOST[:PORT]", required = true, description = "The target.")
  private String to = "";

  @Parameters(paramLabel = "KEYSPACE[.TABLE]", arity = "1..*", description = "What to copy.")
  private List<String> names = List.of();

  @Option(
      names = "--compare-only",
      description = "Copies nothing: compares the tables of both sides.")
  private boolean compareOnly;

  @Option(names = "--no-compare", description = "Ends without comparing.")
  private boolean noCompare;

  @Option(
      names = "--no-schema",
      description = "Creates nothing in the target, whose tables must have the same columns.")
  private boolean noSchema;

  @Option(
      names = "--skip-unsupported",
      description =
          "Goes on without the indexes, views, functions and triggers that the target refuses.")
  private boolean skipUnsupported;

  @Option(
      names = "--replication",
      paramLabel = "MAP",
      description =
          "Replication of new keyspaces, as in CREATE KEYSPACE; default that of the source.")
  private @Nullable String replication;

  @Option(
      names = "--overwrite-counters",
      description =
          "Also gives counters the values of the source in tables that already have rows in the"
              + " target.")
  private boolean overwriteCounters;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Token ranges that are read at once; default ${DEFAULT-VALUE}.")
  private int parallel = PARALLEL;

  @Option(
      names = "--rate",
      paramLabel = "ROWS",
      description = "Rows per second at most; default no limit.")
  private long rate;

  @Option(
      names = "--ranges",
      paramLabel = "N",
      description =
          "Parts in which a table is copied, compared and resumed; default ${DEFAULT-VALUE}.")
  private int ranges = RANGES;

  @Option(
      names = "--consistency",
      paramLabel = "LEVEL",
      description = "Of reads and writes; default ${DEFAULT-VALUE}.")
  private DefaultConsistencyLevel consistency = DefaultConsistencyLevel.LOCAL_QUORUM;

  @Option(
      names = "--differences",
      paramLabel = "N",
      description = "Rows that are named if they differ; default ${DEFAULT-VALUE}.")
  private int differences = DIFFERENCES;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "Where finished ranges are recorded until all is copied and compared; default"
              + " helenus-copy-….state in the current folder.")
  private @Nullable Path state;

  @ArgGroup(validate = false, heading = "%nAccess to the source:%n")
  private final FromAccess fromAccess = new FromAccess();

  @ArgGroup(validate = false, heading = "%nAccess to the target:%n")
  private final ToAccess toAccess = new ToAccess();

  /** Access to the source. */
  static final class FromAccess {
    @Option(names = "--from-user", paramLabel = "ROLE", description = "The role to log in with.")
    private @Nullable String user;

    @Option(names = "--from-tls", description = "Encrypts.")
    private boolean tls;

    @Option(
        names = "--from-truststore",
        paramLabel = "FILE",
        description = "Certificates to trust instead of those of the JDK.")
    private @Nullable Path trustStore;

    @Option(
        names = "--from-keystore",
        paramLabel = "FILE",
        description = "The client's own certificate.")
    private @Nullable Path keyStore;
  }

  /** Access to the target. */
  static final class ToAccess {
    @Option(names = "--to-user", paramLabel = "ROLE", description = "The role to log in with.")
    private @Nullable String user;

    @Option(names = "--to-tls", description = "Encrypts.")
    private boolean tls;

    @Option(
        names = "--to-truststore",
        paramLabel = "FILE",
        description = "Certificates to trust instead of those of the JDK.")
    private @Nullable Path trustStore;

    @Option(
        names = "--to-keystore",
        paramLabel = "FILE",
        description = "The client's own certificate.")
    private @Nullable Path keyStore;
  }

  /** What is wrong with the values, or null. */
  @Nullable String error() {
    if (compareOnly && noCompare) {
      return "--compare-only and --no-compare exclude each other";
    }
    if (parallel < 1 || ranges < 1 || ranges > 1_000_000 || rate < 0 || differences < 1) {
      return "--parallel, --ranges, --rate and --differences must be positive, --ranges at most"
          + " 1000000";
    }
    if (fromAccess.trustStore != null && !fromAccess.tls
        || fromAccess.keyStore != null && !fromAccess.tls) {
      return "--from-truststore and --from-keystore need --from-tls";
    }
    if (toAccess.trustStore != null && !toAccess.tls
        || toAccess.keyStore != null && !toAccess.tls) {
      return "--to-truststore and --to-keystore need --to-tls";
    }
    return null;
  }

  Endpoint from() {
    return new Endpoint(
        "from", from, fromAccess.user, fromAccess.tls, fromAccess.trustStore, fromAccess.keyStore);
  }

  Endpoint to() {
    return new Endpoint(
        "to", to, toAccess.user, toAccess.tls, toAccess.trustStore, toAccess.keyStore);
  }

  List<String> names() {
    return names;
  }

  boolean isCopying() {
    return !compareOnly;
  }

  boolean isComparing() {
    return !noCompare;
  }

  boolean isSchemaCopied() {
    return !noSchema && !compareOnly;
  }

  boolean isUnsupportedSkipped() {
    return skipUnsupported;
  }

  boolean areCountersOverwritten() {
    return overwriteCounters;
  }

  @Nullable String replication() {
    return replication;
  }

  int parallel() {
    return parallel;
  }

  long rate() {
    return rate;
  }

  int ranges() {
    return ranges;
  }

  String consistency() {
    return consistency.name();
  }

  int differences() {
    return differences;
  }

  /** What must be the same when a copy goes on: for the state file. */
  List<String> identity() {
    String what = (compareOnly ? "compared " : "names ") + String.join(" ", names);
    return List.of("from " + from, "to " + to, what, "ranges " + ranges);
  }

  /** The state file; without the option one for each copy. */
  Path state() {
    return state != null
        ? state
        : Path.of(
            "helenus-copy-"
                + Integer.toHexString(String.join("\n", identity()).hashCode())
                + ".state");
  }
}
