import { afterAll, beforeAll, expect, test } from "vitest";
import { changeEverything } from "../testing/growing-tables.ts";
import { changeAsStaff } from "../testing/staff-changes.ts";
import { type Answers, makeReader, READS, told, watchChanges } from "../testing/stale-answers.ts";
import { type Club, type Person, startClub } from "../testing/start-club.ts";

/*
 * After every call that changes something, each list, page and count of staff is what it would be without anything that the panel
 * keeps: for an admin all of them, for a moderator those about the whole club. These are also read while the change is made, so that
 * one which began before it may be kept by mistake.
 */

/** What a path or query names, and a list that has some. */
const NAMED: Record<string, string> = {
  config: "/vpn/configs?scope=all",
  server: "/admin/servers",
  interface: "/admin/servers/interfaces",
  rule: "/admin/rules",
  code: "/admin/invite-codes",
  service: "/services",
  claim: "/admin/payments/claims",
};
/** What each call's parameter is, by the beginning of its path. */
const ABOUT: readonly [path: string, what: string][] = [
  ["/admin/servers/user-assignments/{id}", "member"],
  ["/admin/servers/interfaces/user/{userId}", "member"],
  ["/admin/servers/interfaces/{id}", "interface"],
  ["/admin/servers/{id}", "server"],
  ["/admin/configs/{id}", "config"],
  ["/admin/payments/members/{id}", "member"],
  ["/admin/payments/{period}", "month"],
  ["/admin/payments/history/{period}", "month"],
  ["/admin/payments/summary/{period}", "month"],
  ["/admin/rules/{id}", "rule"],
  ["/admin/invite-codes/{id}", "code"],
  ["/admin/support/conversations/{userId}", "member"],
  ["/admin/users/{id}", "member"],
  ["/users/{id}", "member"],
  ["/services/{id}", "service"],
];
/** What another machine or program answers or gets, which this club has none of. */
const LEFT_OUT = new Set([
  "/admin/servers/{id}/refresh",
  "/admin/servers/{id}/old-programs",
  "/admin/servers/{id}/setup",
  "/admin/webhooks/{id}/deliveries",
  "/admin/webhooks/{id}/deliveries/{deliveryId}",
  "/services/{id}/sources/{source}/versions",
  "/services/{id}/sources/{source}/versions/{version}",
]);
/** Queries without which a call refuses, and those by which lists are mostly read. */
const QUERIES: Record<string, readonly string[]> = {
  "/users": ["", "?sort=subscription&order=desc", "?state=blocked", "?q=member", "?devices=full"],
  "/admin/search": ["?q=member"],
  "/admin/rules/check": ["?userId={member}&target=198.51.100.1"],
  "/admin/invite-codes": ["", "?state=active"],
  "/admin/support/conversations": ["", "?show=waiting"],
  "/admin/support/tickets": ["", "?status=open"],
};
/** Besides the calls of staff alone. */
const ALSO = [
  "/vpn/configs?scope=all",
  "/vpn/configs?scope=all&filter=blocked",
  "/users/{member}",
  "/users/{member}/invited",
  "/services",
  "/dns",
  "/maintenance",
];

const paths = READS.filter(({ path, needs }) => needs !== undefined && !LEFT_OUT.has(path)).flatMap(({ path }) => {
  const what = ABOUT.find(([beginning]) => path.startsWith(beginning))?.[1];
  const filled = path.replace(/\{\w+\}/, () => `{${what ?? "?"}}`);
  return (QUERIES[path] ?? [""]).map((query) => filled + query);
});
const reads = [...paths, ...ALSO];
const ofClub = reads.filter((path) => !/[{?]/.test(path));

let club: Club;
let reader: Awaited<ReturnType<typeof makeReader>>;
beforeAll(async () => {
  club = await startClub();
  reader = await makeReader(club);
});
afterAll(async () => {
  await reader.stop();
  await club.stop();
});

test("each call of staff that reads is compared, or left out by name", () => {
  expect(reads.filter((path) => path.includes("{?}"))).toEqual([]);
  expect(new Set(reads).size).toBe(reads.length);
});

/** What says how the panel is doing at this moment, not what was changed. */
const withoutMoment = (answers: Answers) => {
  const said = told(answers);
  for (const [key, [, body]] of Object.entries(said))
    if (key.endsWith("/admin/system"))
      for (const part of ["jobs", "database"]) delete (body as Record<string, unknown>)[part];
  return said;
};

test("whatever is changed, every read of staff after it says so", async () => {
  const [admin, moderator] = [await club.admin({ username: "reader" }), await club.moderator({ username: "helper" })];
  /** The last one of each kind: after its deletion its page is asked for as well. */
  const ids = new Map([["month", club.clock.now().toISOString().slice(0, 7)]]);
  const filled = (paths: readonly string[]) =>
    paths
      .map((path) => path.replace(/\{(\w+)\}/g, (all, what) => ids.get(what) ?? all))
      .filter((path) => !path.includes("{"));
  const everything = () => [
    { person: admin, paths: filled(reads) },
    { person: moderator, paths: ofClub },
  ];
  const changes: string[] = [];
  let latest: Answers = new Map();
  /** Reads that were answered at least once. */
  const answered = new Set<string>();
  const learn = () => {
    for (const path of reads) {
      const [whole = ""] = filled([path]);
      if (latest.get(`${admin.username} ${whole}`)?.status === 200) answered.add(path);
    }
    for (const [what, list] of Object.entries(NAMED)) {
      const rows = latest.get(`${admin.username} ${list}`)?.body as { id: string }[] | undefined;
      if (rows?.[0]) ids.set(what, rows[0].id);
    }
  };
  const changed = async (line: string, change: () => Promise<unknown>) => {
    await club.settle();
    const beside = reader.read([{ person: admin, paths: ofClub }], latest);
    const result = await change();
    await beside;
    const after = await reader.read(everything(), latest);
    latest = await reader.readAnew(everything());
    const [said, anew] = [withoutMoment(after), withoutMoment(latest)];
    const stale = Object.keys(said).filter((key) => JSON.stringify(said[key]) !== JSON.stringify(anew[key]));
    if (stale.length > 0) {
      // Jobs go on after a change: what they have done meanwhile is said by both once they are through.
      await club.settle();
      latest = await reader.readAnew(everything());
      const later = withoutMoment(latest);
      for (const key of stale) expect([anew[key], later[key]], `${line}, then ${key}`).toContainEqual(said[key]);
    }
    learn();
    changes.push(line);
    return result;
  };
  /** The first member of each series of changes: most of them are about that one. */
  let isNext = false;
  const joined = ({ id }: Person, as: "admin" | "member") => {
    if (as === "member" && isNext) ids.set("member", id);
    isNext = as === "admin";
  };
  latest = await reader.readAnew(everything());
  learn();
  const watched = watchChanges(club, changed, joined);
  await changeEverything(watched);
  await changeAsStaff(watched);
  expect(changes.length).toBeGreaterThan(80);
  expect(reads.filter((path) => !answered.has(path))).toEqual([]);
}, 300_000);
