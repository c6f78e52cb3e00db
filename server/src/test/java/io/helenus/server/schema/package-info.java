/** Tests of definition statements and of DESCRIBE. */
@NullMarked
package io.helenus.server.schema;

import org.jspecify.annotations.NullMarked;
