package io.helenus.server.admin;

/** Where a node and its tools find each other. */
public final class AdminFiles {
  /** The file in the data folder with the token that a node makes at every start. */
  public static final String TOKEN = "admin.token";

  /** The file in the data folder with address and port of the administration endpoint. */
  public static final String ADDRESS = "admin.address";

  /** The environment variable with a token. */
  public static final String TOKEN_VARIABLE = "HELENUS_ADMIN_TOKEN";

  /** The port unless one is configured or this one is in use. */
  public static final int DEFAULT_PORT = 7199;

  /** The header of interim responses with which a command tells how far it is. */
  public static final String PROGRESS_HEADER = "Helenus-Progress";

  private AdminFiles() {}
}
