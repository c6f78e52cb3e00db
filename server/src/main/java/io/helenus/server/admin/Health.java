package io.helenus.server.admin;

/** The health of the node as load balancers and supervisors ask for it. Any thread. */
public interface Health {
  /** Whether the node serves clients. */
  boolean isServing();

  /** Calls back on any thread as soon as every shard has answered. */
  void whenResponsive(Runnable callback);
}
