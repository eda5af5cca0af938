import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { refusalText } from "@krug/contract/refusals";
import type { PublicKey } from "@krug/wireguard/keys";
import { type App, makeApp } from "./app.ts";
import { type Config, readConfig } from "./config.ts";
import { makeHost, tearDown } from "./hosts/driver.ts";
import { localMachine } from "./hosts/local-machine.ts";
import { makeRemotes } from "./hosts/ssh/remotes.ts";
import {
  enginesIn,
  openInstallation,
  ownProtocols,
  packagedGeoFiles,
  packagedServerPrograms,
  productVersion,
} from "./installation.ts";
import { systemClock } from "./platform/clock.ts";
import { systemNames } from "./platform/names.ts";
import { Refusal, refuse } from "./platform/refusal.ts";
import { rotateKey } from "./platform/rotate-key.ts";
import { sealedColumns } from "./sealed.ts";

const usage = `npm run krug -- COMMAND

  create-admin NAME      make an admin; asks for the password
  reset-password NAME    set a member's password; asks for it, ends his sessions
  reset-2fa NAME         let a member set up two-factor authentication anew
  maintenance-off        end the maintenance
  rotate-key             make a new master key and seal every secret with it; the old one leaves the file
  remove-tunnels         take this panel's interfaces and firewall off this machine; the next start brings them back

It works on the panel's own database, which it names, and the panel may be running. Where a service runs the panel, give
its environment: node --env-file=/etc/krug.env apps/server/dist/cli.js COMMAND`;

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

type Command = (app: App, argument: string, config: Config) => Promise<string>;

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
  "rotate-key": {
    takesName: false,
    async run({ parts: { transact, sealing } }, _, { masterKeyFile: keyFile }) {
      let shown = 0;
      const told = (count: number) => {
        if (count === 0) console.log(`The new key is in ${keyFile}, before the old one.`);
        if (count - shown < 10_000) return;
        console.log(`${count} sealed anew.`);
        shown = count;
      };
      const rotation = await rotateKey({ transact, sealing, keyFile, columns: sealedColumns, told });
      const { keyId, resealed, unopened } = rotation;
      const left =
        unopened.length === 0 ? "" : ` ${unopened.length} open with no key and were left: ${unopened.join(", ")}.`;
      return `Everything is sealed with key ${keyId}, ${resealed} now; ${keyFile} holds it alone. Copy it to where you keep it. Copies of the database from before need the key from before.${left}`;
    },
  },
  "remove-tunnels": {
    takesName: false,
    async run({ parts: { db, servers, interfaces, panelId } }, _, config) {
      const own = (await servers.all(db)).filter((server) => server.panel_id === panelId);
      const keys = (await Promise.all(own.map((server) => interfaces.keysEverOn(db, server.id)))).flat();
      const { removedPeers } = await tearDown(makeHost(localMachine, ownProtocols(config)), keys as PublicKey[]);
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
  const installation = await openInstallation(config, systemClock.now(), { mustExist: true });
  console.error(`Database: ${installation.databasePlace}`);
  const app = await makeApp({
    config,
    ...installation,
    clock: systemClock,
    localHost: null,
    remotes: makeRemotes(packagedServerPrograms(), () => systemClock.now().getTime(), enginesIn(config)),
    names: systemNames,
    version: productVersion(),
    geoFiles: packagedGeoFiles(),
    webFolder: "",
    checkAnswers: false,
  });
  try {
    console.log(await command.run(app, argument, config));
  } finally {
    await app.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Refusal ? refusalText(error.code, "en", error.details) : (error as Error).message);
  process.exitCode = 1;
});
