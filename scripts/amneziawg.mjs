import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { endWith, run } from "./command.mjs";

// Builds the engine of AmneziaWG tunnels, engine/: `node scripts/amneziawg.mjs` for all kinds of machines. Only builders need
// Go and its module proxy: who has the file needs nothing else.

const SOURCE = fileURLToPath(new URL("../engine", import.meta.url));
const GO_LEAST = [1, 23, 1];
const BUILD_WITHIN_MS = 5 * 60_000;
/** Where the engine puts control sockets: WireGuard's own folder is the library's default. */
const SOCKETS = "-X github.com/metacubex/wireguard-go/ipc.socketDirectory=/var/run/amneziawg";

/** As Node and as Go call them. @type {Record<string, string>} */
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" };
const KEPT = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "krug-engines");

/** Why it cannot be built here; null where it can, or needs not. @returns {Promise<string | null>} */
export async function whyNoEngine(architecture = String(process.arch)) {
  const kind = ARCHITECTURES[architecture];
  if (kind === undefined) return `AmneziaWG's engine is built for ${Object.values(ARCHITECTURES).join(" and ")} alone`;
  return isWhole(fileFor(kind)) ? null : whyNoGo();
}

/** The engine for a kind of machine, built where it is absent or not as it was built. @returns {Promise<string>} its path */
export async function ensureEngine(architecture = String(process.arch)) {
  const kind = ARCHITECTURES[architecture] ?? "";
  const why = await whyNoEngine(architecture);
  if (why !== null) throw new Error(why);
  const file = fileFor(kind);
  if (!isWhole(file)) await build(kind, file);
  return file;
}

/** @param {string} kind */
const fileFor = (kind) => join(KEPT, `amneziawg-go-${sourceHash()}-linux-${kind}`, "amneziawg-go");

/** Another source, another engine: go.sum names every byte of what it is built from. */
function sourceHash() {
  const hash = createHash("sha256");
  for (const name of readdirSync(SOURCE).sort()) hash.update(name).update(readFileSync(join(SOURCE, name)));
  return hash.digest("hex").slice(0, 16);
}

/** As `sha256sum --check` reads it. @param {string} file */
const sumFile = (file) => `${file}.sha256`;

/** @param {string} file */
function isWhole(file) {
  if (!existsSync(file) || !existsSync(sumFile(file))) return false;
  return readFileSync(sumFile(file), "utf8") === sumOf(file);
}

/** @param {string} file */
const sumOf = (file) => `${createHash("sha256").update(readFileSync(file)).digest("hex")}  amneziawg-go\n`;

async function whyNoGo() {
  const { code, output } = await run("go", ["env", "GOVERSION"]);
  const found = /^go(\d+)\.(\d+)(?:\.(\d+))?/.exec(output);
  const least = GO_LEAST.join(".");
  if (code !== 0 || found === null) return `AmneziaWG's engine needs Go ${least} or newer to be built`;
  const version = found.slice(1).map((part) => Number(part ?? 0));
  const place = GO_LEAST.findIndex((part, index) => part !== version[index]);
  const isNew = place === -1 || (version[place] ?? 0) > (GO_LEAST[place] ?? 0);
  return isNew ? null : `AmneziaWG's engine needs Go ${least} or newer to be built, here is ${found[0]}`;
}

/**
 * The same source and Go give the same bytes, wherever they are built.
 * @param {string} kind
 * @param {string} file
 */
async function build(kind, file) {
  console.log(`Building AmneziaWG's engine for ${kind}…`);
  const fresh = `${file}.new-${process.pid}`;
  mkdirSync(join(file, ".."), { recursive: true });
  const args = ["build", "-trimpath", `-ldflags=-s -w -buildid= ${SOCKETS}`, "-o", fresh, "."];
  const env = {
    CGO_ENABLED: "0",
    GOOS: "linux",
    GOARCH: kind,
    GOFLAGS: "-mod=readonly -buildvcs=false",
    GOWORK: "off",
    GOTOOLCHAIN: "local",
  };
  const { code, output } = await run("go", args, { cwd: SOURCE, env, timeoutMs: BUILD_WITHIN_MS });
  try {
    if (code !== 0) throw new Error(`AmneziaWG's engine was not built (go ended with ${code}):\n${output.trim()}`);
    const sum = sumOf(fresh);
    renameSync(fresh, file);
    writeFileSync(sumFile(file), sum);
  } finally {
    rmSync(fresh, { force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    for (const architecture of Object.keys(ARCHITECTURES)) console.log(await ensureEngine(architecture));
  } catch (error) {
    endWith(error);
  }
}
