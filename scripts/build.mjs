import "./node-version.mjs";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import { basename } from "node:path";
import { bringIn } from "./bring-in.mjs";
import { endWith, isAlive, isStarted, ROOT, run, tool } from "./command.mjs";
import { buildEngine } from "./engine.mjs";
import { ensureInstalled } from "./install.mjs";
import { say, showing, takeTerminal } from "./progress.mjs";

/**
 * Stay in node_modules: packages with binaries or that load files next to themselves, and CommonJS packages imported on
 * demand, which would lose their names in a chunk of their own.
 */
export const NOT_BUNDLED = [
  "@photostructure/sqlite",
  "@node-rs/argon2",
  "sharp",
  "pg-native",
  "cpu-features",
  "ssh2",
  "@zxcvbn-ts/language-common",
  "grammy",
];
const SHARED_SOURCES = [
  "packages",
  "package-lock.json",
  "tsconfig.base.json",
  "scripts/build.mjs",
  "scripts/bring-in.mjs",
];
const STAMP = ".built-from";

/**
 * The panel works without an optional part.
 * @typedef {{ folder: string, build: (outFolder: string) => Promise<void>, isOptional?: true }} Part
 */
/** @type {Part[]} */
const PARTS = [
  { folder: "apps/web", build: buildWeb },
  { folder: "apps/server", build: buildServer },
  { folder: "engine", build: buildEngine, isOptional: true },
];

/** Builds whatever is older than its sources, all at once. Costs about 20 ms if nothing changed. */
export async function ensureBuilt() {
  const shared = fingerprint(SHARED_SOURCES);
  const stale = PARTS.map((part) => ({ ...part, stamp: `${shared} ${fingerprint([part.folder])}` })).filter(
    ({ folder, stamp }) => !isBuilt(`${ROOT}${folder}/dist/${STAMP}`, stamp),
  );
  if (stale.length === 0) return;
  const remaining = new Set(stale.map(({ folder }) => folder));
  const since = performance.now();
  const words = () => `Building: ${[...remaining].join(", ")} to go (${seconds(since).toFixed(0)} s)`;
  await showing(words, () =>
    besideOneAnother(
      stale.map((part) => () => rebuild(part).finally(() => remaining.delete(part.folder))),
      freeBytes(),
    ),
  );
}

/** What all parts need at once. Each by itself needs at most half of it. */
const TOGETHER_BYTES = 1.5 * 2 ** 30;

/** Memory that this process may still use, also in a container. */
const freeBytes = () => process.availableMemory?.() ?? freemem();
const isMemoryShort = (free = freeBytes()) => free < TOGETHER_BYTES;

/** Collects garbage sooner and returns free memory at once: 750 MB for the web client instead of 1,000, in about the same time. */
const SPARING = { NODE_OPTIONS: "--max-old-space-size=320", MALLOC_ARENA_MAX: "1", MIMALLOC_PURGE_DELAY: "0" };

/**
 * Runs works in parallel, or one after another if memory is short. If one fails, the others still finish.
 * @param {(() => Promise<void>)[]} works
 * @param {number} free
 */
export async function besideOneAnother(works, free) {
  const isShort = isMemoryShort(free);
  if (isShort && works.length > 1) say("  one part at a time: memory is short");
  /** @type {unknown[]} */
  const failures = [];
  const attempt = (/** @type {() => Promise<void>} */ work) => work().catch((error) => void failures.push(error));
  if (isShort) for (const work of works) await attempt(work);
  else await Promise.all(works.map(attempt));
  if (failures.length > 0) throw failures[0];
}

/**
 * A sentence if a program was ended for lack of memory, otherwise null.
 * @param {{ code: number, signal: NodeJS.Signals | null, output: string }} end
 */
export function whyEnded({ signal, output }) {
  if (signal !== "SIGKILL" && !/heap out of memory|Cannot allocate memory|service was stopped/i.test(output))
    return null;
  // In a container that is what it may use.
  const mb = Math.round(Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY) / 1e6);
  return (
    `The system ended the build${signal === null ? "" : ` (${signal})`}, most likely for want of memory: it takes some 900 MB, and this machine has ${mb} MB in all. ` +
    "Close other programs, add swap (fallocate -l 1G /swap && chmod 600 /swap && mkswap /swap && swapon /swap), or build on another machine: npm run package (docs/operating.md, 'Installing')."
  );
}

