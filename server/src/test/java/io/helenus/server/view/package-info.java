/** Tests of what writes change in materialized views. */
@NullMarked
package io.helenus.server.view;

import org.jspecify.annotations.NullMarked;
