package io.helenus.server.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.helenus.server.clients.Toolchain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/helenus advise} as a user runs it, and its page in a headless Chromium. */
class AdvisePageIT {
  private static final Path SCHEMAS =
      Path.of("src", "test", "resources", "modelling").toAbsolutePath();
  private static final Path SCREENSHOTS = Path.of("target", "screenshots").toAbsolutePath();
  private static final int PHONE = 360;
  private static final int DESK = 1280;
  private static final String OVERFLOW =
      "document.documentElement.scrollWidth - document.documentElement.clientWidth";

  @TempDir private static Path folder;

  @BeforeAll
  static void createFolder() throws IOException {
    Files.createDirectories(SCREENSHOTS);
  }

  /** Runs the command in a folder with copies of the files. */
  private static Outcome advise(String name, String... options)
      throws IOException, InterruptedException {
    Path own = Files.createDirectories(folder.resolve(name));
    List<String> arguments = new ArrayList<>(List.of("advise"));
    arguments.addAll(List.of(options));
    for (String file : List.of("schema.cql", "queries.cql")) {
      Path source = SCHEMAS.resolve(name).resolve(file);
      if (Files.exists(source)) {
        Files.copy(source, own.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
      arguments.add(file);
    }
    return Outcome.of(ServerProcess.launcher(), own, Map.of(), arguments.toArray(String[]::new));
  }

  @Test
  void theLauncherPassesTheExitCode() throws IOException, InterruptedException {
    Outcome outcome = advise("chat");
    assertEquals(1, outcome.code(), outcome.output());
    assertTrue(outcome.output().contains("Queries that are not served"), outcome.output());
    assertEquals(2, advise("nowhere").code());
  }

  @Test
  void thePageCanBeReadOnAPhoneAndRequestsNothing() throws IOException, InterruptedException {
    Toolchain.requireProgram("chromium");
    for (String name : List.of("chat", "jaeger", "killrvideo", "thingsboard")) {
      Path own = folder.resolve(name);
      Path page = own.resolve("advice.html");
      Outcome outcome = advise(name, "--format", "html", "--output", "advice.html");
      assertEquals(1, outcome.code(), outcome.output());
      try (Chromium browser = new Chromium(own)) {
        browser.open(page.toUri().toString(), PHONE, true);
        // nothing is wider than the screen, and texts are as large as on a page for phones
        assertEquals(PHONE, browser.number("innerWidth"));
        assertEquals(0, browser.number(OVERFLOW));
        assertEquals(16, browser.number("parseFloat(getComputedStyle(document.body).fontSize)"));
        double plots = browser.number("document.querySelectorAll('svg[role=img]').length");
        assertTrue(plots > 0, "plots");
        // the texts of a plot are scaled with it: at least 9 pixels high on a phone
        assertTrue(
            browser.number(
                    "Math.min(...[...document.querySelectorAll('svg[role=img] text')]"
                        + ".map(each => each.getBoundingClientRect().height))")
                >= 9);
        // each curve is drawn within its plot
        assertEquals(
            2 * plots,
            browser.number(
                "[...document.querySelectorAll('svg[role=img] polyline')].filter(each => {"
                    + "const c = each.getBoundingClientRect();"
                    + "const p = each.closest('svg').getBoundingClientRect();"
                    + "return c.width > 50 && c.left >= p.left && c.right <= p.right"
                    + " && c.top >= p.top && c.bottom <= p.bottom}).length"));
        browser.screenshot(SCREENSHOTS.resolve("advise-" + name + "-phone.png"));
        browser.open(page.toUri().toString(), DESK, false);
        assertEquals(0, browser.number(OVERFLOW));
        browser.screenshot(SCREENSHOTS.resolve("advise-" + name + "-desk.png"));
        assertEquals(
            List.of(),
            browser.requests().stream()
                .filter(each -> !each.equals(page.toUri().toString()) && !each.equals("data:,"))
                .toList());
        assertTrue(browser.requests().contains(page.toUri().toString()), "requests are seen");
      }
    }
  }
}
