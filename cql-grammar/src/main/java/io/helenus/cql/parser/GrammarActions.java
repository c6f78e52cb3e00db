package io.helenus.cql.parser;

import io.helenus.cql.ast.BindMarker;
import io.helenus.cql.ast.Conditions;
import io.helenus.cql.ast.RoleStatement.Permission;
import io.helenus.cql.ast.RoleStatement.Resource;
import io.helenus.cql.ast.Term;
import io.helenus.cql.ast.TypeName;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenStream;
import org.jspecify.annotations.Nullable;

/**
 * The base class of the generated parser, with the methods that the grammar's actions call. Its
 * state, besides the statement, is the bind markers and the nesting depth of rules.
 */
abstract class GrammarActions extends Parser {
  /**
   * The maximum nesting of rules. The lexer bounds brackets; this bounds the rest: chains of
   * operators, nested types, and sequences of type hints and signs. A stack of half a megabyte
   * suffices, even for interpreted code, to parse such a statement and to traverse the result.
   */
  private static final int MAX_DEPTH = 1500;

  private static final int LEVELS_OF_ONE_OPERATOR = 4;

  /**
   * Limits the cost of backtracking. In realistic statements only a few tokens are parsed twice.
   */
  private static final int MAX_REPARSED_TOKENS = 100_000;

  /** Digits without an exponent up to this length are a finite double. */
  private static final int MAX_DIGITS_OF_FINITE_DOUBLE = 300;

  private static final String NOT_FINITE =
      "NumberFormatException Character I is neither a decimal digit number, decimal point, nor"
          + " \"e\" notation exponential mark.";

  private final List<BindMarker> markers = new ArrayList<>();

  /** For each marker, the index of the token after it. */
  private final List<Integer> markerEnds = new ArrayList<>();

  private final List<TypeName.Custom> customTypes = new ArrayList<>();

  /** For each custom type, the index of the token after it. */
  private final List<Integer> customTypeEnds = new ArrayList<>();

  private boolean inBatch;
  private int depth;
  private int reparsedTokens;

  GrammarActions(TokenStream input) {
    super(input);
  }

  // ------------------------------------------------------------------------------------------------------------------ matching

  @Override
  public Token match(int type) {
    Token token = getCurrentToken();
    if (token.getType() != type) {
      throw new UnexpectedToken(this, type);
    }
    consume();
    return token;
  }

  @Override
  public Token consume() {
    Token token = getCurrentToken();
    if (token.getType() != Token.EOF) {
      _input.consume();
    }
    return token;
  }

  @Override
  public void enterRule(ParserRuleContext context, int state, int rule) {
    super.enterRule(context, state, rule);
    deepen(levels(rule));
  }

  @Override
  public void exitRule() {
    depth -= levels(_ctx.getRuleIndex());
    super.exitRule();
  }

  /** The nesting depth. */
  int nesting() {
    return depth;
  }

  /** Returns to an earlier depth. */
  void nesting(int before) {
    depth = before;
  }

  /**
   * Adds a level of nesting and rejects the statement if there are too many. Each operator of a
   * chain counts as a level too: the tree of {@code 1 + 1 + 1} is as deep as the chain is long.
   */
  void deepen() {
    deepen(LEVELS_OF_ONE_OPERATOR);
  }

  /**
   * Rules that nest directly within themselves count for more, so that their result is no deeper
   * than that of brackets.
   */
  private static int levels(int rule) {
    return switch (rule) {
      case CqlGrammar.RULE_selectionGroup,
          CqlGrammar.RULE_selectorModifier,
          CqlGrammar.RULE_selectionTypeHint,
          CqlGrammar.RULE_simpleTerm,
          CqlGrammar.RULE_typeName ->
          LEVELS_OF_ONE_OPERATOR;
      default -> 1;
    };
  }

  private void deepen(int levels) {
    depth += levels;
    if (depth > MAX_DEPTH) {
      throw refusedHere("the statement is nested too deeply");
    }
  }

