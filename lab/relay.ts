import { createConnection, createServer } from "node:net";

/* Arguments: where to listen and where to forward to; each is a socket's path, `address:port`, `[IPv6]:port`, or a port on the loopback. */
const place = (text = "") => {
  const [, v4, v6, port] = /^(?:([\d.]+):|\[([\da-f:]+)\]:)?(\d+)$/.exec(text) ?? [];
  return port === undefined ? { path: text } : { port: Number(port), host: v4 ?? v6 ?? "127.0.0.1" };
};
const [listenAt, passTo] = process.argv.slice(2).map(place);
if (listenAt === undefined || passTo === undefined) throw new Error("two places are needed");

createServer((outer) => {
  const inner = createConnection(passTo);
  outer.pipe(inner).pipe(outer);
  outer.on("error", () => inner.destroy()).on("close", () => inner.destroy());
  inner.on("error", () => outer.destroy()).on("close", () => outer.destroy());
}).listen(listenAt, () => console.log("listening"));
