import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { endWith, isStarted, ROOT, run } from "./command.mjs";

/*
 * The tunnel engine. For most machines it comes with the source, compressed, so nobody needs Go: engine/built, made by
 * `npm run engine`. The same source and the same Go give the same bytes wherever they are built, and scripts/engine.test.ts
 * builds and compares them.
 */

const BUILD_WITHIN_MS = 5 * 60_000;
const SOURCE = `${ROOT}engine`;
const BUILT = `${SOURCE}/built`;
/** As `sha256sum --check` reads it, once the files are unpacked. */
const SUMS = `${BUILT}/SHA256SUMS`;

/** Node's names of processors and Go's. @type {Record<string, string>} */
const COMING = { x64: "amd64", arm64: "arm64" };
/** Built on machines with Go. @type {Record<string, string>} */
const OTHERS = { arm: "arm", ia32: "386", loong64: "loong64", ppc64: "ppc64le", riscv64: "riscv64", s390x: "s390x" };
const OWN = COMING[process.arch] ?? OTHERS[process.arch] ?? process.arch;

const nameFor = (/** @type {string} */ processor) => `krug-engine-${processor}`;
const sha256 = (/** @type {Buffer} */ bytes) => createHash("sha256").update(bytes).digest("hex");

/** Where a build puts the engine for this machine. */
export const OWN_ENGINE = `${ROOT}engine/dist/${nameFor(OWN)}`;

/** A file and its checksum for each processor. @param {string} outFolder */
export async function buildEngine(outFolder) {
  mkdirSync(outFolder, { recursive: true });
  const sums = readSums();
  for (const [name, sum] of sums) {
    const bytes = brotliDecompressSync(readFileSync(`${BUILT}/${name}.br`));
    if (sha256(bytes) !== sum) throw new Error(`engine/built/${name}.br is damaged: get the source again.`);
    put(outFolder, name, bytes);
  }
  if (sums.has(nameFor(OWN))) return;
  const lack = await whyNoGo();
  if (lack !== null) throw new Error(`the engine is not made for ${process.arch}, and ${lack}`);
  put(outFolder, nameFor(OWN), await compile(OWN));
}

/** @param {string} folder @param {string} name @param {Buffer} bytes */
function put(folder, name, bytes) {
  writeFileSync(join(folder, name), bytes, { mode: 0o755 });
  writeFileSync(join(folder, `${name}.sha256`), `${sha256(bytes)}  ${name}\n`);
}

/** The contents of engine/built: names and checksums. @returns {Map<string, string>} */
export function readSums() {
  const lines = readFileSync(SUMS, "utf8").trimEnd().split("\n");
  return new Map(lines.map((line) => /** @type {[string, string]} */ (line.split("  ").reverse())));
}

/** The Go version that engine/built was made with. */
export function goOfBuilt() {
  const version = /^toolchain (go[\d.]+)$/m.exec(readFileSync(`${SOURCE}/go.mod`, "utf8"))?.[1];
  if (version === undefined) throw new Error("engine/go.mod names no toolchain");
  return version;
}

/** Why this machine cannot build it; null if it can. @returns {Promise<string | null>} */
export async function whyNoGo() {
  const { code } = await go(["version"]);
  if (code !== 0) return "there is no Go here";
  const modules = await go(["mod", "download"]);
  return modules.code === 0 ? null : `Go's modules cannot be had: ${modules.output.trim()}`;
}

/** Why this machine cannot reproduce the bytes of engine/built; null if it can. @returns {Promise<string | null>} */
export async function whyNotSameGo() {
  const { code, output } = await go(["env", "GOVERSION"]);
  const found = code === 0 ? output.trim() : "no Go";
  return found === goOfBuilt() ? whyNoGo() : `engine/built is of ${goOfBuilt()}, here is ${found}`;
}

/** @param {string[]} args @param {Record<string, string>} env */
export function go(args, env = {}) {
  const pinned = { CGO_ENABLED: "0", GOFLAGS: "-mod=readonly -buildvcs=false", GOWORK: "off", GOTOOLCHAIN: "local" };
  const options = { cwd: SOURCE, env: { ...pinned, ...env }, timeoutMs: BUILD_WITHIN_MS };
  return run("go", args, options);
}

/** @param {string} processor @returns {Promise<Buffer>} */
export async function compile(processor) {
  const folder = mkdtempSync(join(tmpdir(), "krug-engine-"));
  try {
    const file = join(folder, nameFor(processor));
    const args = ["build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", file, "."];
    // The oldest variant of the processor, on any build machine.
    const env = { GOOS: "linux", GOARCH: processor, GOAMD64: "v1", GOARM64: "v8.0", GOEXPERIMENT: "", GODEBUG: "" };
    const { code, output } = await go(args, env);
    if (code !== 0) throw new Error(`the engine was not built (go ended with ${code}):\n${output.trim()}`);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rebuilds engine/built from source. */
async function refresh() {
  const lack = await whyNotSameGo();
  if (lack !== null) throw new Error(lack);
  mkdirSync(BUILT, { recursive: true });
  const lines = [];
  for (const processor of Object.values(COMING)) {
    const bytes = await compile(processor);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    const packed = brotliCompressSync(bytes, { params });
    writeFileSync(`${BUILT}/${nameFor(processor)}.br`, packed);
    lines.push(`${sha256(bytes)}  ${nameFor(processor)}\n`);
    console.log(`engine/built/${nameFor(processor)}.br: ${(packed.length / 1e6).toFixed(2)} MB`);
  }
  writeFileSync(SUMS, lines.join(""));
}

if (isStarted(import.meta.url)) await refresh().catch(endWith);
