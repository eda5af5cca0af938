import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { Api } from "@krug/contract/api";
import { ROOT } from "../scripts/command.mjs";
import type { Namespace, Started } from "./namespace.ts";
import { type LabNetwork, relayTo, until } from "./network.ts";
import { codeNow } from "./time-code.ts";

const PORT = 3001;
const START_PATIENCE_MS = 60_000;

type Call = keyof Api & string;
type Sent<Key extends Call> = {
  [Part in "params" | "query" | "body" as Api[Key][Part] extends undefined ? never : Part]?: Api[Key][Part];
};

/** Someone who uses the panel's API the way a person with a browser does. */
export interface Visitor {
  /** The answer's body; a refusal throws an Error with its status, code and sentence. */
  ask<Key extends Call>(key: Key, sent?: Sent<Key>): Promise<Api[Key]["answer"]>;
  /** A config's file, as saved on the device. */
  download(configId: string): Promise<string>;
}

/** The built panel on a lab machine. It can be stopped and started again on the same data. */
export interface LabPanel {
  readonly dataDir: string;
  /** e.g. http://127.0.0.1:40123; leads to the panel's loopback. The same over all starts. */
  readonly url: string;
  /** Where it listens on its own machine. */
  readonly port: number;
  /** By `node` like a service manager, or by `npm start` like a person. */
  start(by?: "node" | "npm"): Promise<void>;
  /** Sends the signal to the started process. Returns the exit code, null if the signal itself ended it. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
  pid(): number;
  /** All output, over all starts. */
  output(): string;
  guest(): Visitor;
  as(token: string): Visitor;
}

export interface PanelOptions {
  env?: Record<string, string>;
  /** Its data; a new folder by default. */
  dataDir?: string;
  /** Relative to the repository's root. */
  program?: string;
  /** The program and arguments that start it, for a user other than root. Called at each start. */
  by?(): readonly string[];
}

/** Starts the panel and waits until it can serve. */
export async function startPanel(network: LabNetwork, at: Namespace, options: PanelOptions = {}): Promise<LabPanel> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(network.folder, "panel-")));
  const { url } = await relayTo(network, at, PORT);
  const starts: Started[] = [];

  // Machines share a disk here, but each has its own memory.
  const own = { MACHINE_DIR: join(network.folder, `machine-${at.name}`) };
  const env = {
    LOG_LEVEL: "debug",
    SECURITY_GATE: "off",
    ...own,
    ...options.env,
    DATA_DIR: dataDir,
    PORT: String(PORT),
  };

  const startAs = ([first = "", ...rest]: string[]) => at.start(first, rest, { env, cwd: dataDir });

  async function start(by: "node" | "npm" = "node") {
    const program = ROOT + (options.program ?? "apps/server/dist/main.js");
    const panel =
      by === "npm"
        ? await at.start("npm", ["start"], { env, cwd: ROOT })
        : await startAs([...(options.by?.() ?? []), process.execPath, program]);
    starts.push(panel);
    await until(
      "the panel serves",
      async () => {
        if (panel.process.exitCode !== null) throw new Error(`The panel ended: ${panel.output()}`);
        return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) }).catch(() => null))?.ok;
      },
      START_PATIENCE_MS,
    );
  }

  const panel: LabPanel = {
    dataDir,
    url,
    port: PORT,
    start,
    async end(signal) {
      const last = starts.at(-1);
      await last?.kill(signal);
      return last?.process.exitCode ?? null;
    },
    pid: () => starts.at(-1)?.pid ?? 0,
    output: () => starts.map((started) => started.output()).join(""),
    ...visitorsOf(url),
  };
  await start();
  return panel;
}

/** Visitors of the panel at this address, without and with a session. */
export function visitorsOf(url: string): Pick<LabPanel, "guest" | "as"> {
  const visitor = (token: string | null): Visitor => {
    const send = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    };
    return {
      async ask(key, sent) {
        const [method = "", path = ""] = key.split(" ");
        const {
          params = {},
          query = {},
          body,
        } = (sent ?? {}) as { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
        const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : "";
        const text = await send(method, filled + search, body);
        return (text === "" ? undefined : JSON.parse(text)) as never;
      },
      download: (configId) => send("GET", `/vpn/configs/${configId}/download`),
    };
  };
  return { guest: () => visitor(null), as: (token) => visitor(token) };
}

/** A panel that somebody else started. */
export type Reached = Pick<LabPanel, "guest" | "as" | "output">;

export const PASSWORD = "correct horse battery";

/** Opens the one-time link from the first start, creates the first admin and passes the second factor. */
export async function setUpAdmin(
  panel: Reached,
): Promise<{ admin: Visitor; token: string; id: string; secret: string }> {
  const link = await until("the set-up link is printed", () => /\/setup#token=(\S+)/.exec(panel.output())?.[1]);
  const setUp = await panel
    .guest()
    .ask("POST /auth/setup", { body: { token: link, username: "olga", password: PASSWORD } });
  const { token, secret } = await enableSecondFactor(panel, setUp);
  return { admin: panel.as(token), token, id: setUp.user.id, secret };
}

/** Sets up two-factor entry for a signed-in person; returns the session's new token. */
export async function passSecondFactor(panel: Pick<Reached, "as">, signedIn: SignedIn): Promise<string> {
  return (await enableSecondFactor(panel, signedIn)).token;
}

interface SignedIn {
  token: string;
  user: { id: string };
}

async function enableSecondFactor(panel: Pick<Reached, "as">, { token, user }: SignedIn) {
  const params = { id: user.id };
  const { secret } = await panel.as(token).ask("GET /totp/{id}/status", { params });
  if (secret === null) throw new Error("no secret to set two-factor entry up with");
  const body = { secret, token: codeNow(secret) };
  return { secret, token: (await panel.as(token).ask("POST /totp/{id}/enable", { params, body })).token };
}

/** Someone joins with an invite code from the admin and gets a month's subscription. */
export async function invite(panel: Reached, admin: Visitor, username: string) {
  const interfaces = await until("the machine is a server", async () => {
    const all = await admin.ask("GET /admin/servers/interfaces");
    return all.length > 0 ? all.map(({ id }) => id) : null;
  });
  const { code } = await admin.ask("POST /admin/invite-codes", { body: { interfaces, subscriptionDays: 30 } });
  const joined = await panel
    .guest()
    .ask("POST /auth/register", { body: { username, password: PASSWORD, inviteCode: code } });
  return { ...joined, member: panel.as(joined.token) };
}

/** A computer's config as the dialog would request it: the catalogue's 'all traffic', its first resolver and interface. */
export async function configInputOf(member: Visitor) {
  const [services, [dns], [place]] = await Promise.all([
    member.ask("GET /services"),
    member.ask("GET /dns"),
    member.ask("GET /vpn/available-interfaces"),
  ]);
  const all = services.find((service) => service.name === "Весь трафик");
  if (!all || !dns || !place) throw new Error("no service, resolver or interface to choose");
  return { deviceType: "computer" as const, services: [all.id], dns: dns.id, interfaceId: place.id };
}

export async function createConfig(member: Visitor, name: string) {
  return member.ask("POST /vpn/configs", { body: { ...(await configInputOf(member)), name } });
}
