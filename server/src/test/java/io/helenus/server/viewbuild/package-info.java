@NullMarked
package io.helenus.server.viewbuild;

import org.jspecify.annotations.NullMarked;
