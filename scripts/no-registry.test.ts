import { existsSync, readFileSync } from "node:fs";
import { isIP } from "node:net";
import { expect, test } from "vitest";
import { ROOT, run } from "./command.mjs";

/* Where packages come from is each machine's own setting: a host that is named here would be asked by everyone who has the repository. */
const APT = ["sources.list", "sources.list.d/debian.sources", "sources.list.d/ubuntu.sources"];

test("no file names the hosts from which this machine gets its packages", async () => {
  const { output: registry } = await run("npm", ["config", "get", "registry"]);
  const files = APT.map((name) => `/etc/apt/${name}`).filter((file) => existsSync(file));
  const texts = [registry, ...files.map((file) => readFileSync(file, "utf8"))];
  const hosts = texts.flatMap((text) => [...text.matchAll(/https?:\/\/([^\s/:]+)/g)].map(([, host = ""]) => host));
  const names = [...new Set(hosts)].filter((host) => host.includes(".") && isIP(host) === 0);
  const found = await Promise.all(names.map((name) => run("git", ["grep", "-lF", "-e", name], { cwd: ROOT })));
  // Only the files: the message must name no host either. Without git's folder nothing is found.
  expect(found.flatMap(({ code, output }) => (code === 0 ? output.trim().split("\n") : []))).toEqual([]);
});
