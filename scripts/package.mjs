import "./node-version.mjs";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { endWith, isStarted, ROOT, run } from "./command.mjs";
import { ensureInstalled } from "./install.mjs";

const OUT = `${ROOT}dist`;
/** What the panel reads at run time, and its operator's scripts. Packages are added separately. */
const CONTENT = [
  "package.json",
  "LICENSE",
  "README.md",
  "deploy",
  "docs",
  "apps/server/dist",
  "apps/server/migrations",
  "apps/server/data",
  "apps/server/src/hosts/ssh/agent.pl",
  "apps/server/src/hosts/ssh/container.pl",
  "apps/server/src/hosts/ssh/container.sh",
  "apps/server/src/hosts/ssh/resolver.sh",
  "apps/server/src/hosts/ssh/setup.sh",
  "apps/server/src/features/vpn/import/old-programs.sh",
  "apps/web/dist",
  "engine/dist",
];
const LEFT_OUT = /\/docs\/(adr|images)$/;

/**
 * Packs the build as a release for machines like this one: dist/krug-VERSION-linux-ARCH.tar.gz, its .sha256, and an
 * install.sh that knows both.
 */
export async function packageRelease() {
  if (process.platform !== "linux")
    throw new Error("A release holds programs of the machine that makes it: make it on Linux.");
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));
  const name = `krug-${version}-linux-${process.arch}`;
  mkdirSync(OUT, { recursive: true });
  const stage = mkdtempSync(join(OUT, ".making-"));
  try {
    const folder = join(stage, name);
    mkdirSync(folder);
    await installPackages(stage, folder);
    for (const path of CONTENT.filter((path) => existsSync(ROOT + path)))
      cpSync(ROOT + path, join(folder, path), { recursive: true, filter: (from) => !LEFT_OUT.test(from) });
    const file = `${name}.tar.gz`;
    await pack(stage, name, join(stage, file));
    const sha256 = createHash("sha256")
      .update(readFileSync(join(stage, file)))
      .digest("hex");
    cpSync(join(stage, file), join(OUT, file));
    writeFileSync(join(OUT, `${file}.sha256`), `${sha256}  ${file}\n`);
    writeFileSync(join(OUT, "install.sh"), installerFor(file, sha256), { mode: 0o755 });
    return { file, sha256 };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Only the server's production packages, without running their scripts. @param {string} stage @param {string} folder */
async function installPackages(stage, folder) {
  const scratch = join(stage, "packages");
  // All of them: npm compares the lock file with every workspace.
  const workspaces = ["packages", "apps"].flatMap((parent) =>
    readdirSync(ROOT + parent).map((name) => `${parent}/${name}/`),
  );
  for (const path of ["package-lock.json", ...["", ...workspaces].map((place) => `${place}package.json`)])
    if (existsSync(ROOT + path)) cpSync(ROOT + path, join(scratch, path));
  const options = ["--omit=dev", "--workspace=@krug/server", "--ignore-scripts", "--no-audit", "--no-fund"];
  const { code, output } = await run("npm", ["ci", ...options, "--prefer-offline"], { cwd: scratch });
  if (code !== 0) throw new Error(`npm ci failed with code ${code}:\n${output}`);
  // Our own packages are in the bundle.
  for (const name of ["@krug", ".bin"]) rmSync(join(scratch, "node_modules", name), { recursive: true, force: true });
  cpSync(join(scratch, "node_modules"), join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
}

/** The same content makes the same bytes. @param {string} stage @param {string} name @param {string} file */
async function pack(stage, name, file) {
  const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rw,go=rX"];
  const { code, output } = await run("tar", [...same, "-C", stage, "-I", "gzip -n", "-cf", file, name]);
  if (code !== 0) throw new Error(`tar failed with code ${code}:\n${output}`);
}

/** @param {string} file @param {string} sha256 */
function installerFor(file, sha256) {
  const script = readFileSync(`${ROOT}deploy/install.sh`, "utf8");
  const filled = script
    .replace(/^PACKED_FILE=$/m, `PACKED_FILE=${file}`)
    .replace(/^PACKED_SHA256=$/m, `PACKED_SHA256=${sha256}`);
  if (!filled.includes(`PACKED_FILE=${file}\nPACKED_SHA256=${sha256}\n`))
    throw new Error("deploy/install.sh has no place for the hash.");
  return filled;
}

if (isStarted(import.meta.url)) {
  await ensureInstalled()
    .then(ensureBuilt)
    .then(packageRelease)
    .then(({ file, sha256 }) => {
      console.log(`dist/${file}\nSHA-256 ${sha256}`);
      console.log("Copy the folder dist to the machine, then there, as root: sh dist/install.sh");
    })
    .catch(endWith);
}
