import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { startClub } from "../../../../testing/start-club.ts";

test("others get their turn while thousands of devices are counted, and each is counted", async () => {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  const { traffic } = club.app.parts;
  const readings = Array.from({ length: 1_000 }, (_, n) => ({
    configId: randomUUID(),
    publicKey: `key-${n}`,
    rxBytes: n,
    txBytes: 2 * n,
    lastHandshakeAt: null,
  }));
  // Turns of the event loop, which other requests wait for.
  let turns = 0;
  let isOver = false;
  const note = () => {
    turns += 1;
    if (!isOver) setImmediate(note);
  };
  setImmediate(note);
  await traffic.count(readings, { takes: () => true });
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(10);
  const statsOf = await traffic.statsOf(
    club.db,
    readings.map(({ configId }) => configId),
  );
  expect(readings.map(({ configId }) => statsOf(configId).dataReceived)).toEqual(
    readings.map(({ txBytes }) => txBytes),
  );
  // The same again: nothing is counted twice.
  await traffic.count(readings, { takes: () => true });
  const again = await traffic.statsOf(club.db, [readings[999]?.configId ?? ""]);
  expect(again(readings[999]?.configId ?? "").dataReceived).toBe(1_998);
});
