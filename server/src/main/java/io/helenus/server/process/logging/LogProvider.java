package io.helenus.server.process.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Connects SLF4J with Logback as {@link LogSetup} configures it. Named by {@code slf4j.provider} in
 * {@code conf/jvm.options}: to find a provider and a configuration as services, SLF4J and Logback
 * would open every jar, which a start from the start-up cache never reads otherwise. Without the
 * property, as in tests, they do.
 */
public final class LogProvider implements SLF4JServiceProvider {
  /** Of SLF4J, for the comparison of versions. */
  private static final String API_VERSION = "2.0.99";

  private final LoggerContext context = new LoggerContext();
  private final LogbackMDCAdapter diagnosticContext = new LogbackMDCAdapter();
  private final IMarkerFactory markers = new BasicMarkerFactory();

  /** Called by SLF4J. */
  public LogProvider() {}

  @Override
  public void initialize() {
    context.setMDCAdapter(diagnosticContext);
    if (LogSetup.isConfiguredByFile()) {
      try {
        new ContextInitializer(context).autoConfig();
      } catch (JoranException e) {
        throw new IllegalStateException("Logging cannot be configured", e);
      }
    } else {
      LogSetup.toStandardOutput(context);
    }
    context.start();
  }

  @Override
  public ILoggerFactory getLoggerFactory() {
    return context;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return diagnosticContext;
  }

  @Override
  public String getRequestedApiVersion() {
    return API_VERSION;
  }
}
