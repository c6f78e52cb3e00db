package io.helenus.cql.parser;

import io.helenus.cql.ast.Operator;
import io.helenus.cql.ast.SchemaStatement.ColumnCheck;
import io.helenus.cql.ast.SchemaStatement.ColumnDefinition;
import io.helenus.cql.ast.Statement;
import io.helenus.cql.ast.TableStatement;
import io.helenus.cql.ast.TableStatement.Alteration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.antlr.v4.runtime.CommonToken;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/**
 * Parses the column constraints of Cassandra 6 in CREATE TABLE and ALTER TABLE. They are not part
 * of the grammar, whose error messages are those of Cassandra 5.0: this class takes them out of the
 * tokens, lets the grammar parse the rest and adds them to its columns. One statement that the
 * grammar alone rejects.
 *
 * <pre>
 * column type [STATIC] [NOT NULL] [mask] [CHECK condition (AND condition)*]   in CREATE TABLE; in ADD without NOT NULL
 * ALTER [IF EXISTS] column (CHECK condition (AND condition)* | DROP CHECK)
 * condition: NOT NULL | function '(' [strings] ')' [operator constant] | column operator constant | function
 * </pre>
 */
final class ColumnCheckParser {
  private final List<Token> tokens = new ArrayList<>();
  private final List<Token> kept = new ArrayList<>();
  private final Map<String, List<ColumnCheck>> checks = new HashMap<>();
  private int position;

  private ColumnCheckParser(String text) {
    CqlLexer lexer = new CqlLexer(text);
    Token token;
    do {
      token = lexer.nextToken();
      if (token.getChannel() == Token.DEFAULT_CHANNEL) {
        tokens.add(token);
      }
    } while (token.getType() != Token.EOF);
  }

  /** Ends the parse: the statement has no well-formed constraints. */
  private static final class NoChecksException extends Exception {
    private static final long serialVersionUID = 1L;

    NoChecksException() {
      super("", null, false, false);
    }
  }

  /**
   * Parses a statement.
   *
   * @param grammar parses the tokens without constraints
   * @return null if this is not a statement with well-formed constraints
   * @throws CqlSyntaxException if the constraints, or the rest, are invalid for another reason
   */
  static @Nullable Statement parse(
      String text, Function<List<Token>, @Nullable Statement> grammar) {
    ColumnCheckParser parser;
    try {
      parser = new ColumnCheckParser(text);
    } catch (CqlSyntaxException e) {
      // Not a token; the grammar may have found another mistake before it.
      return null;
    }
    return parser.parse(grammar);
  }

  private @Nullable Statement parse(Function<List<Token>, @Nullable Statement> grammar) {
    if (tokens.size() < 2 || tokens.get(1).getType() != CqlGrammar.K_COLUMNFAMILY) {
      return null;
    }
    try {
      return switch (tokens.getFirst().getType()) {
        case CqlGrammar.K_CREATE -> create(grammar);
        case CqlGrammar.K_ALTER -> alter(grammar);
        default -> null;
      };
    } catch (NoChecksException e) {
      return null;
    }
  }

  private @Nullable Statement create(Function<List<Token>, @Nullable Statement> grammar)
      throws NoChecksException {
    while (type(0) != CqlGrammar.PARENTHESIS) {
      keep();
    }
    keepColumns(true);
    keepRest();
    return checks.isEmpty()
            || !(grammar.apply(kept)
                instanceof
                TableStatement.CreateTable(
                    var table,
                    boolean ifNotExists,
                    List<ColumnDefinition> columns,
                    var partitionKey,
                    var clusteringColumns,
                    var clusteringOrder,
                    boolean compactStorage,
                    var properties))
        ? null
        : new TableStatement.CreateTable(
            table,
            ifNotExists,
            checked(columns),
            partitionKey,
            clusteringColumns,
            clusteringOrder,
            compactStorage,
            properties);
  }

  private @Nullable Statement alter(Function<List<Token>, @Nullable Statement> grammar)
      throws NoChecksException {
    keep();
    keep();
    keepCondition(2);
    while (type(0) != CqlGrammar.K_ADD && type(0) != CqlGrammar.K_ALTER) {
      keep();
    }
    return type(0) == CqlGrammar.K_ADD ? add(grammar) : alterColumn(grammar);
  }

