import { expect, test, vi } from "vitest";
import { lacking, namesDebian } from "./own-packages.mjs";

const machine = (is = {}) => ({
  isDebian: () => true,
  mayInstall: () => true,
  missing: () => ["nftables"],
  ...is,
});

test.each<[Record<string, string>, string[]]>([
  [{}, ["nftables"]],
  [{ INSTALL_PACKAGES: "" }, ["nftables"]],
  [{ INSTALL_PACKAGES: " on " }, ["nftables"]],
  [{ INSTALL_PACKAGES: "off" }, []],
  [{ INSTALL_PACKAGES: "no" }, []],
  [{ LOCAL_SERVER: "auto" }, ["nftables"]],
  [{ LOCAL_SERVER: "off" }, []],
  [{ INSTALL_PACKAGES: "on", LOCAL_SERVER: " off" }, []],
])("with %j npm start installs %j", (environment, packages) => {
  expect(lacking(environment, machine())).toEqual(packages);
});

test("if it may not, or on another system, nothing is installed or searched for", () => {
  const missing = vi.fn(() => ["nftables"]);
  expect(lacking({}, machine({ mayInstall: () => false, missing }))).toEqual([]);
  expect(lacking({}, machine({ isDebian: () => false, missing }))).toEqual([]);
  expect(missing).not.toHaveBeenCalled();
});

test.each([
  ["ID=debian\n", true],
  ['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', true],
  ['ID=linuxmint\nID_LIKE="ubuntu debian"\n', true],
  ['ID=fedora\nNAME="Like debian"\n', false],
  ['ID="almalinux"\nID_LIKE="rhel centos fedora"\n', false],
])("%j", (release, is) => {
  expect(namesDebian(release)).toBe(is);
});
