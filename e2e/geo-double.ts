import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";

/** A key and a certificate that no browser trusts, for this machine's own address: only this double uses them. */
const PEM = readFileSync(new URL("geo-double.pem", import.meta.url), "utf8");

/** A geolocation service like the real ones: any page may ask it, and it records what each request reveals. */
export async function startGeoDouble(answer: object) {
  const heard: { path: string; method: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer({ key: PEM, cert: PEM }, (request, response) => {
    heard.push({ path: request.url ?? "", method: request.method ?? "", headers: request.headers });
    response.writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
