/**
 * How nodes become one cluster and know of each other: members, whether they answer, forming.
 * Imports {@code metadata} and {@code internode}.
 */
@NullMarked
package io.helenus.server.cluster;

import org.jspecify.annotations.NullMarked;
