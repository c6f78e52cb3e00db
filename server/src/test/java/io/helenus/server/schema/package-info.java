/** Tests of definitions: what they come to, and how they are described. */
@NullMarked
package io.helenus.server.schema;

import org.jspecify.annotations.NullMarked;
