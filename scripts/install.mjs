import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { ROOT, run } from "./command.mjs";
import { showing } from "./progress.mjs";

const STAMP = `${ROOT}node_modules/.installed-for`;

/** Installs packages if there are none, or if a package.json or the lock file changed since last time. */
export async function ensureInstalled() {
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === wanted()) return;
  // Not `npm ci`: it would first delete what is installed. Development packages are needed even with NODE_ENV=production,
  // because the panel is built on the spot.
  const args = ["install", "--no-audit", "--no-fund", "--include=dev", "--prefer-offline"];
  const { code, output } = await showing(countPackages(), () => run("npm", args));
  if (code !== 0) throw new Error(`npm install failed with code ${code}:\n${output.trimEnd()}`);
  mkdirSync(`${ROOT}node_modules`, { recursive: true });
  writeFileSync(STAMP, wanted()); // after the installation, which may have rewritten the lock file
}

/** Shows how many packages of the lock file are installed and how many are missing. Those for some machines only do not count. */
function countPackages() {
  /** @type {{ packages: Record<string, { link?: true, optional?: true }> }} */
  const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, "utf8"));
  const files = Object.entries(packages).flatMap(([folder, { link, optional }]) =>
    folder.includes("node_modules/") && !link && !optional ? [`${ROOT}${folder}/package.json`] : [],
  );
  return () => {
    const done = files.filter((file) => existsSync(file)).length;
    return `Installing packages: ${done} of ${files.length} are here, ${files.length - done} to go`;
  };
}

/** A hash of everything an installation depends on: the platform with its binaries, the lock file, every package.json. */
function wanted() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  const workspaces = ["packages", "apps"].flatMap((folder) =>
    readdirSync(ROOT + folder).map((name) => `${folder}/${name}/`),
  );
  for (const file of ["package-lock.json", ...["", ...workspaces].map((folder) => `${folder}package.json`)]) {
    if (existsSync(ROOT + file)) hash.update(`\0${file}\0`).update(readFileSync(ROOT + file));
  }
  return hash.digest("hex");
}
