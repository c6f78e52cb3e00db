package io.helenus.server.node;

/** The heap of the process, in bytes. Any thread. */
public interface Heap {
  /** The heap of this process. */
  Heap OF_PROCESS =
      new Heap() {
        @Override
        public long usedBytes() {
          return committedBytes() - Runtime.getRuntime().freeMemory();
        }

        @Override
        public long committedBytes() {
          return Runtime.getRuntime().totalMemory();
        }

        @Override
        public long limitBytes() {
          return Runtime.getRuntime().maxMemory();
        }

        @Override
        public void collect() {
          System.gc();
        }
      };

  /** What objects and garbage take. */
  long usedBytes();

  /** What the process has of the system. */
  long committedBytes();

  /** The limit. */
  long limitBytes();

  /** Collects the garbage. */
  void collect();
}
