/**
 * The schema: immutable descriptions of keyspaces, tables and columns, and changes to them as pure
 * functions from schema to schema. CREATE, ALTER and DROP statements are validated here and
 * translated to a {@link io.helenus.server.schema.SchemaEdit}; DESCRIBE is executed here.
 *
 * <p>Entry classes: {@link io.helenus.server.schema.Schema} for lookups, {@link
 * io.helenus.server.schema.SchemaPlanner} for changes, {@link
 * io.helenus.server.schema.SchemaDescriber} for DESCRIBE. Imports {@code error}, {@code types}, the
 * statements of {@code cql.ast}, and of storage {@code bytes}, {@code row} and the table descriptor
 * of {@code engine}. No I/O, no clock; any thread.
 */
@NullMarked
package io.helenus.server.schema;

import org.jspecify.annotations.NullMarked;
