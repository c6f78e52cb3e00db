package io.helenus.docker.spring.items;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application, as Spring Boot's generator makes it. */
@SpringBootApplication
public class ItemsApplication {}
