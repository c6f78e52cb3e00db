package io.helenus.server.internode;

/** Counts the work of links. One thread. */
final class LinkCounters {
  long framesIn;
  long framesOut;
  long messagesIn;
  long messagesOut;
  long bytesIn;
  long bytesOut;
  long dropped;
  long late;
  long lateReplies;
  long connections;
  long largeOut;
  long heartbeatsOut;

  LinkCounts counts() {
    return new LinkCounts(
        framesIn,
        framesOut,
        messagesIn,
        messagesOut,
        bytesIn,
        bytesOut,
        dropped,
        late,
        lateReplies,
        connections,
        largeOut,
        heartbeatsOut);
  }
}
