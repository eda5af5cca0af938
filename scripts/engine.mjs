import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./command.mjs";

// The engine of tunnels, for all kinds of machines. Only who builds it needs Go and its module proxy.

const GO_LEAST = [1, 23, 1];
const BUILD_WITHIN_MS = 3 * 60_000;
/** As Node calls them and as Go does. @type {Record<string, string>} */
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" };

/** Where a build has the engine for this machine. */
export const OWN_ENGINE = `${ROOT}engine/dist/krug-engine-${ARCHITECTURES[process.arch]}`;

/** Why it cannot be built here; null where it can. @returns {Promise<string | null>} */
export async function whyNoGo() {
  const { code, output } = await run("go", ["env", "GOVERSION"]).catch(() => ({ code: 1, output: "" }));
  const found = /^go(\d+)\.(\d+)(?:\.(\d+))?/.exec(output);
  const needed = `The engine of tunnels needs Go ${GO_LEAST.join(".")} or newer to be built`;
  if (code !== 0 || found === null) return needed;
  const version = found.slice(1).map((part) => Number(part ?? 0));
  const place = GO_LEAST.findIndex((part, index) => part !== version[index]);
  const isNew = place === -1 || (version[place] ?? 0) > (GO_LEAST[place] ?? 0);
  return isNew ? null : `${needed}, here is ${found[0]}`;
}

/**
 * A file and its checksum for each kind. go.sum names every byte of what they are made from: the same source and Go give the same
 * bytes, wherever they are built.
 * @param {string} outFolder
 */
export async function buildEngine(outFolder) {
  mkdirSync(outFolder, { recursive: true });
  for (const kind of Object.values(ARCHITECTURES)) {
    const name = `krug-engine-${kind}`;
    const args = ["build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", join(outFolder, name), "."];
    const env = {
      CGO_ENABLED: "0",
      GOOS: "linux",
      GOARCH: kind,
      GOFLAGS: "-mod=readonly -buildvcs=false",
      GOWORK: "off",
      GOTOOLCHAIN: "local",
    };
    const { code, output } = await run("go", args, { cwd: `${ROOT}engine`, env, timeoutMs: BUILD_WITHIN_MS });
    if (code !== 0) throw new Error(`The engine of tunnels was not built (go ended with ${code}):\n${output.trim()}`);
    const bytes = readFileSync(join(outFolder, name));
    const sum = createHash("sha256").update(bytes).digest("hex");
    // As `sha256sum --check` reads it.
    writeFileSync(join(outFolder, `${name}.sha256`), `${sum}  ${name}\n`);
    // Its name before it ran plain WireGuard too.
    const former = `amneziawg-go-${kind}`;
    writeFileSync(join(outFolder, former), bytes, { mode: 0o755 });
    writeFileSync(join(outFolder, `${former}.sha256`), `${sum}  ${former}\n`);
  }
}
