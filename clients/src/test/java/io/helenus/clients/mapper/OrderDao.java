package io.helenus.clients.mapper;

import com.datastax.oss.driver.api.core.MappedAsyncPagingIterable;
import com.datastax.oss.driver.api.core.PagingIterable;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.mapper.annotations.CqlName;
import com.datastax.oss.driver.api.mapper.annotations.Dao;
import com.datastax.oss.driver.api.mapper.annotations.DefaultNullSavingStrategy;
import com.datastax.oss.driver.api.mapper.annotations.Delete;
import com.datastax.oss.driver.api.mapper.annotations.Insert;
import com.datastax.oss.driver.api.mapper.annotations.Query;
import com.datastax.oss.driver.api.mapper.annotations.Select;
import com.datastax.oss.driver.api.mapper.annotations.Update;
import com.datastax.oss.driver.api.mapper.entity.saving.NullSavingStrategy;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Access to orders. */
@Dao
@DefaultNullSavingStrategy(NullSavingStrategy.DO_NOT_SET)
public interface OrderDao {
  /** Writes an order. */
  @Insert
  void save(Order order);

  /** The statement that writes an order, for a batch. */
  @Insert(ttl = ":seconds")
  BoundStatement saved(Order order, int seconds);

  /** Writes an order unless there is one; returns that one. */
  @Insert(ifNotExists = true)
  @Nullable Order saveNew(Order order);

  /** One order. */
  @Select
  @Nullable Order find(String customer, Instant placedAt);

  /** All orders of a customer, the latest first. */
  @Select
  PagingIterable<Order> findAll(String customer);

  /** The same, page by page. */
  @Select(limit = ":most")
  CompletionStage<MappedAsyncPagingIterable<Order>> findSome(
      String customer, @CqlName("most") int most);

  /** The orders of a customer since a time. */
  @Select(customWhereClause = "customer = :customer AND placed_at >= :since")
  PagingIterable<Order> findSince(String customer, Instant since);

  /** Changes what is set in an order, if its price is as expected. */
  @Update(customIfClause = "price = :expected")
  boolean update(Order order, BigDecimal expected);

  /** Removes an order, if there is one. */
  @Delete(ifExists = true)
  boolean delete(Order order);

  /** Counts the orders of a customer. */
  @Query("SELECT count(*) FROM ${keyspaceId}.orders WHERE customer = :customer")
  long count(String customer);

  /** Adds an item to an order. */
  @Query(
      "UPDATE ${keyspaceId}.orders SET items[:item] = :quantity"
          + " WHERE customer = :customer AND placed_at = :placedAt")
  ResultSet addItem(String customer, Instant placedAt, String item, int quantity);
}
