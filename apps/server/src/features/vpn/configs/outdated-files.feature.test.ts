import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/* Which files a changed list asks for again (ADR 163). */
const DAY_MS = 24 * 3_600_000;

let club: Club;
let boris: Person;
let count = 0;
beforeAll(async () => {
  club = await startClub();
});
afterAll(() => club.stop());
beforeEach(async () => {
  boris = await club.member({ configLimit: -1, subscriptionEnd: null, row: { is_unlimited: 1 } });
});

const serviceOf = async (...ips: string[]) => {
  count += 1;
  const body = { name: `Сервис ${count}`, ips };
  return (await club.as(await club.admin()).call("POST /services", { body })).body.id;
};
const setIps = async (id: string, ...ips: string[]) => {
  const changed = await club.as(await club.admin()).call("PUT /services/{id}", { params: { id }, body: { ips } });
  await club.settle();
  return changed.body;
};
const download = (id: string) => club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id } });
const deviceWith = async (name: string, ...services: string[]) => {
  const body = { ...(await configInput(club, boris, { name })), services };
  const { id } = (await club.as(boris).call("POST /vpn/configs", { body })).body;
  await download(id);
  // Each change has a time of its own.
  club.clock.advance(1_000);
  return id;
};
const marked = async () =>
  (await club.as(boris).call("GET /vpn/configs")).body.flatMap(({ name, needsDownload }) =>
    needsDownload ? name : [],
  );
const notices = async () =>
  (await club.as(boris).call("GET /inbox")).body.flatMap((one) => (one.kind === "files_outdated" ? [one] : []));
const named = async () => (await notices()).map(({ params }) => params.names);
const later = async (days: number) => {
  club.clock.advance(days * DAY_MS);
  for (const work of club.app.parts.configs.timed) if (work.name === "outdated files") await work.run();
};

test("a file is marked for an address that it lacks, not for one that its service lost", async () => {
  const service = await serviceOf("192.0.2.1", "192.0.2.2");
  await deviceWith("laptop", service);
  await setIps(service, "192.0.2.1");
  expect([await marked(), await named()]).toEqual([[], []]);
  await setIps(service, "192.0.2.1", "192.0.2.3");
  expect([await marked(), await named()]).toEqual([["laptop"], [["laptop"]]]);
});

test("not for an address that the file routes anyway: for another of its services, or since before", async () => {
  const [video, network] = [await serviceOf("192.0.2.1"), await serviceOf("198.51.100.0/24")];
  await deviceWith("both", video, network);
  await deviceWith("alone", video);
  await setIps(video, "192.0.2.1", "198.51.100.7");
  expect(await marked()).toEqual(["alone"]);
  await setIps(network, "198.51.100.0/25");
  club.clock.advance(1_000);
  await setIps(network, "198.51.100.0/24");
  expect(await marked(), "it came back").toEqual(["alone"]);
  await setIps(network, "198.51.100.0/23");
  expect((await marked()).toSorted()).toEqual(["alone", "both"]);
});

test("a file that was downloaded after its service lost an address lacks it when it comes back", async () => {
  const service = await serviceOf("192.0.2.1", "192.0.2.2");
  const id = await deviceWith("laptop", service);
  await setIps(service, "192.0.2.1");
  club.clock.advance(1_000);
  await download(id);
  club.clock.advance(1_000);
  await setIps(service, "192.0.2.1", "192.0.2.2");
  expect(await marked()).toEqual(["laptop"]);
});

test("a device is marked at most once in seven days, and then only if its file still lacks something", async () => {
  const service = await serviceOf("192.0.2.1");
  const [laptop, phone] = [await deviceWith("laptop", service), await deviceWith("phone", service)];
  await setIps(service, "192.0.2.1", "192.0.2.2");
  expect(await marked()).toHaveLength(2);
  club.clock.advance(1_000);
  await download(laptop);
  await download(phone);
  await later(1);
  await setIps(service, "192.0.2.1", "192.0.2.2", "192.0.2.3");
  expect(await marked()).toEqual([]);
  club.clock.advance(1_000);
  await download(phone);
  await later(5);
  expect(await marked()).toEqual([]);
  await later(1);
  expect(await marked()).toEqual(["laptop"]);
});

test("one notice a week is for all of a member's devices: an unread one names those that were marked later", async () => {
  const [video, music] = [await serviceOf("192.0.2.1"), await serviceOf("198.51.100.1")];
  const laptop = await deviceWith("laptop", video);
  await deviceWith("phone", video);
  await deviceWith("tablet", music);
  await setIps(video, "192.0.2.1", "192.0.2.2");
  expect(await named()).toEqual([["laptop", "phone"]]);
  club.clock.advance(1_000);
  await download(laptop);
  await later(2);
  await setIps(music, "198.51.100.1", "198.51.100.2");
  expect(await named(), "the laptop has its file").toEqual([["phone", "tablet"]]);
  const ids = (await notices()).map(({ id }) => id);
  await club.as(boris).call("POST /inbox/read", { body: { ids } });
  await deviceWith("tv", music);
  await setIps(music, "198.51.100.1", "198.51.100.2", "198.51.100.3");
  expect((await marked()).toSorted()).toEqual(["phone", "tablet", "tv"]);
  expect(await named(), "read: the cards say it").toHaveLength(1);
  await later(5);
  await setIps(video, "192.0.2.1", "192.0.2.2", "192.0.2.3");
  expect((await named())[0]).toEqual(["laptop", "phone", "tablet", "tv"]);
});

test("before an edit is saved, staff see exactly whose files it makes outdated", async () => {
  const service = await serviceOf("192.0.2.1", "192.0.2.2");
  await deviceWith("laptop", service);
  const effect = async (...ips: string[]) =>
    (await club.as(await club.admin()).call("POST /services/{id}/effect", { params: { id: service }, body: { ips } }))
      .body.toDownload;
  expect([await effect("192.0.2.1"), await effect("192.0.2.1", "192.0.2.3")]).toEqual([0, 1]);
});

test("a list that changes often keeps only what somebody has: an old file is still compared with its own list", async () => {
  const service = await serviceOf("192.0.2.1");
  await deviceWith("laptop", service);
  await setIps(service, "192.0.2.1", "192.0.2.2");
  for (let n = 3; n < 20; n += 1) {
    club.clock.advance(1_000);
    await setIps(service, "192.0.2.1", `192.0.2.${n}`);
  }
  const kept = (await club.allRows()).get("past_lists")?.filter((row) => row.service_id === service);
  expect(kept).toHaveLength(1);
});
