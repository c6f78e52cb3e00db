package io.helenus.server.advice;

import io.helenus.cql.ast.CqlNames;
import io.helenus.server.schema.ColumnSchema;
import io.helenus.server.schema.TableSchema;
import io.helenus.server.types.CollectionType;
import io.helenus.server.types.CqlType;
import io.helenus.server.types.ScalarType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Whole files as values: each is written, read and compacted in one piece. */
final class LargeBlob implements Rule {
  private static final long FILE_BYTES = 5_000_000;
  private static final int CHUNK_BYTES = 500_000;

  private static final Set<String> FILES =
      Set.of(
          "file",
          "files",
          "image",
          "images",
          "video",
          "videos",
          "attachment",
          "attachments",
          "pdf",
          "pdfs",
          "content",
          "contents",
          "photo",
          "photos",
          "picture",
          "pictures",
          "document",
          "documents",
          "media",
          "audio",
          "recording",
          "movie",
          "archive",
          "upload",
          "scan");

  /** What a file is after, as last word of its column. */
  private static final Set<String> CONTENT =
      Set.of("data", "bytes", "content", "blob", "body", "binary", "base64");

  private static final Set<String> PIECE =
      Set.of("chunk", "block", "part", "piece", "segment", "offset", "page", "fragment", "slice");

  @Override
  public String name() {
    return "large-blob";
  }

  @Override
  public void judge(Review review) {
    TableSchema table = review.table();
    if (review.isView() || isInPieces(table)) {
      return;
    }
    for (ColumnSchema column : table.columns()) {
      if (!column.isPrimaryKey() && isFile(column)) {
        review.found(this, column.name(), problem(table, column), instead(review, column));
      }
    }
  }

  private static boolean isInPieces(TableSchema table) {
    return Stream.concat(table.partitionKey().stream(), table.clusteringColumns().stream())
        .anyMatch(each -> Traits.words(each).hasAny(PIECE));
  }

  private static boolean isFile(ColumnSchema column) {
    ColumnWords words = Traits.words(column);
    if (hasBlobs(column.type())) {
      return words.endsWith(FILES) || words.hasAny(FILES) && words.endsWith(CONTENT);
    }
    return column.type() == ScalarType.TEXT
        && words.hasAny(FILES)
        && words.hasAny(Set.of("base64"));
  }

  private static boolean hasBlobs(CqlType type) {
    return type == ScalarType.BLOB
        || type instanceof CollectionType collection
            && collection.parts().contains(ScalarType.BLOB);
  }

  private static String problem(TableSchema table, ColumnSchema column) {
    String text =
        column.name()
            + " of "
            + table.cqlName()
            + " has whole files as values. A value is sent, written, read and compacted in one"
            + " piece: a page of 100 rows with files of "
            + Growth.size(FILE_BYTES)
            + " is "
            + Growth.size(100.0 * FILE_BYTES)
            + " in the memory of the node and of the client, and a write of more than 16 MB is"
            + " refused.";
    if (!table.clusteringColumns().isEmpty()) {
      text +=
          " A partition passes 100 MB with its " + (Growth.MOST_BYTES / FILE_BYTES + 1) + "st row.";
    }
    return text
        + " Keep files in a store of objects and their address here, or in pieces of "
        + Growth.size(CHUNK_BYTES)
        + ".";
  }

  private static String instead(Review review, ColumnSchema column) {
    TableSchema table = review.table();
    String name = SecondTable.name(review.keyspace(), table, column.name() + "_chunks");
    Draft draft = Draft.of(table).named(name);
    for (ColumnSchema each : table.columns()) {
      if (!each.isPrimaryKey()) {
        draft.without(each.name());
      }
    }
    List<String> key = new ArrayList<>();
    table.partitionKey().forEach(each -> key.add(each.name()));
    for (ColumnSchema each : table.clusteringColumns()) {
      if (column.isStatic()) {
        draft.without(each.name());
      } else {
        key.add(each.name());
      }
    }
    key.add("chunk");
    return draft
            .with("chunk", "int")
            .with("bytes", "blob")
            .partitionedBy(key)
            .clusteredBy(List.of())
            .toCql()
        + " ALTER TABLE "
        + table.cqlName()
        + " DROP "
        + CqlNames.quoted(column.name())
        + ";";
  }
}
