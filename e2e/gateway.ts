import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

export type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** When new workers take over: at once, when a page asks for it, or when every page of the old one is closed. */
const UPGRADED_WORKERS = {
  eager: (text: string) => text,
  patient: (text: string) => text.replace("await skipWaiting()", ""),
  deaf: (text: string) => text.replaceAll("skipWaiting()", "true"),
};

/** Runs in front of a panel, which behind it may be down, hang, or have been upgraded. */
export async function openGateway(panelUrl: string) {
  const gateway = {
    state: "up" as "up" | "down" | "hanging" | "upgraded",
    /** Files that an upgrade has replaced. */
    isFileGone: (_path: string) => false,
    isModuleRefused: (_path: string) => false,
    /** How many of the next requests for the worker fail. */
    workersRefused: 0,
    worker: "eager" as keyof typeof UPGRADED_WORKERS,
    /** Only a new worker requests the page's file. */
    installTakesMs: 0,
  };
  const target = new URL(panelUrl);
  const server: Server = createServer(async (incoming, outgoing) => {
    if (incoming.url === "/dashboard.html") await wait(gateway.installTakesMs);
    if (gateway.state === "hanging") return;
    if (gateway.state === "down") return void outgoing.writeHead(502).end("Bad Gateway");
    const { url: path = "/", method, headers } = incoming;
    const isModule = headers["sec-fetch-dest"] === "script";
    if (isModule && gateway.isModuleRefused(path)) return void outgoing.writeHead(502).end("Bad Gateway");
    if (gateway.isFileGone(path)) return void outgoing.writeHead(404).end();
    if (path === "/worker.js" && gateway.workersRefused > 0) {
      gateway.workersRefused -= 1;
      return void outgoing.writeHead(502).end("Bad Gateway");
    }
    const isText = /^\/(?:dashboard(?:\.html)?|worker\.js)$/.test(path);
    const { "if-none-match": _, "if-modified-since": __, ...fresh } = headers;
    const wish = isText ? { ...fresh, "accept-encoding": "identity" } : headers;
    const asked = request({ host: target.hostname, port: target.port, path, method, headers: wish }, (answer) => {
      if (!isText || gateway.state !== "upgraded") {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
        return void answer.pipe(outgoing);
      }
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => {
        const text = String(Buffer.concat(pieces))
          .replace("<title>", '<meta name="build" content="next"><title>')
          .replace(/"build":"\w+"/, '"build":"next"');
        const { "content-length": ___, etag: ____, ...rest } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 500, rest).end(UPGRADED_WORKERS[gateway.worker](text));
      });
    });
    incoming.pipe(asked);
    outgoing.on("close", () => asked.destroy());
    asked.on("error", () => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return Object.assign(gateway, { url: `http://127.0.0.1:${port}`, port, close });
}
