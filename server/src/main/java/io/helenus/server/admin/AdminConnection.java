package io.helenus.server.admin;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection: answers one request and closes. Event loop only, except the command itself. */
final class AdminConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(AdminConnection.class);
  private static final String COMMANDS = "/nodetool/";
  private static final String SCHEME = "Bearer ";
  private static final String ARGUMENT = "arg";
  private static final long HEALTH_SECONDS = 2;

  private final AdminEndpoint endpoint;
  private final boolean forCommands;
  private boolean busy;
  private boolean answered;

  AdminConnection(AdminEndpoint endpoint, boolean forCommands) {
    this.endpoint = endpoint;
    this.forCommands = forCommands;
  }

  /** Closes a connection whose client has not sent a request in time. */
  void closeUnlessBusy(Channel channel) {
    if (!busy) {
      channel.close();
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
    if (busy) {
      return;
    }
    busy = true;
    if (request.decoderResult().isFailure()) {
      answer(context, HttpResponseStatus.BAD_REQUEST, "not an HTTP request\n");
      return;
    }
    QueryStringDecoder target = new QueryStringDecoder(request.uri());
    switch (target.path()) {
      case "/health" -> answerHealth(context);
      case "/ready" -> answerReady(context);
      case "/metrics" -> answerMetrics(context, request);
      default -> {
        if (forCommands && target.path().startsWith(COMMANDS)) {
          runCommand(context, request, target);
        } else {
          answer(context, HttpResponseStatus.NOT_FOUND, "nothing at " + target.path() + "\n");
        }
      }
    }
  }

  private void answerReady(ChannelHandlerContext context) {
    if (endpoint.health().isServing()) {
      answer(context, HttpResponseStatus.OK, "ready\n");
    } else {
      answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, "not serving clients\n");
    }
  }

  private void answerHealth(ChannelHandlerContext context) {
    var late =
        context
            .executor()
            .schedule(
                () ->
                    answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, "a shard is blocked\n"),
                HEALTH_SECONDS,
                TimeUnit.SECONDS);
    endpoint
        .health()
        .whenResponsive(
            () ->
                context
                    .executor()
                    .execute(
                        () -> {
                          late.cancel(false);
                          answer(context, HttpResponseStatus.OK, "healthy\n");
                        }));
  }

  private void answerMetrics(ChannelHandlerContext context, FullHttpRequest request) {
    String accept = String.join(",", request.headers().getAll(HttpHeaderNames.ACCEPT));
    execute(
        context,
        endpoint.scrapes(),
        () -> {
          // a client that no longer waits is not worth a scrape
          if (context.channel().isActive()) {
            scrape(context, accept);
          }
        });
  }

  /** On the thread for scrapes. */
  private void scrape(ChannelHandlerContext context, String accept) {
    HttpResponseStatus status;
    Page.Document page;
    try {
      page = endpoint.metrics().get(accept);
      status = HttpResponseStatus.OK;
    } catch (CommandException e) {
      page = text(e.text());
      status = HttpResponseStatus.valueOf(e.kind().status());
    } catch (IOException | RuntimeException e) {
      LOG.error("Unexpected exception reading the metrics", e);
      page = text(e + "\n");
      status = HttpResponseStatus.INTERNAL_SERVER_ERROR;
    }
    HttpResponseStatus outcome = status;
    Page.Document output = page;
    context.executor().execute(() -> answer(context, outcome, output));
  }

  private void execute(ChannelHandlerContext context, Executor executor, Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, "the node is stopping\n");
    }
  }

  private void runCommand(
      ChannelHandlerContext context, FullHttpRequest request, QueryStringDecoder target) {
    String presented = request.headers().get(HttpHeaderNames.AUTHORIZATION, "");
    if (!presented.startsWith(SCHEME)
        || !endpoint.isToken(presented.substring(SCHEME.length()).strip())) {
      answer(context, HttpResponseStatus.UNAUTHORIZED, "the token is missing or wrong\n");
      return;
    }
    if (!request.method().equals(HttpMethod.POST)) {
      answer(context, HttpResponseStatus.METHOD_NOT_ALLOWED, "commands are sent with POST\n");
      return;
    }
    String name = target.path().substring(COMMANDS.length());
    Command command = endpoint.command(name);
    if (command == null) {
      answer(context, HttpResponseStatus.NOT_FOUND, "no command " + name + "\n");
      return;
    }
    Invocation invocation = invocation(name, target.parameters(), new Waiting(context));
    execute(context, endpoint.workers(), () -> run(context, command, invocation));
  }

  private static Invocation invocation(
      String name, Map<String, List<String>> parameters, Caller caller) {
    Map<String, String> options = new LinkedHashMap<>();
    parameters.forEach(
        (option, values) -> {
          if (!option.equals(ARGUMENT)) {
            options.put(option, values.getLast());
          }
        });
    return new Invocation(name, options, parameters.getOrDefault(ARGUMENT, List.of()), caller);
  }

  /** The client at the other end, which receives progress by interim responses. */
  private final class Waiting implements Caller {
    private final ChannelHandlerContext context;

    Waiting(ChannelHandlerContext context) {
      this.context = context;
    }

    @Override
    public boolean isWaiting() {
      return context.channel().isActive();
    }

    @Override
    public void progress(String line) {
      context
          .executor()
          .execute(
              () -> {
                if (!answered && context.channel().isWritable()) {
                  FullHttpResponse interim =
                      new DefaultFullHttpResponse(
                          HttpVersion.HTTP_1_1, HttpResponseStatus.PROCESSING);
                  interim.headers().set(AdminFiles.PROGRESS_HEADER, line);
                  context.writeAndFlush(interim);
                }
              });
    }
  }

  /** On a thread for administration. */
  private void run(ChannelHandlerContext context, Command command, Invocation invocation) {
    HttpResponseStatus status;
    String text;
    try {
      text = command.run(invocation);
      status = HttpResponseStatus.OK;
    } catch (CommandException e) {
      text = e.text();
      status = HttpResponseStatus.valueOf(e.kind().status());
    } catch (IOException e) {
      text = String.valueOf(e.getMessage());
      status = HttpResponseStatus.INTERNAL_SERVER_ERROR;
    } catch (RuntimeException e) {
      LOG.error("Unexpected exception running {}", invocation.command(), e);
      text = e.toString();
      status = HttpResponseStatus.INTERNAL_SERVER_ERROR;
    }
    HttpResponseStatus outcome = status;
    String output = text;
    context.executor().execute(() -> answer(context, outcome, output));
  }

  private static Page.Document text(String text) {
    return new Page.Document("text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  private void answer(ChannelHandlerContext context, HttpResponseStatus status, String text) {
    answer(context, status, text(text));
  }

  private void answer(
      ChannelHandlerContext context, HttpResponseStatus status, Page.Document page) {
    if (answered) {
      return;
    }
    answered = true;
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(page.bytes()));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, page.contentType())
        .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
        .set(HttpHeaderNames.CONNECTION, "close");
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    LOG.debug("Closing an administration connection", cause);
    context.close();
  }
}
