import { generateKeyPair } from "@krug/wireguard/keys";
import { afterEach, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { presharedKeyOf } from "./keys.ts";
import * as repository from "./repository.ts";

let club: Club;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  boris = await club.member();
});
afterEach(() => club.stop());

const make = async (owner: Person, name: string) =>
  (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) })).body;
const remove = (id: string) => club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
const rowOf = async (id: string) => (await club.app.parts.configs.byIds(club.db, [id]))[0];

/** Runs `work` in a transaction that locks the config's row, and commits only once `meanwhile` is waiting. */
async function whileHeld(
  id: string,
  work: (tx: Parameters<typeof repository.lockAny>[0]) => Promise<void>,
  meanwhile: () => Promise<unknown>,
) {
  let isHeld = () => {};
  const held = new Promise<void>((resolve) => {
    isHeld = resolve;
  });
  let letGo = () => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const change = club.transact(async (tx) => {
    await repository.lockAny(tx, id);
    await work(tx);
    isHeld();
    await free;
  });
  await held;
  const other = meanwhile();
  // Long enough to reach the lock; on a slower machine the test is easier, not red.
  await new Promise((resolve) => setTimeout(resolve, 300));
  letGo();
  await change;
  await other;
}

test("a config restored at the last moment is not destroyed", async () => {
  const { id } = await make(boris, "laptop");
  const before = await rowOf(id);
  await remove(id);
  club.clock.advance(61_000);
  await whileHeld(
    id,
    (tx) => repository.update(tx, id, { deleted_at: null }),
    () => club.app.parts.configs.purgePast(),
  );
  expect(await rowOf(id)).toMatchObject({ deleted_at: null, address: before?.address, public_key: before?.public_key });
});

test("deleting a member while one of their keys is being replaced leaves nothing on the wire", async () => {
  const { id } = await make(boris, "laptop");
  const row = (await rowOf(id)) ?? expect.unreachable();
  const { publicKey } = generateKeyPair();
  const admin = await club.admin();
  await whileHeld(
    id,
    async (tx) => {
      await repository.update(tx, id, { public_key: publicKey });
      // The new key reached the wire before the deletion did.
      const [tunnel] = [...club.host.interfaces.values()];
      await club.host.applyPeers({
        interfaceName: tunnel?.name ?? "",
        interfaceKey: tunnel?.publicKey ?? publicKey,
        upsert: [
          {
            publicKey,
            presharedKey: presharedKeyOf(club.app.parts.sealing, row),
            allowedIps: [`${row.address}/32`],
          },
        ],
        remove: [row.public_key as typeof publicKey],
      });
    },
    () => club.as(admin).call("DELETE /users/{id}", { params: { id: boris.id } }),
  );
  await club.settle();
  expect(club.host.peers()).toEqual([]);
});

test("of several who send one public key at once one gets the config, the others hear that it is taken", async () => {
  const others = await Promise.all(Array.from({ length: 7 }, () => club.member()));
  for (let round = 0; round < 4; round++) {
    const { publicKey } = generateKeyPair();
    const wishes = await Promise.all(
      [boris, ...others].map(async (owner) => ({
        owner,
        body: await configInput(club, owner, { name: `r${round}`, publicKey }),
      })),
    );
    // Each with a free slot, so that only the key can be refused.
    const answers = await Promise.all(
      wishes.map(({ owner, body }) => club.as(owner).call("POST /vpn/configs", { body })),
    );
    expect(answers.map((answer) => answer.code ?? answer.status).sort()).toEqual([
      201,
      ...others.map(() => "config.key_taken"),
    ]);
    for (const { owner } of wishes)
      for (const config of (await club.as(owner).call("GET /vpn/configs")).body)
        await club.as(owner).call("DELETE /vpn/configs/{id}", { params: { id: config.id } });
  }
});

test("two configs cannot both get one public key at once", async () => {
  const rich = await club.member({ configLimit: 8 });
  const ids: string[] = [];
  for (let i = 0; i < 8; i++) ids.push((await make(rich, `device-${i}`)).id);
  const { publicKey } = generateKeyPair();
  const answers = await Promise.all(
    ids.map((id) => club.as(rich).call("POST /vpn/configs/{id}/key", { params: { id }, body: { publicKey } })),
  );
  expect(answers.map((answer) => answer.code ?? answer.status).sort()).toEqual([
    200,
    ...ids.slice(1).map(() => "config.key_taken"),
  ]);
});

test("restoring does not exceed the limit even if the subscription has ended meanwhile", async () => {
  const at = club.clock.now().getTime();
  const leaving = await club.member({ configLimit: 1, subscriptionEnd: at + 10_000 });
  const first = await make(leaving, "first");
  await club.as(leaving).call("DELETE /vpn/configs/{id}", { params: { id: first.id } });
  await make(leaving, "second");
  club.clock.advance(20_000);
  const back = await club.as(leaving).call("POST /vpn/configs/{id}/restore", { params: { id: first.id } });
  expect(back.code).toBe("config.limit_reached");
});
