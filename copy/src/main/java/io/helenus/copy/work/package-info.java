/**
 * Tables copied range by range: workers, the limits they keep to, progress, and what is finished.
 */
@NullMarked
package io.helenus.copy.work;

import org.jspecify.annotations.NullMarked;
