import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../apps/server/src/platform/clock.ts";
import { makeHttpServer } from "../apps/server/src/platform/http/server.ts";
import { serveWeb } from "../apps/server/src/platform/http/static-web.ts";
import type { Club, Person } from "../apps/server/testing/start-club.ts";
import { ROOT, run, tool } from "../scripts/command.mjs";

/**
 * Builds and serves the page that the product is compared with (apps/web/bench/bare-page.tsx), with the panel's answers for this
 * member.
 */
export async function serveBarePage(
  club: Club,
  member: Person,
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "krug-bare-page-"));
  const { code, output } = await run(
    tool("vite"),
    ["build", "bench", "--config", "vite.bare.ts", "--outDir", folder, "--emptyOutDir", "--logLevel", "warn"],
    { cwd: `${ROOT}apps/web`, env: { NODE_ENV: "production" } },
  );
  if (code !== 0) throw new Error(`The bare page could not be built:\n${output}`);
  const server = await makeHttpServer({
    clock: systemClock,
    logLevel: "silent",
    trusts: () => false,
    secure: false,
    framesItself: false,
  });
  for (const key of ["GET /auth/me", "GET /vpn/configs"] as const) {
    const { body } = await club.as(member).call(key);
    server.get(`/api${key.slice(4)}`, () => body);
  }
  await serveWeb(server, folder);
  await server.listen({ port: 0, host: "127.0.0.1" });
  return {
    origin: server.listeningOrigin,
    stop: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