  private @Nullable Statement add(Function<List<Token>, @Nullable Statement> grammar)
      throws NoChecksException {
    keep();
    keepCondition(3);
    if (type(0) == CqlGrammar.PARENTHESIS) {
      keepColumns(false);
    } else {
      keepColumn(false);
    }
    keepRest();
    return checks.isEmpty()
            || !(grammar.apply(kept)
                instanceof
                TableStatement.AlterTable(
                    var table,
                    boolean ifExists,
                    Alteration.Add(boolean ifColumn, List<ColumnDefinition> columns)))
        ? null
        : new TableStatement.AlterTable(
            table, ifExists, new Alteration.Add(ifColumn, checked(columns)));
  }

  /** The grammar parses DROP MASKED instead of the constraints. */
  private @Nullable Statement alterColumn(Function<List<Token>, @Nullable Statement> grammar)
      throws NoChecksException {
    keep();
    keepCondition(2);
    String column = name(0);
    keep();
    List<ColumnCheck> found = new ArrayList<>();
    if (type(0) == CqlGrammar.K_DROP && isCheck(1)) {
      position += 2;
    } else if (isCheck(0)) {
      addChecks(found);
    } else {
      return null;
    }
    addKept(CqlGrammar.K_DROP, "DROP");
    addKept(CqlGrammar.K_MASKED, "MASKED");
    keepRest();
    return grammar.apply(kept)
            instanceof
            TableStatement.AlterTable(
                var table,
                boolean ifExists,
                Alteration.Mask(String _, boolean ifColumn, var _))
        ? new TableStatement.AlterTable(
            table, ifExists, new Alteration.Check(column, ifColumn, found))
        : null;
  }

  private void addKept(int type, String text) {
    kept.add(new CommonToken(type, text));
  }

  /** Keeps IF EXISTS or IF NOT EXISTS, of this many tokens, if it is present. */
  private void keepCondition(int length) throws NoChecksException {
    if (type(0) == CqlGrammar.K_IF) {
      for (int i = 0; i < length; i++) {
        keep();
      }
    }
  }

  private List<ColumnDefinition> checked(List<ColumnDefinition> columns) {
    return columns.stream()
        .map(
            column ->
                new ColumnDefinition(
                    column.name(),
                    column.type(),
                    column.isStatic(),
                    column.mask(),
                    checks.getOrDefault(column.name(), List.of())))
        .toList();
  }

  // ---- the columns

  /** Keeps {@code ( column, … )} without the constraints. */
  private void keepColumns(boolean creates) throws NoChecksException {
    keep();
    while (type(0) != CqlGrammar.CLOSING_PARENTHESIS) {
      if (type(0) == CqlGrammar.COMMA) {
        keep();
      } else {
        keepColumn(creates);
      }
    }
    keep();
  }

  /** Keeps a column without its constraints, up to the next comma or closing parenthesis. */
  private void keepColumn(boolean creates) throws NoChecksException {
    boolean primaryKey = type(0) == CqlGrammar.K_PRIMARY && type(2) == CqlGrammar.PARENTHESIS;
    String column = name(0);
    keep();
    List<ColumnCheck> found = new ArrayList<>();
    if (!primaryKey) {
      keep();
    }
    int depth = 0;
    while (depth > 0 || !endsColumn()) {
      switch (type(0)) {
        case CqlGrammar.LESS, CqlGrammar.PARENTHESIS -> depth++;
        case CqlGrammar.GREATER, CqlGrammar.CLOSING_PARENTHESIS -> depth--;
        default -> {}
      }
      if (depth == 0 && creates && type(0) == CqlGrammar.K_NOT && type(1) == CqlGrammar.K_NULL) {
        position += 2;
        found.add(new ColumnCheck.NotNull());
      } else if (depth == 0 && isCheck(0) && kept.getLast().getType() != CqlGrammar.DOT) {
        boolean notNull = !found.isEmpty();
        addChecks(found);
        if (notNull && found.lastIndexOf(found.getFirst()) > 0) {
          throw CqlSyntaxException.invalid("Duplicate definition of NOT NULL constraint");
        }
      } else {
        keep();
      }
    }
    if (!found.isEmpty()) {
      checks.put(column, found);
    }
  }

