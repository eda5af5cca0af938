import { createSocket } from "node:dgram";
import { createServer } from "node:http";

/* Arguments: name, TCP ports, UDP ports (each a list with commas). */
const [name = "", tcp = "", udp = ""] = process.argv.slice(2);
const ports = (list: string) => list.split(",").filter(Boolean).map(Number);

await Promise.all([
  ...ports(tcp).map((port) => {
    const server = createServer((request, response) => {
      // A body as long as asked for, so that a test can send traffic that counters must show.
      const length = Number(new URL(request.url ?? "/", "http://here").searchParams.get("bytes") ?? 0);
      // Answers when all of an upload has come.
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
