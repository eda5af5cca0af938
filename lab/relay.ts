import { createConnection, createServer } from "node:net";

/* Arguments: the path of a socket to listen at, the TCP port of this machine's loopback to pass it on to. */
const [path = "", port = ""] = process.argv.slice(2);

createServer((outer) => {
  const inner = createConnection(Number(port), "127.0.0.1");
  outer.pipe(inner).pipe(outer);
  outer.on("error", () => inner.destroy()).on("close", () => inner.destroy());
  inner.on("error", () => outer.destroy()).on("close", () => outer.destroy());
}).listen(path, () => console.log("listening"));