  private boolean endsColumn() throws NoChecksException {
    return type(0) == CqlGrammar.COMMA
        || type(0) == CqlGrammar.CLOSING_PARENTHESIS
        || type(0) == CqlGrammar.SEMICOLON
        || type(0) == Token.EOF;
  }

  private void keep() throws NoChecksException {
    if (type(0) == Token.EOF) {
      throw new NoChecksException();
    }
    kept.add(tokens.get(position));
    position++;
  }

  private void keepRest() {
    kept.addAll(tokens.subList(position, tokens.size()));
  }

  // ---- the constraints

  private boolean isCheck(int offset) throws NoChecksException {
    return type(offset) == CqlGrammar.IDENT && text(offset).equalsIgnoreCase("check");
  }

  /** Reads {@code CHECK condition (AND condition)*}. */
  private void addChecks(List<ColumnCheck> found) throws NoChecksException {
    do {
      position++;
      ColumnCheck condition = condition();
      found.add(condition);
    } while (type(0) == CqlGrammar.K_AND);
  }

  private ColumnCheck condition() throws NoChecksException {
    if (type(0) == CqlGrammar.K_NOT && type(1) == CqlGrammar.K_NULL) {
      position += 2;
      return new ColumnCheck.NotNull();
    }
    String name = name(0);
    position++;
    if (type(0) == CqlGrammar.PARENTHESIS) {
      List<String> arguments = arguments();
      Operator operator = operator();
      return new ColumnCheck.OfFunction(
          name, arguments, operator, operator == null ? null : constant());
    }
    Operator operator = operator();
    return operator == null
        ? new ColumnCheck.OfFunction(name, List.of(), null, null)
        : new ColumnCheck.OfValue(name, operator, constant());
  }

  private List<String> arguments() throws NoChecksException {
    List<String> arguments = new ArrayList<>();
    do {
      position++;
      if (arguments.isEmpty() && type(0) == CqlGrammar.CLOSING_PARENTHESIS) {
        break;
      }
      if (type(0) != CqlGrammar.STRING_LITERAL) {
        throw CqlSyntaxException.syntax("Constraint function parameters need to be strings.");
      }
      arguments.add(constant());
    } while (type(0) == CqlGrammar.COMMA);
    if (type(0) != CqlGrammar.CLOSING_PARENTHESIS) {
      throw new NoChecksException();
    }
    position++;
    return arguments;
  }

  /** The operator at the position, which is then behind it; null if there is none. */
  private @Nullable Operator operator() throws NoChecksException {
    Operator found =
        switch (type(0)) {
          case CqlGrammar.EQUALS -> Operator.EQ;
          case CqlGrammar.NOT_EQUALS -> Operator.NEQ;
          case CqlGrammar.LESS -> Operator.LT;
          case CqlGrammar.LESS_EQUALS -> Operator.LTE;
          case CqlGrammar.GREATER -> Operator.GT;
          case CqlGrammar.GREATER_EQUALS -> Operator.GTE;
          default -> null;
        };
    if (found != null) {
      position++;
    }
    return found;
  }

  private String constant() throws NoChecksException {
    String text =
        switch (type(0)) {
          case CqlGrammar.STRING_LITERAL -> "'" + text(0) + "'";
          case CqlGrammar.INTEGER,
              CqlGrammar.FLOAT,
              CqlGrammar.BOOLEAN,
              CqlGrammar.DURATION,
              CqlGrammar.UUID,
              CqlGrammar.HEXNUMBER ->
              text(0);
          default -> throw new NoChecksException();
        };
    position++;
    return text;
  }

  private String name(int offset) throws NoChecksException {
    if (type(offset) == CqlGrammar.QUOTED_NAME) {
      return text(offset);
    }
    if (type(offset) == CqlGrammar.IDENT || Keywords.isKeyword(type(offset))) {
      return GrammarActions.folded(text(offset));
    }
    throw new NoChecksException();
  }

  private int type(int offset) throws NoChecksException {
    if (position + offset >= tokens.size()) {
      throw new NoChecksException();
    }
    return tokens.get(position + offset).getType();
  }

  private String text(int offset) {
    return tokens.get(position + offset).getText();
  }
}