  private CqlSyntaxException refusedHere(String reason) {
    Token token = getCurrentToken();
    return CqlSyntaxException.syntax(
        "line %d:%d %s at input '%s'"
            .formatted(token.getLine(), token.getCharPositionInLine(), reason, token.getText()));
  }

  /** Records how far the reference looks ahead before it parses a part of a selection. */
  void looksAtSelection(int tokens) {
    ((LookaheadTokens) _input).stepsOver(tokens);
  }

  /**
   * Reads the token after the next one, as the reference does at the end of a term: what it cannot
   * read there is an error before those of what has been parsed.
   */
  void looksPastTerm() {
    Token ignored = _input.LT(2);
  }

  /**
   * Backtracks to a position to try another reading, and discards the markers and types after it.
   */
  void readAgain(int index) {
    reparsedTokens += _input.index() - index;
    if (reparsedTokens > MAX_REPARSED_TOKENS) {
      throw refusedHere("too many parts of the statement are ambiguous");
    }
    _input.seek(index);
    while (!markers.isEmpty() && markerEnds.getLast() > index) {
      markers.removeLast();
      markerEnds.removeLast();
    }
    while (!customTypes.isEmpty() && customTypeEnds.getLast() > index) {
      customTypes.removeLast();
      customTypeEnds.removeLast();
    }
  }

  /** Whether the token at an index is of a type. */
  boolean startsWith(int index, int type) {
    return _input.get(index).getType() == type;
  }

  // -------------------------------------------------------------------------------------------------------------------- texts

  static String text(Token token) {
    return token.getText();
  }

  static String folded(Token token) {
    return folded(token.getText());
  }

  static String folded(String word) {
    return word.toLowerCase(Locale.ROOT);
  }

  static <T> List<T> listOf(T first) {
    List<T> list = new ArrayList<>();
    list.add(first);
    return list;
  }

  /** Rejects the statement with a message that has no position. */
  static void refuse(String message) {
    throw CqlSyntaxException.syntax(message);
  }

  /**
   * Rejects the statement with the message of the reference when a Java exception aborts its parse;
   * does nothing if the reason is null.
   */
  void fail(@Nullable String reason) {
    if (reason != null) {
      throw failed(reason);
    }
  }

  /** The message of the reference when a Java exception aborts its parse. */
  CqlSyntaxException failed(String reason) {
    String statement = _input.getTokenSource() instanceof CqlLexer lexer ? lexer.text() : "";
    return CqlSyntaxException.syntax(
        "Failed parsing statement: [" + statement + "] reason: " + reason);
  }

  /**
   * A number with a fraction or exponent, which must be within the range of a double even where a
   * decimal is expected.
   */
  Term.Literal floatLiteral(Token token) {
    String text = token.getText();
    if (text.length() > MAX_DIGITS_OF_FINITE_DOUBLE
        || text.indexOf('e') >= 0
        || text.indexOf('E') >= 0) {
      requireDouble(text);
    }
    return new Term.Literal(Term.LiteralKind.FLOAT, text);
  }

  private void requireDouble(String text) {
    try {
      boolean zero = new BigDecimal(text).signum() == 0;
      if (!zero && Double.isInfinite(Double.parseDouble(text))) {
        throw failed(NOT_FINITE);
      }
    } catch (NumberFormatException e) {
      throw failed("NumberFormatException " + e.getMessage());
    }
  }

  int dimension(Token digits) {
    try {
      return Integer.parseInt(digits.getText());
    } catch (NumberFormatException e) {
      throw notANumber(digits);
    }
  }

  Long longValue(Token digits) {
    try {
      return Long.valueOf(digits.getText());
    } catch (NumberFormatException e) {
      throw notANumber(digits);
    }
  }

  private CqlSyntaxException notANumber(Token digits) {
    return failed("NumberFormatException For input string: \"" + digits.getText() + "\"");
  }

  // ------------------------------------------------------------------------------------------------------------------ markers

