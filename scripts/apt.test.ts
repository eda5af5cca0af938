import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { installDebian } from "./apt.mjs";

/** Replacements for apt's programs: each records its call in `calls` and then runs its script. */
function standIns(programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "krug-apt-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const notes = join(folder, "calls");
  writeFileSync(notes, "");
  for (const [name, script] of Object.entries(programs)) {
    const text = `#!/bin/sh\nnotes=${notes}\necho "${name} $*" >> $notes\n${script}\n`;
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => readFileSync(notes, "utf8").trim().split("\n");
}
const KEEPING = "-o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold";
const OPTIONS = "apt-get -q -o DPkg::Lock::Timeout=10";

test("the lists are updated first, then only the packages are installed", async () => {
  const calls = standIns({ "apt-get": "exit 0" });
  expect(await installDebian(["nftables", "iproute2"])).toBeNull();
  expect(calls()).toEqual([
    `${OPTIONS} update`,
    `${OPTIONS} install ${KEEPING} --yes --no-install-recommends --no-remove nftables iproute2`,
  ]);
});

test.each([
  "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12 (unattended-upgr)",
  "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?",
  "E: Unable to lock directory /var/lib/apt/lists/",
  "dpkg: error: dpkg frontend lock was locked by another process with pid 12",
  "dpkg: error: dpkg database lock is locked by another process",
])("it waits for another program's lock, and says so once: %s", async (words) => {
  const calls = standIns({ "apt-get": `[ $(grep -c . $notes) -gt 2 ] || { echo "${words}" >&2; exit 100; }` });
  const onLock = vi.fn();
  expect(await installDebian(["nftables"], { onLock, pauseMs: 5 })).toBeNull();
  expect(onLock).toHaveBeenCalledOnce();
  expect(calls()).toHaveLength(4);
});

test("waiting for a lock that is never released ends with apt's own words", async () => {
  standIns({ "apt-get": `echo "E: Could not get lock /var/lib/dpkg/lock-frontend" >&2; exit 100` });
  expect(await installDebian(["nftables"], { patienceMs: 0 })).toContain("E: Could not get lock");
});

test("an interrupted installation is finished first", async () => {
  const calls = standIns({
    "apt-get": `grep -q ^dpkg $notes || { echo "E: dpkg was interrupted, you must manually run 'dpkg --configure -a'"; exit 100; }`,
    dpkg: "exit 0",
  });
  expect(await installDebian(["nftables"])).toBeNull();
  expect(calls()[1]).toBe("dpkg --configure -a --force-confdef --force-confold");
});

test("a package source that does not answer does not block the others; a missing package is reported", async () => {
  standIns({ "apt-get": `case "$*" in *update) echo "E: no route" ; exit 100;; esac` });
  expect(await installDebian(["nftables"])).toBeNull();
  standIns({ "apt-get": `case "$*" in *update) exit 0;; esac; echo "E: Unable to locate package nftables"; exit 100` });
  expect(await installDebian(["nftables"])).toBe("E: Unable to locate package nftables");
});
