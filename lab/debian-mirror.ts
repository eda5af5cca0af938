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

/** Where this machine's own sources say that Debian's packages come from. */
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
  /** Its address, with a slash at the end. */
  url: string;
  /** What never changes under its name, as paths below that. */
  keeps: RegExp;
}

/** What a mirror has, by its path there. */
export const debianSources = ({ main, security }: Mirrors): Record<string, Source> => ({
  "debian/": { url: main, keeps: /^pool\// },
  "debian-security/": { url: security, keeps: /^pool\// },
});

/** Answers on a loopback port as these do, by the beginning of a path; what never changes is kept in `folder`. */
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
    const kept = keeps.test(path) ? join(folder, whole) : null;
    try {
      const size = kept && (await stat(kept).catch(() => null))?.size;
      if (kept && size) {
        response.writeHead(200, { "content-length": size });
        await pipeline(createReadStream(kept), response);
        return;
      }
      const { accept = "*/*" } = request.headers;
      const answer = await fetch(url + path, { headers: { accept } });
      // What came packed is unpacked by now.
      const length = answer.headers.has("content-encoding") ? null : answer.headers.get("content-length");
      response.writeHead(answer.status, length ? { "content-length": length } : {});
      if (!answer.body) {
        response.end();
        return;
      }
      const body = Readable.fromWeb(answer.body as never);
      if (!kept || answer.status !== 200) return await pipeline(body, response);
      await mkdir(dirname(kept), { recursive: true });
      const part = `${kept}.${randomBytes(4).toString("hex")}`;
      body.on("data", (piece) => response.write(piece));
      await pipeline(body, createWriteStream(part));
      await rename(part, kept);
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
