package io.helenus.server.admin;

import java.io.IOException;

/** A document that the endpoint gives to anyone. Called by one thread at a time; may block. */
public interface Page {
  /**
   * A document.
   *
   * @param contentType as in HTTP's header
   * @param bytes must not be modified
   */
  record Document(String contentType, byte[] bytes) {}

  /**
   * The document as it is now.
   *
   * @param accept which types the client understands, as in HTTP's header; empty for any
   */
  Document get(String accept) throws CommandException, IOException;
}
