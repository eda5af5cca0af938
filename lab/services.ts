import { createSocket } from "node:dgram";
import { createServer } from "node:http";

/* Arguments: name, TCP ports, UDP ports (each a comma-separated list). */
const [name = "", tcp = "", udp = ""] = process.argv.slice(2);
const ports = (list: string) => list.split(",").filter(Boolean).map(Number);

await Promise.all([
  ...ports(tcp).map((port) => {
    const server = createServer((request, response) => {
      // A body of the requested length, so a test can send traffic that counters must show.
      const length = Number(new URL(request.url ?? "/", "http://here").searchParams.get("bytes") ?? 0);
      // Answers once the whole upload has arrived.
      request.resume().once("end", () => {
        response.end(`${name} sees ${request.socket.remoteAddress}\n${"x".repeat(length)}`);
      });
    });
    return new Promise<void>((resolve) => server.listen(port, "::", resolve));
  }),
  ...ports(udp).map((port) => {
    const socket = createSocket("udp4");
    socket.on("message", (message, from) => socket.send(message, from.port, from.address));
    return new Promise<void>((resolve) => socket.bind(port, resolve));
  }),
]);
console.log("listening");
