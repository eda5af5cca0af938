import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { Generation } from "./generation.ts";
import { makeLocalMemory } from "./local-memory.ts";

const OWN: Generation = { club: randomUUID(), number: 1, token: randomUUID(), since: 0 };
const RESTORED: Generation = { ...OWN, number: 2, token: randomUUID(), since: 5 };

let path: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "krug-machine-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  path = join(folder, "machine", "generations.db");
});

const panel = (own: Generation) => {
  const said: string[] = [];
  const guard = makeLocalMemory(
    path,
    async () => own,
    (why) => said.push(why),
  );
  return { ...guard, said, change: () => guard.whileCurrent(async () => "done") };
};
const SUPERSEDED = { name: "Superseded", outcome: "refused", by: { number: 2, token: RESTORED.token, since: 5 } };

test("the machine obeys the newest panel it has seen, and of two equal ones the first", async () => {
  const [old, restored] = [panel(OWN), panel(RESTORED)];
  expect(await old.change()).toBe("done");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await restored.change()).toBe("done");
  const twin = panel({ ...RESTORED, token: randomUUID() });
  for (const each of [old, twin]) {
    await expect(each.change()).rejects.toMatchObject(SUPERSEDED);
    await expect(each.refuseIfSuperseded()).rejects.toMatchObject(SUPERSEDED);
  }
  expect(await restored.change()).toBe("done");
  expect(await panel({ ...OWN, club: randomUUID() }).change()).toBe("done");
  // An operator's command makes the old one newer than both.
  expect(await panel({ ...OWN, number: 3 }).change()).toBe("done");
  await expect(restored.change()).rejects.toMatchObject({ by: { number: 3 } });
});

test("no newer panel takes over in the middle of a change, and no change starts after it", async () => {
  const [old, restored] = [panel(OWN), panel(RESTORED)];
  const order: string[] = [];
  let end = () => {};
  const first = old.whileCurrent(async () => {
    order.push("old begins");
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    order.push("old ends");
  });
  await expect.poll(() => order).toEqual(["old begins"]);
  const second = restored.whileCurrent(async () => void order.push("restored"));
  await wait(150);
  expect(order).toEqual(["old begins"]);
  end();
  await Promise.all([first, second]);
  expect(order).toEqual(["old begins", "old ends", "restored"]);
  await expect(old.change()).rejects.toMatchObject(SUPERSEDED);
});

test("panels of one database change it side by side", async () => {
  const both = [panel(OWN), panel(OWN)];
  await Promise.all(both.map((each) => each.change()));
  let inside = 0;
  await Promise.all(
    both.map(({ whileCurrent }) =>
      whileCurrent(async () => {
        inside++;
        await expect.poll(() => inside).toBe(2);
      }),
    ),
  );
});

test("a check makes no file and stores nothing", async () => {
  await panel(RESTORED).refuseIfSuperseded();
  expect(existsSync(path)).toBe(false);
  await panel(OWN).change();
  await panel(RESTORED).refuseIfSuperseded();
  expect(await panel(OWN).change()).toBe("done");
});

test("the file at the path counts, even for a panel that still has the previous one open", async () => {
  const [old, restored] = [panel(OWN), panel(RESTORED)];
  await old.change();
  rmSync(path);
  await restored.change();
  await expect(old.change()).rejects.toMatchObject(SUPERSEDED);
  expect(await restored.change()).toBe("done");
});

test("a file deleted after the change that made it is recreated", async () => {
  const own = panel(OWN);
  await own.change();
  rmSync(path);
  await own.change();
  expect(existsSync(path)).toBe(true);
});

test("concurrent changes of one panel each hold the machine until they end", async () => {
  const [old, restored] = [panel(OWN), panel(RESTORED)];
  const ends: (() => void)[] = [];
  const first = old.whileCurrent(() => new Promise<void>((resolve) => ends.push(resolve)));
  await expect.poll(() => ends).toHaveLength(1);
  await old.change();
  let isObeyed = false;
  const second = restored.whileCurrent(async () => {
    isObeyed = true;
  });
  await wait(150);
  expect(isObeyed).toBe(false);
  ends[0]?.();
  await Promise.all([first, second]);
  expect(isObeyed).toBe(true);
});

test("if the machine can store nothing, work continues and that is reported once", async () => {
  writeFileSync(join(path, "..", "..", "machine"), "in the way");
  const { change, said } = panel(OWN);
  expect([await change(), await change()]).toEqual(["done", "done"]);
  expect(said).toHaveLength(1);
});

test("a damaged file refuses instead of being treated as empty", async () => {
  const restored = panel(RESTORED);
  await restored.change();
  const bytes = readFileSync(path);
  bytes.fill(7, 0, 200);
  writeFileSync(path, bytes);
  chmodSync(path, 0o600);
  for (const each of [panel(OWN), restored]) await expect(each.change()).rejects.toThrow(/is damaged/);
});
