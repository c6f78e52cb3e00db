/** Tests of what is advised about scripts, on small ones and on whole schemas. */
@NullMarked
package io.helenus.server.modelling;

import org.jspecify.annotations.NullMarked;
