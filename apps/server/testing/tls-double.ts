import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { InternetException } from "../src/platform/http/internet.ts";

/** A key and a certificate that nobody trusts. */
const PEM = readFileSync(new URL("tls-double.pem", import.meta.url), "utf8");

/** The names of that certificate. */
export type DoubleName = "push.example" | "other.example" | "moved.example";

/** A program somewhere on the internet, over TLS on this machine. */
export async function startTlsDouble(serve: RequestListener) {
  const server = createServer({ key: PEM, cert: PEM }, serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    /** For the panel under test: this machine's address counts as public, and this certificate as valid. */
    exception: {
      allows: (address) => address === "127.0.0.1",
      ca: PEM,
      answersWithinMs: 2_000,
    } satisfies InternetException,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
