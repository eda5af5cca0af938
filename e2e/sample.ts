import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Api } from "@krug/contract/api";
import type { App } from "../apps/server/src/app.ts";
import type { InviteTables } from "../apps/server/src/features/access/invites/table.ts";
import { SAMPLE_PASSWORD } from "../apps/server/testing/sample-club.ts";
import { startSamplePanel } from "../apps/server/testing/sample-panel.ts";
import { ensureBuilt } from "../scripts/build.mjs";
import { ROOT } from "../scripts/command.mjs";
import { giveStagedAnswers } from "./screens/staged.ts";
import { serveAxe } from "./seen.ts";

const MINUTE_MS = 60_000;
const GB = 2 ** 30;
/** The browser that they sign in with, as shown in their list of sessions. */
const BROWSER =
  "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Mobile Safari/537.36";

export interface SampleClub {
  readonly url: string;
  /** For what no call can do, such as thousands of members. */
  readonly app: App;
  /** A session token of one of the sample club's people. Staff tokens have passed the second factor. */
  signIn(username: string): Promise<string>;
  /** A call by an admin past the second factor. */
  asAdmin<K extends keyof Api & string>(key: K, path: string, body?: object): Promise<Api[K]["answer"]>;
  /** A staff code for one friend: all interfaces, a month. */
  inviteCode(): Promise<string>;
  /** The device of this config file connects. */
  connect(file: string): Promise<void>;
  /** An empty machine at this address, whose root password is `right`. */
  rent(at: string): void;
  setMaintenance(isOn: boolean): Promise<void>;
  /** Pretends this much time has passed since the last wrong invite code, ms. */
  ageWrongCodes(ms: number): Promise<void>;
  remove(): Promise<void>;
}

/** The built web client in front of a sample club with devices in use, on its own data and a free port. */
export async function startSampleClub(): Promise<SampleClub> {
  await ensureBuilt();
  const dataDir = await mkdtemp(join(tmpdir(), "krug-sample-"));
  const { app, host, remotes, url } = await startSamplePanel({
    environment: { PORT: "0", LOG_LEVEL: "silent" },
    dataDir,
    webFolder: join(ROOT, "apps", "web", "dist"),
    beforeListening(server) {
      serveAxe(server);
      giveStagedAnswers(server);
    },
  });
  const { db, transact, members, auth, maintenance } = app.parts;
  const call = async <Answer>(method: string, path: string, token: string | null, body?: object): Promise<Answer> => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        "user-agent": BROWSER,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as Answer;
  };
  const signIn = async (username: string) => {
    const wish = { username, password: SAMPLE_PASSWORD };
    const { token } = await call<{ token: string }>("POST", "/auth/login", null, wish);
    return elevated(token);
  };
  /** The session's token. For staff, the one after the second factor. */
  const elevated = async (token: string) => {
    const actor = await auth.authenticate(token, true);
    return actor === null ? token : (await transact((tx) => auth.renewToken(tx, actor, true))).token;
  };

  const [phone, , laptop, friendsPhone] = host.peers();
  const use = (peer: { publicKey: string } | undefined, received: number, sent: number, minutesAgo: number) =>
    peer &&
    host.use(
      peer.publicKey,
      { rx: Math.round(sent * GB), tx: Math.round(received * GB) },
      Date.now() - minutesAgo * MINUTE_MS,
    );
  use(phone, 0.4, 0.1, 1);
  // Keeps it online for later checks, unless a test has removed or cut it off.
  const isOn = () =>
    host.peers().some(({ publicKey, allowedIps }) => publicKey === phone?.publicKey && allowedIps.length > 0);
  const inUse = setInterval(() => isOn() && use(phone, 0, 0, 1), MINUTE_MS);
  use(laptop, 0.7, 0.3, 26 * 60);
  use(friendsPhone, 0.2, 0.1, 300);
  await app.parts.jobs.settled(await app.lookAtServers(), 10_000);
  const marina = await signIn("marina");
  await call("GET", "/vpn/configs", marina);
  await call("POST", "/users/generate-invite", marina, {});
  await app.parts.referral.recount();

  const admin = await members.findByUsername(db, "admin");
  if (!admin) throw new Error("the sample club has no admin");
  const adminsToken = await elevated((await transact((tx) => auth.openSession(tx, admin, null))).token);

  const asAdmin: SampleClub["asAdmin"] = (key, path, body) => call(key.split(" ")[0] ?? "GET", path, adminsToken, body);

  return {
    url,
    app,
    signIn,
    asAdmin,
    async inviteCode() {
      const interfaces = (await asAdmin("GET /admin/servers/interfaces", "/admin/servers/interfaces")).map(
        ({ id }) => id,
      );
      const wish = { interfaces, subscriptionDays: 30 };
      return (await asAdmin("POST /admin/invite-codes", "/admin/invite-codes", wish)).code;
    },
    async connect(file) {
      const address = /^Address = ([\d.]+)/m.exec(file)?.[1];
      use(
        host.peers().find(({ allowedIps }) => allowedIps.includes(`${address}/32`)),
        0.01,
        0.01,
        0,
      );
      await app.parts.jobs.settled(await app.lookAtServers(), 10_000);
    },
    rent: (at) => void remotes.rent(at),
    setMaintenance: (isOn) => transact(async (tx) => void (await maintenance.set(tx, isOn, null))),
    ageWrongCodes: (ms) =>
      transact(async (tx) => {
        await tx
          .withTables<InviteTables>()
          .updateTable("invite_attempts")
          .set((row) => ({ last_wrong_at: row("last_wrong_at", "-", ms) }))
          .execute();
      }),
    async remove() {
      clearInterval(inUse);
      await app.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
