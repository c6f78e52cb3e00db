/** Where the log of the process goes, in which format, and what is left out of it. */
@NullMarked
package io.helenus.server.process.logging;

import org.jspecify.annotations.NullMarked;
