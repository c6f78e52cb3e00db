package io.helenus.server.functions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.helenus.server.functions.OperationFunctions.Operator;
import io.helenus.server.types.ScalarType;
import org.junit.jupiter.api.Test;

class ArithmeticTest {
  /**
   * The compiler replaces exceptions that the virtual machine raises often by one without a
   * message.
   */
  @Test
  void divisionsByZeroKeepTheirMessageHoweverOftenTheyFail() {
    for (int i = 0; i < 200_000; i++) {
      Operator operator = i % 2 == 0 ? Operator.DIVIDE : Operator.MODULO;
      ArithmeticException e =
          assertThrows(
              ArithmeticException.class,
              () -> Arithmetic.apply(operator, ScalarType.BIGINT, 5L, 0L));
      assertEquals("/ by zero", e.getMessage());
    }
  }
}
