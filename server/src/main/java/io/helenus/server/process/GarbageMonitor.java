package io.helenus.server.process;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import io.helenus.server.admin.GarbageCollections;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Map;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * Measures garbage collections between two calls. It listens to single collections from the first
 * call on, since a listener from the start would load JMX with every node; until then only numbers
 * and total times are known, which the JVM keeps anyway. Any thread.
 */
final class GarbageMonitor {
  private boolean listening;
  private long sinceMillis;
  private long knownCollections;
  private long knownMillis;
  private long heard;
  private long heardMillis;
  private double heardSquares;
  private long longest;
  private double reclaimed;

  /** What has happened since the last call; at the first one, since the start of the process. */
  synchronized GarbageCollections next(long nowMillis) {
    long collections = 0;
    long millis = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections += Math.max(0, collector.getCollectionCount());
      millis += Math.max(0, collector.getCollectionTime());
    }
    GarbageCollections all =
        new GarbageCollections(
            listening ? nowMillis - sinceMillis : ManagementFactory.getRuntimeMXBean().getUptime(),
            listening ? longest : Double.NaN,
            millis - knownMillis,
            listening ? deviation() : Double.NaN,
            listening ? reclaimed : Double.NaN,
            collections - knownCollections,
            directBytes());
    if (!listening) {
      listen();
    }
    sinceMillis = nowMillis;
    knownCollections = collections;
    knownMillis = millis;
    heard = 0;
    heardMillis = 0;
    heardSquares = 0;
    longest = 0;
    reclaimed = 0;
    return all;
  }

  /** NaN without collections, as in Cassandra. */
  private double deviation() {
    double mean = (double) heardMillis / heard;
    return Math.sqrt(Math.max(0, heardSquares / heard - mean * mean));
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private void listen() {
    listening = true;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((event, handback) -> collected(event), null, null);
      }
    }
  }

  private void collected(Notification event) {
    if (event.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)
        && event.getUserData() instanceof CompositeData data) {
      add(GarbageCollectionNotificationInfo.from(data).getGcInfo());
    }
  }

  private synchronized void add(GcInfo collection) {
    long millis = collection.getDuration();
    heard++;
    heardMillis += millis;
    heardSquares += (double) millis * millis;
    longest = Math.max(longest, millis);
    Map<String, MemoryUsage> after = collection.getMemoryUsageAfterGc();
    collection
        .getMemoryUsageBeforeGc()
        .forEach(
            (pool, before) -> {
              MemoryUsage left = after.get(pool);
              reclaimed += left == null ? 0 : before.getUsed() - left.getUsed();
            });
  }
}
