/** Tests of how plans run, over rows kept in a sorted map. */
@NullMarked
package io.helenus.server.query;

import org.jspecify.annotations.NullMarked;
