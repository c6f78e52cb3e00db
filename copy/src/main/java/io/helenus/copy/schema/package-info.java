/** Which tables are copied, and their definitions: checked, and created in the target. */
@NullMarked
package io.helenus.copy.schema;

import org.jspecify.annotations.NullMarked;
