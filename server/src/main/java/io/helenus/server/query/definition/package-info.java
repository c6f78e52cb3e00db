/**
 * CREATE, ALTER, DROP, USE and DESCRIBE, based on {@code metadata}.
 *
 * <p>Entry: {@link io.helenus.server.query.definition.DefinitionRunner}. Imports {@code
 * query.statement}, cql-grammar, error, schema, ring, protocol, metadata, shard.
 */
@NullMarked
package io.helenus.server.query.definition;

import org.jspecify.annotations.NullMarked;
