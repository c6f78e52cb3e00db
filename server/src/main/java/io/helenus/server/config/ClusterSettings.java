package io.helenus.server.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * What a node knows about its cluster before it has met another node. Immutable.
 *
 * @param clusterName the name that all nodes share
 * @param dataCenter where this node is
 * @param rack where in the data centre it is
 * @param seeds the nodes to ask, in the order given, each once; never empty. They are not resolved:
 *     a name may get an address later, or another one
 * @param listen where this node listens for others
 * @param broadcast where others reach it; {@code listen} unless configured
 * @param tokenCount the number of tokens of this node
 * @param initialTokens the tokens that it takes at its first start; empty if it chooses them
 * @param phiConvictThreshold from which value of phi on another node counts as down
 * @param initialSize how many members a new cluster has before clients are served
 */
public record ClusterSettings(
    String clusterName,
    String dataCenter,
    String rack,
    List<InetSocketAddress> seeds,
    InetSocketAddress listen,
    InetSocketAddress broadcast,
    int tokenCount,
    List<Long> initialTokens,
    double phiConvictThreshold,
    int initialSize) {

  /**
   * The settings of a node that has seeds. Looks up the host names of its own addresses.
   *
   * @param place the source of a key for error messages
   */
  static ClusterSettings of(Settings settings, Settings.Places place) throws ConfigException {
    int port = settings.number(Setting.STORAGE_PORT);
    List<Long> initialTokens = settings.tokens(Setting.INITIAL_TOKEN);
    InetAddress listen = own(settings, Setting.LISTEN_ADDRESS, place);
    InetAddress broadcast =
        settings.text(Setting.BROADCAST_ADDRESS).isEmpty()
            ? listen
            : own(settings, Setting.BROADCAST_ADDRESS, place);
    return new ClusterSettings(
        settings.text(Setting.CLUSTER_NAME),
        settings.text(Setting.DATA_CENTER),
        settings.text(Setting.RACK),
        NodeList.parse(settings.text(Setting.SEEDS), port),
        new InetSocketAddress(listen, port),
        new InetSocketAddress(broadcast, port),
        initialTokens.isEmpty() ? settings.number(Setting.NUM_TOKENS) : initialTokens.size(),
        initialTokens,
        settings.decimal(Setting.PHI_CONVICT_THRESHOLD),
        settings.number(Setting.INITIAL_CLUSTER_SIZE));
  }

  private static InetAddress own(Settings settings, Setting key, Settings.Places place)
      throws ConfigException {
    String text = settings.text(key);
    InetAddress address;
    try {
      address = text.isEmpty() ? InetAddress.getLocalHost() : InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new ConfigException(
          place.of(key) + ": " + key.name() + " '" + text + "' is not a valid address");
    }
    if (address.isAnyLocalAddress()) {
      throw new ConfigException(
          place.of(key)
              + ": "
              + key.name()
              + " cannot be a wildcard address ("
              + text
              + "): it must be the one by which other nodes reach this one");
    }
    return address;
  }

  /** Whether all seeds are this node itself: it founds a cluster without asking anyone. Blocks. */
  public boolean isFirstAlone() {
    return seeds.stream().allMatch(this::isOwn);
  }

  /**
   * Whether a seed is this node: one of its own addresses, or a name of one. Names are looked up,
   * which blocks; one that is not known is not this node's.
   */
  public boolean isOwn(InetSocketAddress seed) {
    try {
      InetSocketAddress address = resolve(seed);
      return address.equals(listen) || address.equals(broadcast);
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * The present address of a seed. Looks up its name, which blocks.
   *
   * @throws UnknownHostException if there is none; the text names the seed
   */
  public static InetSocketAddress resolve(InetSocketAddress seed) throws UnknownHostException {
    InetSocketAddress address = new InetSocketAddress(seed.getHostString(), seed.getPort());
    if (address.isUnresolved()) {
      throw new UnknownHostException(
          "the seed '" + seed.getHostString() + "' has no address: no such host is known");
    }
    return address;
  }
}
