package io.helenus.cql.parser;

import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.Term.LiteralKind;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Parses a literal of a collection, a vector or a user type whose elements are constants, null or
 * other such literals. It builds the terms that the grammar builds, and refuses whatever is rare:
 * the grammar parses that. One per literal.
 */
final class CompositeLiteral {
  private static final int MAX_DEPTH = 16;
  private static final int MAX_FLOAT_LENGTH = 64;

  private final CqlLexer lexer;
  private Token next;
  private int depth;

  private CompositeLiteral(String text) {
    this.lexer = new CqlLexer(text);
    this.next = lexer.nextToken();
  }

  /** Returns the term; null if it has to be left to the grammar. */
  static @Nullable Term parse(String text) {
    try {
      CompositeLiteral literal = new CompositeLiteral(text);
      Term term = literal.value();
      return literal.next.getType() == Token.EOF ? term : null;
    } catch (CqlSyntaxException e) {
      return null;
    }
  }

  private void advance() {
    do {
      next = lexer.nextToken();
    } while (next.getChannel() != Token.DEFAULT_CHANNEL);
  }

  private boolean skips(int type) {
    boolean found = next.getType() == type;
    if (found) {
      advance();
    }
    return found;
  }

  private @Nullable Term value() {
    return switch (next.getType()) {
      case CqlGrammar.STRING_LITERAL -> constant(LiteralKind.STRING);
      case CqlGrammar.INTEGER -> constant(LiteralKind.INTEGER);
      case CqlGrammar.FLOAT -> isShortFloat() ? constant(LiteralKind.FLOAT) : null;
      case CqlGrammar.BOOLEAN -> constant(LiteralKind.BOOLEAN);
      case CqlGrammar.DURATION -> constant(LiteralKind.DURATION);
      case CqlGrammar.UUID -> constant(LiteralKind.UUID);
      case CqlGrammar.HEXNUMBER -> constant(LiteralKind.HEX);
      case CqlGrammar.K_NULL -> {
        advance();
        yield new Term.Null();
      }
      case CqlGrammar.BRACKET, CqlGrammar.BRACE, CqlGrammar.PARENTHESIS -> nested();
      default -> null;
    };
  }

  private Term constant(LiteralKind kind) {
    Term.Literal literal = new Term.Literal(kind, next.getText());
    advance();
    return literal;
  }

  /** Whether the grammar would not have to check that the number is finite. */
  private boolean isShortFloat() {
    String text = next.getText();
    return text.length() <= MAX_FLOAT_LENGTH && text.indexOf('e') < 0 && text.indexOf('E') < 0;
  }

  private @Nullable Term nested() {
    if (++depth > MAX_DEPTH) {
      return null;
    }
    int opening = next.getType();
    advance();
    Term term =
        switch (opening) {
          case CqlGrammar.BRACKET -> list();
          case CqlGrammar.BRACE -> setOrMapOrUserType();
          default -> tuple();
        };
    depth--;
    return term;
  }

  private @Nullable Term list() {
    if (skips(CqlGrammar.CLOSING_BRACKET)) {
      return new Term.ListLiteral(List.of());
    }
    List<Term> elements = elements(new ArrayList<>(), CqlGrammar.CLOSING_BRACKET);
    return elements == null ? null : new Term.ListLiteral(elements);
  }

  private @Nullable Term tuple() {
    List<Term> elements = elements(new ArrayList<>(), CqlGrammar.CLOSING_PARENTHESIS);
    return elements == null ? null : new Term.TupleLiteral(elements);
  }

  /** Adds elements up to a closing bracket; null if one has to be left to the grammar. */
  private @Nullable List<Term> elements(List<Term> elements, int closing) {
    do {
      Term element = value();
      if (element == null) {
        return null;
      }
      elements.add(element);
    } while (skips(CqlGrammar.COMMA));
    return skips(closing) ? elements : null;
  }

  private @Nullable Term setOrMapOrUserType() {
    if (skips(CqlGrammar.CLOSING_BRACE)) {
      return new Term.SetLiteral(List.of());
    }
    if (next.getType() == CqlGrammar.IDENT) {
      return userType();
    }
    Term first = value();
    if (first == null) {
      return null;
    }
    if (skips(CqlGrammar.COLON)) {
      return map(first);
    }
    List<Term> elements = new ArrayList<>();
    elements.add(first);
    if (skips(CqlGrammar.CLOSING_BRACE)) {
      return new Term.SetLiteral(elements);
    }
    return skips(CqlGrammar.COMMA) && elements(elements, CqlGrammar.CLOSING_BRACE) != null
        ? new Term.SetLiteral(elements)
        : null;
  }

  private @Nullable Term map(Term firstKey) {
    List<Term.MapLiteral.Entry> entries = new ArrayList<>();
    Term key = firstKey;
    while (true) {
      Term value = value();
      if (key == null || value == null) {
        return null;
      }
      entries.add(new Term.MapLiteral.Entry(key, value));
      if (!skips(CqlGrammar.COMMA)) {
        return skips(CqlGrammar.CLOSING_BRACE) ? new Term.MapLiteral(entries) : null;
      }
      key = value();
      if (!skips(CqlGrammar.COLON)) {
        return null;
      }
    }
  }

  private @Nullable Term userType() {
    List<Term.UserTypeLiteral.Field> fields = new ArrayList<>();
    do {
      String name = GrammarActions.folded(next.getText());
      if (!skips(CqlGrammar.IDENT) || !skips(CqlGrammar.COLON)) {
        return null;
      }
      Term value = value();
      if (value == null) {
        return null;
      }
      fields.add(new Term.UserTypeLiteral.Field(name, value));
    } while (skips(CqlGrammar.COMMA));
    return skips(CqlGrammar.CLOSING_BRACE) ? new Term.UserTypeLiteral(fields) : null;
  }
}
