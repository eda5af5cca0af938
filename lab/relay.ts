import { createConnection, createServer } from "node:net";

/* Arguments: where to listen and where to forward to; each is a socket's path, or a TCP port on this machine's loopback. */
const place = (text = "") => (/^\d+$/.test(text) ? { port: Number(text), host: "127.0.0.1" } : { path: text });
const [listenAt, passTo] = process.argv.slice(2).map(place);
if (listenAt === undefined || passTo === undefined) throw new Error("two places are needed");

createServer((outer) => {
  const inner = createConnection(passTo);
  outer.pipe(inner).pipe(outer);
  outer.on("error", () => inner.destroy()).on("close", () => inner.destroy());
  inner.on("error", () => outer.destroy()).on("close", () => outer.destroy());
}).listen(listenAt, () => console.log("listening"));
