import { afterEach, beforeEach, expect } from "vitest";
import { SshFailure } from "../src/hosts/remote.ts";
import type { FakeVps } from "./fake-remotes.ts";
import { type Heard, type Listening, listen } from "./listen.ts";
import { type Club, type Person, startClub } from "./start-club.ts";

export const AT = "203.0.113.9";
export const STEPS = ["install-docker", "install-wireguard", "configure-wireguard"] as const;
type StepCall = (typeof STEPS)[number];

export let club: Club;
export let admin: Person;
export let vps: FakeVps;
const streams: Listening[] = [];
/** Each test of this file gets a club with an admin, and an empty machine to set up. */
export function rentMachine(options: Parameters<typeof startClub>[0] = {}): void {
  beforeEach(async () => {
    club = await startClub(options);
    admin = await club.admin();
    vps = club.remotes.rent(AT);
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.leave();
    await club.stop();
  });
}

export const credentials = (change: object = {}) => ({
  host: AT,
  port: 22,
  username: "root",
  password: "right",
  ...change,
});
export const add = (body: object = {}) =>
  club.as(admin).send("POST", "/api/admin/servers", { name: "Хельсинки", credentials: credentials(), ...body });
export const added = async (body: object = {}) => {
  const answer = await add(body);
  expect(answer.status).toBe(201);
  return answer.body as { id: string; status: string; problem: string | null; fingerprint: string };
};
export const step = (id: string, name: StepCall, who = admin) =>
  club.as(who).call(`POST /admin/servers/{id}/${name}`, { params: { id } });
export const setUp = async (id: string) => {
  for (const name of STEPS) expect((await step(id, name)).body).toMatchObject({ running: false, success: true });
};
export const shown = async (id: string) =>
  (await club.as(admin).call("GET /admin/servers")).body.find((one) => one.id === id);
export const stepsOf = async (id: string) =>
  (await club.as(admin).call("GET /admin/servers/{id}/setup", { params: { id } })).body.steps.map(({ state }) => state);
/** The set-up's stream, and what came through it so far. */
export const watch = async (id: string) => {
  const stream = await listen(`${club.origin}/api/admin/servers/${id}/setup/stream`, { token: admin.token });
  streams.push(stream);
  const events: Heard[] = [];
  const hear = async () => {
    for (let heard = await stream.next(); heard !== undefined; heard = await stream.next()) events.push(heard);
  };
  hear().catch(() => {});
  return { events };
};
/** A line of a step that waits until the test releases it. */
export function gate() {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}
export const away = () => new SshFailure("silent");
