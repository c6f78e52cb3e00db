package io.helenus.server.process;

import io.helenus.server.client.CqlClient;

/** Three nodes, numbered from 1, that {@link LevelCases} can stop. */
interface LevelsCluster {
  /** A connection to a node. */
  CqlClient connect(int number, int version) throws Exception;

  /** How many requests may wait at once. */
  int requestsAtOnce();

  /** How often requests that have timed out are sent again while a node is stopped. */
  int retriesWhenStopped();

  /** Makes a node that is up answer nothing; others do not know it yet. */
  void stall(int number) throws Exception;

  /** Takes care that others will soon know that a node, which may be stalled, is down. */
  void takeDown(int number) throws Exception;

  /** Brings a node back that is stalled or down. */
  void restore(int number) throws Exception;

  /** A text with {@code {1}} for the address of node 1, with its storage port if that is named. */
  String hideAddresses(String text);
}
