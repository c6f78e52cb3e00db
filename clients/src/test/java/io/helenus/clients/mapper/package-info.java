/** A small shop with the object mapper and the query builder of the Java driver 4. */
@NullMarked
package io.helenus.clients.mapper;

import org.jspecify.annotations.NullMarked;
