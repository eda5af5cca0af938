import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { refusalText } from "@krug/contract/refusals";
import type { PublicKey } from "@krug/wireguard/keys";
import { type App, makeApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { makeLocalHost, tearDown } from "./hosts/local.ts";
import { openInstallation, packagedGeoFiles, productVersion } from "./installation.ts";
import { systemClock } from "./platform/clock.ts";
import { systemNames } from "./platform/names.ts";
import { Refusal, refuse } from "./platform/refusal.ts";

const usage = `npm run krug -- COMMAND

  create-admin NAME      make an admin; asks for the password
  reset-password NAME    set a member's password; asks for it, ends his sessions
  reset-2fa NAME         let a member set up two-factor authentication anew
  maintenance-off        end the maintenance
  remove-tunnels         take this panel's interfaces and firewall off this machine; the next start brings them back

It works on the same DATA_DIR or DATABASE_URL as the panel, which may be running.`;

/** Asks without showing what is typed; takes the first line where input is not a terminal. */
async function askPassword(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stdout.write("Password: ");
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    if (isTerminal) process.stdout.write("\n");
  }
}

type Command = (app: App, argument: string) => Promise<string>;

const commands: Record<string, { takesName: boolean; run: Command }> = {
  "create-admin": {
    takesName: true,
    async run({ parts }, username) {
      await parts.auth.createAdmin({ username, password: await askPassword() });
      return `Admin ${username} made.`;
    },
  },
  "reset-password": {
    takesName: true,
    async run({ parts }, username) {
      await parts.auth.resetPassword(username, await askPassword());
      return `The password of ${username} is changed and his sessions are ended.`;
    },
  },
  "reset-2fa": {
    takesName: true,
    async run({ parts: { transact, members, twoFactor } }, username) {
      await transact(async (tx) => {
        const member = (await members.findByIdOrUsername(tx, username)) ?? refuse("member.not_found");
        await twoFactor.reset(tx, member.id, null);
      });
      return `${username} sets up two-factor authentication at the next entry.`;
    },
  },
  "maintenance-off": {
    takesName: false,
    async run({ parts: { transact, maintenance } }) {
      await transact((tx) => maintenance.set(tx, false, null));
      return "Maintenance is off.";
    },
  },
  "remove-tunnels": {
    takesName: false,
    async run({ parts: { db, servers, interfaces, panelId } }) {
      const own = (await servers.all(db)).filter((server) => server.panel_id === panelId);
      const keys = (await Promise.all(own.map((server) => interfaces.keysEverOn(db, server.id)))).flat();
      const { removedPeers } = await tearDown(makeLocalHost(), keys as PublicKey[]);
      return `This panel's interfaces are gone from this machine, with ${removedPeers.length} peers. The database is as it was.`;
    },
  },
};

async function main(): Promise<void> {
  const [name = "", argument = ""] = process.argv.slice(2);
  const command = commands[name];
  if (command === undefined || command.takesName !== (argument !== "")) {
    console.error(usage);
    process.exitCode = 2;
    return;
  }
  const config = { ...readConfig(process.env), logLevel: "silent" as const };
  const installation = await openInstallation(config, systemClock.now());
  const app = await makeApp({
    config,
    ...installation,
    clock: systemClock,
    localHost: null,
    names: systemNames,
    version: productVersion(),
    geoFiles: packagedGeoFiles(),
    webFolder: "",
    checkAnswers: false,
  });
  try {
    console.log(await command.run(app, argument));
  } finally {
    await app.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Refusal ? refusalText(error.code, "en", error.details) : (error as Error).message);
  process.exitCode = 1;
});
