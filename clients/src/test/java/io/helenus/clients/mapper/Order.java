package io.helenus.clients.mapper;

import com.datastax.oss.driver.api.mapper.annotations.ClusteringColumn;
import com.datastax.oss.driver.api.mapper.annotations.CqlName;
import com.datastax.oss.driver.api.mapper.annotations.Entity;
import com.datastax.oss.driver.api.mapper.annotations.PartitionKey;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An order of a customer. */
@Entity
@CqlName("orders")
public record Order(
    @PartitionKey String customer,
    @ClusteringColumn Instant placedAt,
    @Nullable BigDecimal price,
    @Nullable Set<String> tags,
    @Nullable Map<String, Integer> items,
    @Nullable Address shipTo) {}
