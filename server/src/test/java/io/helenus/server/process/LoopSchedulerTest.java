package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.transport.EventLoops;
import io.helenus.storage.env.SystemClock;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopSchedulerTest {
  private final MultiThreadIoEventLoopGroup loops = EventLoops.create(1, Thread::new);
  private final LoopScheduler scheduler = new LoopScheduler(loops.next(), new SystemClock());
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void stop() {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private void await() throws InterruptedException {
    assertTrue(end.await(1, TimeUnit.MINUTES), done.toString());
  }

  @Test
  void everySliceLetsWhatHasBecomeReadyGoFirst() throws InterruptedException {
    scheduler.execute(
        () -> {
          scheduler.executeLast(
              () -> {
                done.add("slice 1");
                scheduler.execute(() -> done.add("task"));
              });
          scheduler.executeLast(() -> done.add("slice 2"));
          scheduler.executeLast(end::countDown);
        });
    await();
    assertEquals(List.of("slice 1", "task", "slice 2"), done);
  }

  @Test
  void aSliceThatFailsDoesNotStopTheOthers() throws InterruptedException {
    scheduler.executeLast(
        () -> {
          throw new IllegalStateException("on purpose");
        });
    scheduler.executeLast(() -> done.add("slice"));
    scheduler.executeLast(end::countDown);
    await();
    assertEquals(List.of("slice"), done);
  }

  @Test
  void aSliceMayAddAnother() throws InterruptedException {
    scheduler.executeLast(() -> scheduler.executeLast(end::countDown));
    await();
  }
}
