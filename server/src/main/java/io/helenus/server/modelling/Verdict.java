package io.helenus.server.modelling;

import java.util.List;

/** What became of a query. Immutable. */
public sealed interface Verdict {
  /**
   * A server answers it.
   *
   * @param notes what it costs, if that is more than a partition
   */
  record Served(List<String> notes) implements Verdict {
    /** Copies the list. */
    public Served {
      notes = List.copyOf(notes);
    }
  }

  /**
   * A server refuses it, or answers it only with ALLOW FILTERING.
   *
   * @param error the server's text
   * @param elsewhere the query as other tables of the schema serve it
   * @param proposal the proposed table that serves it; empty if there is none
   * @param instead the query of that table
   * @param why no table is proposed; empty if one is, or is not needed
   */
  record Refused(String error, List<String> elsewhere, String proposal, String instead, String why)
      implements Verdict {
    /** Copies the list. */
    public Refused {
      elsewhere = List.copyOf(elsewhere);
    }
  }

  /**
   * It cannot be judged: a log has it in part.
   *
   * @param reason the text of the parser
   */
  record Unread(String reason) implements Verdict {}
}
