/** A small catalogue with Spring Data Cassandra. */
@NullMarked
package io.helenus.clients.springdata;

import org.jspecify.annotations.NullMarked;
