package io.helenus.clients.springdata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.helenus.server.clients.ServerAddress;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.cassandra.CassandraInvalidQueryException;
import org.springframework.data.cassandra.config.AbstractCassandraConfiguration;
import org.springframework.data.cassandra.config.SchemaAction;
import org.springframework.data.cassandra.config.SessionBuilderConfigurer;
import org.springframework.data.cassandra.core.CassandraTemplate;
import org.springframework.data.cassandra.core.InsertOptions;
import org.springframework.data.cassandra.core.cql.keyspace.CreateKeyspaceSpecification;
import org.springframework.data.cassandra.core.mapping.BasicMapId;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.core.query.CassandraPageRequest;
import org.springframework.data.cassandra.core.query.Criteria;
import org.springframework.data.cassandra.core.query.Query;
import org.springframework.data.cassandra.core.query.Update;
import org.springframework.data.cassandra.repository.config.EnableCassandraRepositories;
import org.springframework.data.domain.Slice;

/** A catalogue of books: Spring makes its schema, its repositories and its conditional writes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpringDataIT {
  private static final String KEYSPACE = "spring_books";

  private ServerAddress server;
  private AnnotationConfigApplicationContext context;
  private BookRepository books;
  private CassandraTemplate template;

  @BeforeAll
  void open(@TempDir Path folder) throws IOException {
    server = ServerAddress.open(folder.resolve("data"));
    context = new AnnotationConfigApplicationContext();
    context.registerBean(ServerAddress.class, () -> server);
    context.register(Catalogue.class);
    context.refresh();
    books = context.getBean(BookRepository.class);
    template = context.getBean(CassandraTemplate.class);
  }

  @AfterAll
  void close() {
    context.getBean(CqlSession.class).execute("DROP KEYSPACE " + KEYSPACE);
    context.close();
    server.close();
  }

  /** The application's configuration. */
  @Configuration
  @EnableCassandraRepositories
  static class Catalogue extends AbstractCassandraConfiguration {
    private final ServerAddress server;

    Catalogue(ServerAddress server) {
      this.server = server;
    }

    @Override
    protected String getContactPoints() {
      return server.host();
    }

    @Override
    protected int getPort() {
      return server.port();
    }

    @Override
    protected String getLocalDataCenter() {
      return "datacenter1";
    }

    @Override
    protected String getKeyspaceName() {
      return KEYSPACE;
    }

    @Override
    protected List<CreateKeyspaceSpecification> getKeyspaceCreations() {
      return List.of(
          CreateKeyspaceSpecification.createKeyspace(KEYSPACE)
              .ifNotExists()
              .withSimpleReplication(1));
    }

    @Override
    public SchemaAction getSchemaAction() {
      return SchemaAction.RECREATE;
    }

    @Override
    public String[] getEntityBasePackages() {
      return new String[] {Book.class.getPackageName()};
    }

    @Override
    protected SessionBuilderConfigurer getSessionBuilderConfigurer() {
      return builder ->
          builder.withConfigLoader(
              DriverConfigLoader.programmaticBuilder()
                  .withString(DefaultDriverOption.REQUEST_TIMEOUT, "60 seconds")
                  .build());
    }
  }

  private static Book book(String author, int year, String title, String price) {
    return new Book(
        author,
        LocalDate.of(year, 2, 28),
        title,
        new BigDecimal(price),
        Set.of("novel", "é"),
        Map.of("shelf", year),
        new Maker("press", List.of("Bath", "")),
        null);
  }

  @Test
  void aRepositoryQueriesAnIndexedColumn() {
    Book emma = book("austen indexed", 1815, "emma", "19.50");
    books.save(emma);
    books.save(book("austen indexed", 1813, "pride", "18.50"));
    books.save(book("bronte indexed", 1847, "jane", "19.50"));
    List<String> titles =
        books.findByPrice(new BigDecimal("19.50")).stream().map(Book::title).sorted().toList();
    assertEquals(List.of("emma", "jane"), titles);
    books.save(books.findByPrice(new BigDecimal("18.50")).getFirst().withPrice(BigDecimal.TEN));
    assertEquals(List.of(), books.findByPrice(new BigDecimal("18.50")));
    assertEquals("pride", books.findByPrice(BigDecimal.TEN).getFirst().title());
  }

  @Test
  void booksAreSavedFoundAndRemoved() {
    Book saved = books.save(book("austen", 1812, "Sense", "7.50"));
    assertEquals(0L, saved.version());
    books.saveAll(
        List.of(book("austen", 1816, "Emma", "8.00"), book("austen", 1820, "Persuasion", "9.00")));
    MapId id =
        BasicMapId.id("author", "austen")
            .with("published", saved.published())
            .with("title", "Sense");
    assertEquals(saved, books.findById(id).orElseThrow());
    assertEquals(
        List.of("Persuasion", "Emma"),
        books.findByAuthorAndPublishedAfter("austen", saved.published()).stream()
            .map(Book::title)
            .toList());
    assertEquals(3, books.countOf("austen"));
    assertEquals(
        3,
        books.findBySubjectsContaining("novel").stream()
            .filter(b -> b.author().equals("austen"))
            .count());
    books.deleteById(id);
    assertFalse(books.existsById(id));
    assertTrue(books.existsByAuthor("austen"));
    books.deleteByAuthor("austen");
    assertFalse(books.existsByAuthor("austen"));
  }

  @Test
  void aStaleBookIsNotSaved() {
    Book first = books.save(book("eliot", 1872, "Middlemarch", "5.00"));
    Book second = books.save(first.withPrice(new BigDecimal("6.00")));
    assertEquals(1L, second.version());
    assertThrows(
        OptimisticLockingFailureException.class,
        () -> books.save(first.withPrice(new BigDecimal("7.00"))));
    books.delete(second);
    assertEquals(0, books.countOf("eliot"));
  }

  @Test
  void booksComeInSlices() {
    for (int year = 1840; year < 1865; year++) {
      books.insert(book("dumas", year, "Title " + year, "1.00"));
    }
    int seen = 0;
    Slice<Book> slice = books.findByAuthor("dumas", CassandraPageRequest.first(10));
    assertEquals(10, slice.getNumberOfElements());
    while (true) {
      seen += slice.getNumberOfElements();
      if (!slice.hasNext()) {
        break;
      }
      slice = books.findByAuthor("dumas", slice.nextPageable());
    }
    assertEquals(25, seen);
  }

  @Test
  void theTemplateUpdatesBatchesAndChecks() {
    Book book = book("woolf", 1927, "Lighthouse", "4.00");
    assertTrue(
        template.insert(book, InsertOptions.builder().withIfNotExists().build()).wasApplied());
    assertThrows(
        OptimisticLockingFailureException.class,
        () -> template.insert(book, InsertOptions.builder().withIfNotExists().build()));
    Query it =
        Query.query(
            Criteria.where("author").is("woolf"),
            Criteria.where("published").is(book.published()),
            Criteria.where("title").is("Lighthouse"));
    template.update(
        it,
        Update.empty().addTo("subjects").append("sea").set("copies").atKey("desk").to(2),
        Book.class);
    Book updated = template.selectOne(it, Book.class);
    assertEquals(Set.of("novel", "é", "sea"), updated.subjects());
    assertEquals(Map.of("shelf", 1927, "desk", 2), updated.copies());
    template
        .batchOps()
        .insert(
            List.of(book("woolf", 1928, "Orlando", "5.00"), book("woolf", 1931, "Waves", "6.00")))
        .withTimestamp(System.currentTimeMillis() * 1000)
        .execute();
    assertEquals(3, template.count(Query.query(Criteria.where("author").is("woolf")), Book.class));
    assertThrows(
        CassandraInvalidQueryException.class,
        () -> template.getCqlOperations().execute("SELECT nope FROM books"));
    template.truncate(Book.class);
    assertEquals(0, template.count(Book.class));
  }
}
