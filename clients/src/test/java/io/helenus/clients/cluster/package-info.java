/** Drivers of several languages with a cluster of three nodes. */
@org.jspecify.annotations.NullMarked
package io.helenus.clients.cluster;
