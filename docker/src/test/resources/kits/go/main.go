// Starts the image as Go applications' tests do: kit IMAGE SCRIPT
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	gocql "github.com/apache/cassandra-gocql-driver/v2"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/modules/cassandra"
)

func main() {
	name, err := firstItem(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(name)
}

// firstItem reads the name of the item 1, which the script has created.
func firstItem(image, script string) (name string, err error) {
	ctx := context.Background()
	container, err := cassandra.Run(ctx, image, cassandra.WithInitScripts(script))
	defer testcontainers.TerminateContainer(container)
	if err != nil {
		return "", err
	}
	address, err := container.ConnectionHost(ctx)
	if err != nil {
		return "", err
	}
	session, err := gocql.NewCluster(address).CreateSession()
	if err != nil {
		return "", err
	}
	defer session.Close()
	err = session.Query("SELECT name FROM shop.items WHERE id = 1").Scan(&name)
	return name, err
}
