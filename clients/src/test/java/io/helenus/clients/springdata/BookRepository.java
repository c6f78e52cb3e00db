package io.helenus.clients.springdata;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.springframework.data.cassandra.core.mapping.MapId;
import org.springframework.data.cassandra.repository.AllowFiltering;
import org.springframework.data.cassandra.repository.CassandraRepository;
import org.springframework.data.cassandra.repository.Query;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Slice;

/** Queries derived from the names of methods, and one written out. */
public interface BookRepository extends CassandraRepository<Book, MapId> {
  List<Book> findByAuthorAndPublishedAfter(String author, LocalDate published);

  Slice<Book> findByAuthor(String author, Pageable page);

  /** By the index of the column. */
  List<Book> findByPrice(BigDecimal price);

  @AllowFiltering
  List<Book> findBySubjectsContaining(String subject);

  @Query("SELECT count(*) FROM books WHERE author = ?0")
  long countOf(String author);

  boolean existsByAuthor(String author);

  void deleteByAuthor(String author);
}
