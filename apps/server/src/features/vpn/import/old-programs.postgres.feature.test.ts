import type { ProbeReply } from "@krug/domain/probe";
import { generateKeyPair } from "@krug/wireguard/keys";
import { expect, test } from "vitest";
import { runOldProgram } from "../../../../testing/old-program.ts";
import { added, admin, club, rentMachine, setUp, vps } from "../../../../testing/rented-machine.ts";

let answer: Promise<ProbeReply>;
let greetings = 0;
rentMachine({
  greet: () => {
    greetings += 1;
    return answer;
  },
});

test("a panel that does not hold the import leaves it alone, and goes on with it once the other has ended", async () => {
  answer = Promise.resolve("silent");
  const { id } = await added();
  await setUp(id);
  const keys = generateKeyPair();
  const program = runOldProgram(vps, [{ name: "anna", keys }], "container");
  const other = await club.otherPanel();
  // Both hear of the import, and whoever takes its lease first goes on with it.
  await club.app.parts.heldLeases.hold(`import:${id}`);
  const params = { id };
  const device = {
    publicKey: keys.publicKey,
    newMember: { username: "anna" },
    name: "anna",
    deviceType: "phone",
  } as const;
  const body = { program: program.name, publicKey: program.own.publicKey, devices: [device] };
  expect(await club.as(admin).call("POST /admin/servers/{id}/old-programs/take", { params, body })).toMatchObject({
    status: 200,
  });
  await expect.poll(() => greetings, { timeout: 15_000 }).toBeGreaterThan(0);
  const state = async () =>
    (await other.as(admin).call("GET /admin/servers/{id}/old-programs", { params })).body.moved?.state;
  const before = [...program.calls];
  await club.app.parts.foundPrograms.stop();
  answer = Promise.resolve("answered");
  await other.app.parts.foundPrograms.timed[0]!.run();
  await other.app.parts.foundPrograms.stop();
  expect([await state(), program.calls]).toEqual(["answering", before]);
  await other.stop();

  const next = await club.otherPanel();
  await club.app.parts.heldLeases.release();
  await next.app.parts.foundPrograms.timed[0]!.run();
  const now = async () =>
    (await next.as(admin).call("GET /admin/servers/{id}/old-programs", { params })).body.moved?.state;
  await expect.poll(now, { timeout: 15_000 }).toBe("done");
  await next.stop();
});
