/** Tests that run plans on a replica that keeps rows in a sorted map. */
@NullMarked
package io.helenus.server.query;

import org.jspecify.annotations.NullMarked;
