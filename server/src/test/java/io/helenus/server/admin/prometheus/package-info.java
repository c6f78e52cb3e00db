@NullMarked
package io.helenus.server.admin.prometheus;

import org.jspecify.annotations.NullMarked;
