package io.helenus.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** An example for Kubernetes, and the pods of its StatefulSet in documents that Podman takes. */
final class PodExample {
  private final String text;

  /** Reads the example of this name. */
  PodExample(String file) throws IOException {
    text = Files.readString(Path.of(file));
  }

  /** What the document of this kind and name specifies; a copy. */
  Map<String, Object> spec(String kind, String name) {
    Iterable<Object> documents = new Load(LoadSettings.builder().build()).loadAllFromString(text);
    return StreamSupport.stream(documents.spliterator(), false)
        .map(PodExample::map)
        .filter(document -> document.get("kind").equals(kind))
        .filter(document -> map(document.get("metadata")).get("name").equals(name))
        .map(document -> map(document.get("spec")))
        .findFirst()
        .orElseThrow();
  }

  /** What the StatefulSet specifies; a copy. */
  Map<String, Object> set() {
    return spec("StatefulSet", "helenus");
  }

  private static Map<String, Object> podOf(Map<String, Object> set) {
    return map(map(set.get("template")).get("spec"));
  }

  private static Map<String, Object> containerOf(Map<String, Object> pod) {
    return map(list(pod.get("containers")).getFirst());
  }

  /** The addresses of the probes, which are all for HTTP, as seen in the container. */
  Set<String> probes() {
    Map<String, Object> container = containerOf(podOf(set()));
    Map<Object, Object> ports = new HashMap<>();
    for (Object port : list(container.get("ports"))) {
      ports.put(map(port).get("name"), map(port).get("containerPort"));
    }
    Set<String> addresses = new TreeSet<>();
    for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      Map<String, Object> request = map(map(container.get(probe)).get("httpGet"));
      Object port = Objects.requireNonNull(ports.get(request.get("port")));
      addresses.add("http://localhost:" + port + request.get("path"));
    }
    return addresses;
  }

  /** The claim of a pod's volume, under the name of the pod. */
  String claim(String name) {
    Map<String, Object> claim = map(list(set().get("volumeClaimTemplates")).getFirst());
    return document("PersistentVolumeClaim", name, claim.get("spec"));
  }

  /**
   * A pod with the image under test and this name of its machine, which uses the claim with the
   * pod's name.
   */
  String pod(String name, String hostname) {
    Map<String, Object> pod = podOf(set());
    pod.put("hostname", hostname);
    Map<String, Object> container = containerOf(pod);
    container.put("image", TestImage.NAME);
    container.remove("ports"); // Podman would publish them
    for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      container.remove(probe); // Podman would run curl in the container
    }
    for (Object mount : list(container.get("volumeMounts"))) {
      map(mount).computeIfPresent("name", (_, volume) -> own(volume, name));
    }
    List<Object> volumes = list(pod.get("volumes"));
    for (Object volume : volumes) {
      map(volume).computeIfPresent("name", (_, volumeName) -> own(volumeName, name));
    }
    volumes.add(
        Map.of("name", own("data", name), "persistentVolumeClaim", Map.of("claimName", name)));
    return document("Pod", name, pod);
  }

  /** The name of a volume of this pod alone: to Podman, emptyDir is a volume of that name. */
  private static String own(Object volume, String pod) {
    return pod + "-" + volume;
  }

  private static String document(String kind, String name, Object spec) {
    return new Dump(DumpSettings.builder().build())
        .dumpToString(
            Map.of(
                "apiVersion", "v1", "kind", kind, "metadata", Map.of("name", name), "spec", spec));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Object value) {
    return (List<Object>) value;
  }
}
