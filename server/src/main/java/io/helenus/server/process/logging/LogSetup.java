package io.helenus.server.process.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import io.helenus.server.config.Setting;
import io.helenus.server.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * Configures logging in code, because parsing a logback.xml would add 0.1 s to every start: to
 * standard output, until {@link #apply} has read the settings. If {@code
 * -Dlogback.configurationFile} is set, that file is used instead. Called by {@link LogProvider}, or
 * by Logback as a service.
 */
public final class LogSetup extends ContextAwareBase implements Configurator {
  private static final String CONFIGURATION = "logback.configurationFile";
  private static final String TEXT = "%time{HH:mm:ss.SSS} %-5level %msg%n";

  /** With the date, as the lines of several days are in one file. */
  private static final String TEXT_IN_FILE = "%time{yyyy-MM-dd HH:mm:ss.SSS} %-5level %msg%n";

  private static final long SIZE_CHECK_MILLIS = 100;

  /** Called by Logback. */
  public LogSetup() {}

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (isConfiguredByFile()) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    toStandardOutput(context);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  static boolean isConfiguredByFile() {
    return System.getProperty(CONFIGURATION) != null;
  }

  /** Directs the log to standard output. */
  static void toStandardOutput(LoggerContext context) {
    context.getLogger("io.netty").setLevel(Level.WARN);
    root(context).setLevel(Level.INFO);
    attach(context, new ConsoleAppender<>(), pattern(context, TEXT));
  }

  /**
   * Directs the log to the file and in the format of the settings, from the next line on.
   *
   * @throws IOException if the file cannot be written
   */
  public static void apply(Settings settings) throws IOException {
    if (!isConfiguredByFile() && (!settings.text(Setting.LOG_FILE).isEmpty() || isJson(settings))) {
      apply(settings, (LoggerContext) LoggerFactory.getILoggerFactory());
    }
  }

  private static boolean isJson(Settings settings) {
    return settings.text(Setting.LOG_FORMAT).equals("json");
  }

  static void apply(Settings settings, LoggerContext context) throws IOException {
    String file = settings.text(Setting.LOG_FILE);
    OutputStreamAppender<ILoggingEvent> appender =
        file.isEmpty()
            ? new ConsoleAppender<>()
            : files(
                context,
                file,
                settings.sizeBytes(Setting.LOG_FILE_SIZE),
                settings.number(Setting.LOG_FILES));
    root(context).detachAndStopAllAppenders();
    appender.setContext(context);
    attach(
        context,
        appender,
        isJson(settings) ? json(context) : pattern(context, file.isEmpty() ? TEXT : TEXT_IN_FILE));
    if (!appender.isStarted()) {
      throw new IOException("cannot write log_file " + file);
    }
  }

  private static Logger root(LoggerContext context) {
    return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  private static void attach(
      LoggerContext context,
      OutputStreamAppender<ILoggingEvent> appender,
      Encoder<ILoggingEvent> encoder) {
    appender.setContext(context);
    appender.setEncoder(encoder);
    RepeatFilter repeats =
        new RepeatFilter(
            (millis, task) -> {
              var _ =
                  context
                      .getScheduledExecutorService()
                      .schedule(task, millis, TimeUnit.MILLISECONDS);
            });
    repeats.start();
    appender.addFilter(repeats);
    appender.start();
    root(context).addAppender(appender);
  }

  private static Encoder<ILoggingEvent> pattern(LoggerContext context, String pattern) {
    PatternLayout layout = new PatternLayout();
    layout.setContext(context);
    layout.setPattern(pattern);
    layout.getInstanceConverterMap().put("time", LogTime::new);
    layout.start();
    LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
    encoder.setContext(context);
    encoder.setLayout(layout);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context) {
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithMarkers(false);
    encoder.setWithMDC(false);
    encoder.setWithKVPList(false);
    encoder.setWithMessage(false);
    encoder.setWithArguments(false);
    encoder.setWithFormattedMessage(true);
    encoder.start();
    return encoder;
  }

  private static OutputStreamAppender<ILoggingEvent> files(
      LoggerContext context, String path, long maxBytes, int count) throws IOException {
    Path file = Path.of(path).toAbsolutePath();
    try {
      if (file.getParent() instanceof Path folder) {
        Files.createDirectories(folder);
      }
      if (!Files.exists(file)) {
        Files.createFile(file);
      }
    } catch (IOException e) {
      throw new IOException("cannot create log_file " + path + ": " + e, e);
    }
    if (!Files.isWritable(file)) {
      throw new IOException("cannot write log_file " + path);
    }
    RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();
    appender.setFile(file.toString());
    FixedWindowRollingPolicy names = new FixedWindowRollingPolicy();
    names.setContext(context);
    names.setParent(appender);
    names.setFileNamePattern(file.toString().replace("%", "\\%") + ".%i");
    names.setMinIndex(1);
    names.setMaxIndex(count - 1);
    names.start();
    SizeBasedTriggeringPolicy<ILoggingEvent> size = new SizeBasedTriggeringPolicy<>();
    size.setContext(context);
    size.setMaxFileSize(new FileSize(maxBytes));
    size.setCheckIncrement(Duration.buildByMilliseconds(SIZE_CHECK_MILLIS));
    size.start();
    appender.setRollingPolicy(names);
    appender.setTriggeringPolicy(size);
    return appender;
  }
}
