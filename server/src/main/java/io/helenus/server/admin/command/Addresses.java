package io.helenus.server.admin.command;

import io.helenus.server.admin.Invocation;
import io.helenus.server.system.MemberView;
import io.helenus.server.system.NodeFacts.Endpoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Addresses of members in outputs. Stateless. */
final class Addresses {
  private static final Comparator<MemberView> BY_ADDRESS =
      Comparator.comparing(
              (MemberView member) -> member.broadcast().address().getAddress(),
              Arrays::compareUnsigned)
          .thenComparing(member -> member.broadcast().port());

  private Addresses() {}

  /** An address, with its port if the options ask for it. */
  static String text(Endpoint endpoint, Invocation invocation) {
    return invocation.has("print-port") ? withPort(endpoint) : endpoint.address().getHostAddress();
  }

  /** An address with its port. */
  static String withPort(Endpoint endpoint) {
    String address = endpoint.address().getHostAddress();
    return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + endpoint.port();
  }

  /** Members in the order of their addresses. */
  static List<MemberView> sorted(List<MemberView> members) {
    List<MemberView> sorted = new ArrayList<>(members);
    sorted.sort(BY_ADDRESS);
    return sorted;
  }
}
