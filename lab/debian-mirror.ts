import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

export interface Mirrors {
  main: string;
  security: string;
}

/** The mirrors of Debian's packages in this machine's own sources. */
export async function mirrorsHere(): Promise<Mirrors> {
  const args = ["indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Created-By: Packages"];
  const { stdout } = await promisify(execFile)("apt-get", args);
  const uri = (release: string) => {
    const line = stdout.split("\n").find((each) => each.endsWith(` ${release}`));
    if (line === undefined) throw new Error(`this machine has no package source of ${release}`);
    return line.split(" ")[0] ?? "";
  };
  return { main: uri("bookworm"), security: uri("bookworm-security") };
}

export interface Source {
  /** Its address, with a trailing slash. */
  url: string;
  /** Paths below that whose content never changes. */
  keeps: RegExp;
}

/** A mirror's sources, by path. */
export const debianSources = ({ main, security }: Mirrors): Record<string, Source> => ({
  "debian/": { url: main, keeps: /^pool\// },
  "debian-security/": { url: security, keeps: /^pool\// },
});

/** Proxies these on a loopback port, by the start of a path. What never changes is cached in `folder`. */
export async function startMirror(folder: string, sources: Record<string, Source>) {
  const server = createServer(async (request, response) => {
    const [, whole] = /^\/([\w./~+%:@!-]+)$/.exec(request.url ?? "") ?? [];
    const found = Object.entries(sources).find(([place]) => whole?.startsWith(place));
    if (whole === undefined || found === undefined || request.method !== "GET" || whole.includes("..")) {
      response.writeHead(404).end();
      return;
    }
    const [place, { url, keeps }] = found;
    const path = whole.slice(place.length);
    const cachedAt = keeps.test(path) ? join(folder, whole) : null;
    try {
      const size = cachedAt && (await stat(cachedAt).catch(() => null))?.size;
      if (cachedAt && size) {
        response.writeHead(200, { "content-length": size });
        await pipeline(createReadStream(cachedAt), response);
        return;
      }
      const { accept = "*/*" } = request.headers;
      const answer = await fetch(url + path, { headers: { accept } });
      // Compressed content is already unpacked.
      const length = answer.headers.has("content-encoding") ? null : answer.headers.get("content-length");
      response.writeHead(answer.status, length ? { "content-length": length } : {});
      if (!answer.body) {
        response.end();
        return;
      }
      const body = Readable.fromWeb(answer.body as never);
      if (!cachedAt || answer.status !== 200) return await pipeline(body, response);
      await mkdir(dirname(cachedAt), { recursive: true });
      const part = `${cachedAt}.${randomBytes(4).toString("hex")}`;
      body.on("data", (piece) => response.write(piece));
      await pipeline(body, createWriteStream(part));
      await rename(part, cachedAt);
      response.end();
    } catch (error) {
      response.destroy(error as Error);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