  BindMarker marker(@Nullable String name) {
    BindMarker marker = new BindMarker(markers.size(), name);
    markers.add(marker);
    markerEnds.add(_input.index());
    return marker;
  }

  void beginBatch() {
    inBatch = true;
  }

  /** All markers so far. */
  List<BindMarker> bindMarkers() {
    return markers;
  }

  /** The markers of a modification; those of a batch are listed by the batch. */
  List<BindMarker> ownMarkers() {
    return inBatch ? List.of() : markers;
  }

  // --------------------------------------------------------------------------------------------------------- parts of statements

  static Conditions insertConditions(boolean ifNotExists) {
    return ifNotExists ? new Conditions.NotExists() : new Conditions.None();
  }

  TypeName customType(Token className) {
    TypeName.Custom type = new TypeName.Custom(text(className));
    customTypes.add(type);
    customTypeEnds.add(_input.index());
    return type;
  }

  /** The types named by a class so far. */
  List<TypeName.Custom> customTypes() {
    return customTypes;
  }

  static TypeName frozen(TypeName inner) {
    switch (inner) {
      case TypeName.Native _, TypeName.Custom _ ->
          refuse(
              "frozen<> is only allowed on collections, tuples, and user-defined types (got "
                  + inner
                  + ")");
      case TypeName.ListOf _,
          TypeName.SetOf _,
          TypeName.MapOf _,
          TypeName.TupleOf _,
          TypeName.VectorOf _,
          TypeName.Frozen _,
          TypeName.UserDefined _ -> {
        return new TypeName.Frozen(inner);
      }
    }
    throw new IllegalStateException("unreachable");
  }

  /**
   * An unquoted name of a user type; some words are reserved for future types, in lower case only.
   */
  static String userTypeNameOf(Token token) {
    switch (token.getText()) {
      case "byte", "complex", "enum", "date", "interval", "macaddr", "bitstring" ->
          refuse("Invalid (reserved) user type name " + token.getText());
      default -> {}
    }
    return folded(token);
  }

  /** The texts of a map of constants. */
  static Map<String, String> propertyMap(List<Term.MapLiteral.Entry> entries) {
    Map<String, String> map = new LinkedHashMap<>();
    for (Term.MapLiteral.Entry entry : entries) {
      if (!(entry.key() instanceof Term.Literal key)) {
        throw notConstant("Invalid property name: " + entry.key(), entry.key());
      }
      if (!(entry.value() instanceof Term.Literal value)) {
        throw notConstant(
            "Invalid property value: " + entry.value() + " for property: " + entry.key(),
            entry.value());
      }
      if (map.put(key.text(), value.text()) != null) {
        refuse("Multiple definition for property " + key.text());
      }
    }
    return map;
  }

  private static CqlSyntaxException notConstant(String message, Term term) {
    return CqlSyntaxException.syntax(
        term instanceof BindMarker
            ? message + " (bind variables are not supported in DDL queries)"
            : message);
  }

  /** Whether the next token is INDEXES, which is not a keyword. */
  boolean isIndexes() {
    return _input.LT(1).getText().equalsIgnoreCase("indexes");
  }

  /** Whether the next token is ANALYZE, which is not a keyword. */
  boolean isAnalyze() {
    return _input.LT(1).getText().equalsIgnoreCase("analyze");
  }

  // -------------------------------------------------------------------------------------------------------------- permissions

  static Set<Permission> noPermissions() {
    return EnumSet.noneOf(Permission.class);
  }

  static Set<Permission> allPermissions() {
    return EnumSet.allOf(Permission.class);
  }

  static Permission permissionOf(Token token) {
    return Permission.valueOf(token.getText().toUpperCase(Locale.ROOT));
  }

  /** The permissions that apply to the resource; fails if none does. */
  static Set<Permission> applicable(Set<Permission> permissions, Resource resource) {
    return ResourcePermissions.applicable(permissions, resource);
  }

  static Resource bean(String objectName, boolean pattern) {
    return ResourcePermissions.bean(objectName, pattern);
  }
}
