/** Tests of what the planner takes and refuses. */
@NullMarked
package io.helenus.server.query.plan;

import org.jspecify.annotations.NullMarked;
