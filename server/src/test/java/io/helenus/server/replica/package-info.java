@NullMarked
package io.helenus.server.replica;

import org.jspecify.annotations.NullMarked;
