package io.helenus.docker.spring.items;

import org.springframework.data.annotation.Id;
import org.springframework.data.cassandra.core.mapping.Table;

/** A row of shop.items. */
@Table("items")
public record Item(@Id int id, String name) {}
