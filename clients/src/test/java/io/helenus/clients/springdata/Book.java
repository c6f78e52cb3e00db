package io.helenus.clients.springdata;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Version;
import org.springframework.data.cassandra.core.cql.Ordering;
import org.springframework.data.cassandra.core.cql.PrimaryKeyType;
import org.springframework.data.cassandra.core.mapping.Column;
import org.springframework.data.cassandra.core.mapping.Frozen;
import org.springframework.data.cassandra.core.mapping.Indexed;
import org.springframework.data.cassandra.core.mapping.PrimaryKeyColumn;
import org.springframework.data.cassandra.core.mapping.Table;

/** A book. Its version is changed by conditional writes. */
@Table("books")
public record Book(
    @PrimaryKeyColumn(type = PrimaryKeyType.PARTITIONED) String author,
    @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED, ordering = Ordering.DESCENDING)
        LocalDate published,
    @PrimaryKeyColumn(type = PrimaryKeyType.CLUSTERED, ordinal = 1) String title,
    @Indexed @Nullable BigDecimal price,
    Set<String> subjects,
    Map<String, Integer> copies,
    @Frozen @Column("made_by") @Nullable Maker madeBy,
    @Version @Nullable Long version) {
  Book withPrice(BigDecimal newPrice) {
    return new Book(author, published, title, newPrice, subjects, copies, madeBy, version);
  }
}
