/** Tests of the parts of SELECT. */
@NullMarked
package io.helenus.server.query.select;

import org.jspecify.annotations.NullMarked;
