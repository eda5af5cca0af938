import { expect, test, vi } from "vitest";
import { besideOneAnother, whyEnded } from "./build.mjs";
import { run } from "./command.mjs";

/** Works that record how many of them ran at once. */
function works(failing: readonly number[] = []) {
  let going = 0;
  const seen = { most: 0, done: 0 };
  const all = [0, 1, 2].map((number) => async () => {
    seen.most = Math.max(seen.most, ++going);
    await new Promise(setImmediate);
    going--;
    if (failing.includes(number)) throw new Error(`part ${number}`);
    seen.done++;
  });
  return { all, seen };
}

test("parts are built in parallel if there is memory for it, otherwise one at a time", async () => {
  for (const { freeMb, most } of [
    { freeMb: 4_000, most: 3 },
    { freeMb: 900, most: 1 },
  ]) {
    const { all, seen } = works();
    await besideOneAnother(all, freeMb * 1e6);
    expect(seen).toEqual({ most, done: 3 });
  }
});

test("a failed part is reported, and the others are finished", async () => {
  for (const free of [4e9, 9e8]) {
    const { all, seen } = works([0]);
    await expect(besideOneAnother(all, free)).rejects.toThrow("part 0");
    expect(seen.done).toBe(2);
  }
});

test("a build that the system killed says so, with what to do; one that failed by itself does not", async () => {
  const killed = await run(process.execPath, ["-e", "process.kill(process.pid, 'SIGKILL')"]);
  expect(whyEnded(killed)).toMatch(
    /^The system ended the build \(SIGKILL\), most likely for want of memory: .*swapon.*npm run package/,
  );
  vi.spyOn(process, "constrainedMemory").mockReturnValue(700e6);
  expect(whyEnded(killed), "in a container").toContain("this machine has 700 MB in all");
  const full = await run(process.execPath, ["--max-old-space-size=8", "-e", "const all = []; for (;;) all.push({})"]);
  expect(whyEnded(full)).toContain("for want of memory");
  const wrong = await run(process.execPath, ["-e", "throw new Error('a typo')"]);
  expect(whyEnded(wrong)).toBeNull();
});
