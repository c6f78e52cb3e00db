package io.helenus.clients.mapper;

import com.datastax.oss.driver.api.mapper.annotations.Entity;

/** Where an order goes: a user type. */
@Entity
public record Address(String street, int zip) {}
