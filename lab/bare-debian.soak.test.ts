import { expect, onTestFinished, test } from "vitest";
import { type As, startFreshMachine } from "./first-command.ts";
import type { DebianVersion } from "./vps-base.ts";

/* The README's second command on a Debian with only Node and git: what a contributor runs first. */
const TAKES_MS = 60 * 60_000;

test.each<[DebianVersion, As]>([
  [12, "root"],
  [13, "an ordinary user"],
])(
  "npm test on a bare Debian %i as %s is green, and names each kind of test that it left out",
  async (debian, as) => {
    const machine = await startFreshMachine(debian);
    onTestFinished(() => machine.stop());
    await machine.clone(as);
    const beganAt = performance.now();
    const { code, output } = await machine.test(as);
    console.info(`npm test took ${Math.round((performance.now() - beganAt) / 1_000)} s`);
    const lines = output.trim().split("\n");
    expect(lines.filter((line) => line.startsWith("failed: "))).toEqual([]);
    expect(lines.at(-1)).toMatch(/^\d{4,} passed, 0 failed$/);
    expect(code).toBe(0);
    const leftOut = lines.flatMap((line) => /^left out: ([\w-]+) \(.+\)$/.exec(line)?.[1] ?? []);
    expect(leftOut.sort()).toEqual(["every-screen", "features-postgres", "journeys", "lab"]);
  },
  TAKES_MS,
);