/** @param {string} file @param {string} stamp */
const isBuilt = (file, stamp) => existsSync(file) && readFileSync(file, "utf8") === stamp;

/**
 * Builds into a separate folder, then into dist: a killed build leaves the previous one.
 * @param {Part & { stamp: string }} part
 */
async function rebuild({ folder, build, stamp, isOptional }) {
  const fresh = `${ROOT}${folder}/dist.new-${process.pid}`;
  for (const leftover of readdirSync(ROOT + folder).filter(isLeftover)) {
    rmSync(`${ROOT}${folder}/${leftover}`, { recursive: true, force: true });
  }
  const startedAt = performance.now();
  try {
    await build(fresh);
    const dist = `${ROOT}${folder}/dist`;
    rmSync(`${dist}/${STAMP}`, { force: true }); // no complete build until the new one is in
    bringIn(fresh, dist, Date.now());
    writeFileSync(`${dist}/${STAMP}`, stamp);
  } catch (error) {
    if (!isOptional) throw error;
    return say(`  without ${folder}: ${error instanceof Error ? error.message : error}`);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  say(`  ${folder} in ${seconds(startedAt).toFixed(1)} s`);
}

/** Seconds since then. @param {number} startedAt */
const seconds = (startedAt) => (performance.now() - startedAt) / 1000;

/** A build folder whose process is gone. @param {string} name */
function isLeftover(name) {
  const pid = /^dist\.new-(\d+)$/.exec(name)?.[1];
  return pid !== undefined && !isAlive(Number(pid));
}

/** @param {string} outFolder */
async function buildWeb(outFolder) {
  // In a separate process: the panel runs in this one and should not carry the bundler's memory.
  const { code, signal, output } = await run(
    tool("vite"),
    ["build", "--outDir", basename(outFolder), "--emptyOutDir", "--logLevel", "warn"],
    {
      cwd: `${ROOT}apps/web`,
      env: { NODE_ENV: "production", ...(isMemoryShort() && SPARING) },
    },
  );
  if (code !== 0)
    throw new Error(whyEnded({ code, signal, output }) ?? `The web client could not be built:\n${output}`);
  if (output.trim()) say(output.trim());
}

/** @param {string} outFolder */
async function buildServer(outFolder) {
  const { build, stop } = await import("esbuild");
  const source = `${ROOT}apps/server/src/`;
  const bundled = build({
    entryPoints: [
      `${source}main.ts`,
      `${source}run-panel.ts`,
      `${source}features/vpn/import/database-reader.ts`,
      `${source}features/vpn/sources/list-reader.ts`,
      `${source}platform/picture-drawer.ts`,
      ...(existsSync(`${source}cli.ts`) ? [`${source}cli.ts`] : []),
    ],
    outdir: outFolder,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    splitting: true, // what the two programs share, and what is imported on demand
    sourcemap: "linked",
    // Half as much text to read at each start; names stay, so a stack trace in the log is readable.
    minifyWhitespace: true,
    minifySyntax: true,
    external: NOT_BUNDLED,
    // Bundled CommonJS packages call require() for Node's own modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  // Its program is a separate process.
  await bundled.catch((/** @type {Error} */ error) => {
    const why = whyEnded({ code: 1, signal: null, output: error.message });
    throw why === null ? error : new Error(why, { cause: error });
  });
  await stop();
}

/** A hash over path, size and modification time of all sources below the given files and folders. @param {string[]} paths */
function fingerprint(paths) {
  const hash = createHash("sha256");
  const visit = (/** @type {string} */ path) => {
    const stat = statSync(ROOT + path, { throwIfNoEntry: false });
    if (stat?.isFile()) hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\0`);
    else if (stat?.isDirectory()) {
      const names = readdirSync(ROOT + path).filter(
        (name) => !/^(?:node_modules|dist(?:\..*)?|data)$|\.test\.tsx?$/.test(name),
      );
      for (const name of names.sort()) visit(`${path}/${name}`);
    }
  };
  paths.forEach(visit);
  return hash.digest("hex");
}

if (isStarted(import.meta.url)) {
  takeTerminal();
  await ensureInstalled().then(ensureBuilt).catch(endWith);
}
