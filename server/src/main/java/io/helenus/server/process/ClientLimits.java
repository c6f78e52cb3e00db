package io.helenus.server.process;

import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import io.helenus.server.protocol.ConversationSettings;
import io.helenus.server.transport.TransportSettings;

/** The limits of client connections, from the settings. Stateless. */
final class ClientLimits {
  private static final int MAX_IN_FLIGHT_REQUESTS = 4096;
  private static final int MAX_HELD_EVENTS = 1024;
  private static final int BACKLOG = 1024;

  private ClientLimits() {}

  static TransportSettings of(Settings settings) {
    ConversationSettings conversation =
        new ConversationSettings(
            (int) settings.sizeBytes(Setting.NATIVE_TRANSPORT_MAX_FRAME_SIZE),
            MAX_IN_FLIGHT_REQUESTS,
            settings.sizeBytes(Setting.NATIVE_TRANSPORT_MAX_REQUEST_DATA_IN_FLIGHT_PER_CONNECTION),
            MAX_HELD_EVENTS);
    return new TransportSettings(
        conversation,
        bound(settings.number(Setting.NATIVE_TRANSPORT_MAX_CONCURRENT_CONNECTIONS)),
        bound(settings.number(Setting.NATIVE_TRANSPORT_MAX_CONCURRENT_CONNECTIONS_PER_IP)),
        settings.memory().requestBytes(),
        settings.memory().requestLimits().bytes(),
        millis(settings, Setting.NATIVE_TRANSPORT_STARTUP_TIMEOUT),
        millis(settings, Setting.NATIVE_TRANSPORT_UNFINISHED_MESSAGE_TIMEOUT),
        BACKLOG);
  }

  private static long millis(Settings settings, Setting duration) {
    return settings.durationNanos(duration) / 1_000_000;
  }

  private static int bound(int configured) {
    return configured < 0 ? Integer.MAX_VALUE : configured;
  }
}
