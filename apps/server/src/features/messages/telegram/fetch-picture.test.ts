import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createGzip } from "node:zlib";
import type { Context } from "grammy";
import { expect, onTestFinished, test } from "vitest";
import { fetchPicture } from "./staff-replies.ts";

const MIB = 2 ** 20;

/** What becomes of a picture of unannounced size at a Telegram that answers so. */
async function fetchedFrom(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const apiRoot = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ctx = { api: { getFile: async () => ({ file_path: "photos/file-0" }) } } as unknown as Context;
  return fetchPicture(ctx, { token: "1:secret", apiRoot }, "file-0", 1);
}

test("a picture that unpacks to more than a picture may have ends the answer there", async () => {
  let sent = 0;
  const fetched = fetchedFrom((_request, response) => {
    response.setHeader("content-encoding", "gzip");
    const gzip = createGzip();
    gzip.pipe(response);
    const block = Buffer.alloc(MIB);
    const write = () => {
      if (response.destroyed || sent > 1_000 * MIB) return void gzip.end();
      sent += block.length;
      gzip.write(block, write);
    };
    write();
  });
  await expect(fetched).rejects.toMatchObject({ code: "support.image_invalid" });
  expect(sent).toBeLessThan(1_000 * MIB);
});

test("a redirect is not followed: it may lead into the panel's own network", async () => {
  const asked: string[] = [];
  const fetched = fetchedFrom((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(302, { location: "/inside" }).end();
  });
  await expect(fetched).rejects.toThrow("Telegram did not give a picture");
  expect(asked).toEqual(["/file/bot1:secret/photos/file-0"]);
});
