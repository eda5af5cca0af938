import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { endWith, run } from "./command.mjs";

// Builds the engine of AmneziaWG tunnels from the Go module proxy: `node scripts/amneziawg.mjs` for all kinds of machines.
// Only builders need Go: who has the file needs nothing else.

const MODULE = "github.com/amnezia-vpn/amneziawg-go";
/** Speaks 2.0. Those that speak 3.1 are the module's /v3, of which the proxy gives none so far. */
const VERSION = "v0.2.19";
/** Of the module's source, as the checksum database has it. */
const SOURCE = "h1:l3rOmrA4o5z38kpgnA5iSk1yOm7Cv3AafIi4vxpSEV0=";
const GO_LEAST = [1, 24, 4];
const BUILD_WITHIN_MS = 5 * 60_000;

/** As Node and as Go call them. @type {Record<string, string>} */
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" };
const KEPT = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "krug-engines");

/** Why it cannot be built here; null where it can, or needs not. @returns {Promise<string | null>} */
export async function whyNoEngine(architecture = String(process.arch)) {
  const kind = ARCHITECTURES[architecture];
  if (kind === undefined) return `amneziawg-go is built for ${Object.values(ARCHITECTURES).join(" and ")} alone`;
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
const fileFor = (kind) => join(KEPT, `amneziawg-go-${VERSION}-linux-${kind}`, "amneziawg-go");

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
  if (code !== 0 || found === null) return `amneziawg-go needs Go ${least} or newer to be built`;
  const version = found.slice(1).map((part) => Number(part ?? 0));
  const place = GO_LEAST.findIndex((part, index) => part !== version[index]);
  const isNew = place === -1 || (version[place] ?? 0) > (GO_LEAST[place] ?? 0);
  return isNew ? null : `amneziawg-go needs Go ${least} or newer to be built, here is ${found[0]}`;
}

/**
 * The same source and Go give the same bytes, wherever they are built.
 * @param {string} kind
 * @param {string} file
 */
async function build(kind, file) {
  console.log(`Building amneziawg-go ${VERSION} for ${kind}…`);
  const source = await download();
  const fresh = `${file}.new-${process.pid}`;
  mkdirSync(join(file, ".."), { recursive: true });
  const args = ["build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", fresh, "."];
  // Its dependencies are checked against the sums that came with the source.
  const env = {
    CGO_ENABLED: "0",
    GOOS: "linux",
    GOARCH: kind,
    GOFLAGS: "-mod=readonly -buildvcs=false",
    GOWORK: "off",
  };
  const { code, output } = await run("go", args, { cwd: source, env, timeoutMs: BUILD_WITHIN_MS });
  try {
    if (code !== 0) throw new Error(`amneziawg-go was not built (go ended with ${code}):\n${output.trim()}`);
    const sum = sumOf(fresh);
    renameSync(fresh, file);
    writeFileSync(sumFile(file), sum);
  } finally {
    rmSync(fresh, { force: true });
  }
}

async function download() {
  const env = { GOFLAGS: "", GOWORK: "off" };
  const args = ["mod", "download", "-json", `${MODULE}@${VERSION}`];
  // Outside of any module, so that this one's is not asked.
  const { output } = await run("go", args, { cwd: homedir(), env, timeoutMs: BUILD_WITHIN_MS });
  const json = output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1);
  const { Dir, Sum, Error: why } = JSON.parse(json || "{}");
  if (typeof Dir !== "string") throw new Error(`${MODULE} ${VERSION} cannot be had: ${why ?? output.trim()}`);
  if (Sum !== SOURCE) throw new Error(`${MODULE} ${VERSION} is not the source that was reviewed: ${Sum}`);
  return Dir;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    for (const architecture of Object.keys(ARCHITECTURES)) console.log(await ensureEngine(architecture));
  } catch (error) {
    endWith(error);
  }
}
