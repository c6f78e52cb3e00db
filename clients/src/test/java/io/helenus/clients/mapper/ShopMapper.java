package io.helenus.clients.mapper;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.mapper.annotations.DaoFactory;
import com.datastax.oss.driver.api.mapper.annotations.DaoKeyspace;
import com.datastax.oss.driver.api.mapper.annotations.Mapper;

/** The entry point of the generated code. */
@Mapper
public interface ShopMapper {
  /** The orders in a keyspace. */
  @DaoFactory
  OrderDao orders(@DaoKeyspace CqlIdentifier keyspace);
}
