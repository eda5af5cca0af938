import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { formatBytes } from "@krug/domain/traffic";
import { z } from "zod";
import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import { makeAddMember } from "../features/members/members/index.ts";
import { type Importing, makeImporting } from "../features/vpn/import/importing.ts";
import { makeInterfaceChanges } from "../features/vpn/interfaces/change-interface.ts";
import type { Host } from "../hosts/host.ts";
import { findPrograms, How, type OldProgram } from "./find-programs.ts";
import { attempt, run } from "./run.ts";
import type { MovingWords } from "./words-en.ts";

export interface ImportOptions {
  /** Devices without a member go to this one. */
  to?: string;
  /** Or become members, with a subscription until this day. */
  "new-members"?: string;
  back?: boolean;
  yes?: boolean;
}

interface Around {
  app: App;
  config: Config;
  host: Host;
  say: MovingWords;
  sentenceOf(error: unknown): string;
  isConfirmed(question: string): Promise<boolean>;
}

type Preview = Awaited<ReturnType<Importing["preview"]>>;

const ANSWERS_WITHIN_MS = 90_000;
const LOOKS_EVERY_MS = 1_000;
/** Who does it: the operator of the machine, who is no member. */
const OPERATOR = { memberId: null };

const Moved = z.object({ name: z.string(), how: How, serverId: z.string(), publicKey: z.string() });

/**
 * Imports the interface of wg-quick on this machine. The panel goes on with it, so no packet is lost; if it does not answer then, the
 * old program brings it up again (docs/adr/0202-the-old-program-can-come-back.md).
 */
export async function importCommand(name: string, options: ImportOptions, around: Around): Promise<string> {
  const { app, config, host, say } = around;
  const { parts } = app;
  const record = join(config.dataDir, "moved-in.json");
  const importing = makeImporting({ ...parts, addMember: makeAddMember(parts) });
  const changes = makeInterfaceChanges({ ...parts, usage: parts.configs.usage });
  const server = (await parts.servers.all(parts.db)).find(
    ({ driver, panel_id }) => driver === "local" && panel_id === parts.panelId,
  );
  if (server === undefined) throw new Error(say.noServer);

  const readOf = ({ files, isAmneziawg }: OldProgram) => ({ file: files, ...(isAmneziawg ? { amneziawg: true } : {}) });
  const preview = (program: OldProgram) => importing.preview(server.id, readOf(program), []);
  const placeOf = async (publicKey: string) =>
    [...(await parts.interfaces.places(parts.db)).values()].find((place) => place.interface.public_key === publicKey);

  const until = async (isSo: () => Promise<boolean>): Promise<boolean> => {
    const end = Date.now() + ANSWERS_WITHIN_MS;
    while (!(await isSo())) {
      if (Date.now() > end) return false;
      await wait(LOOKS_EVERY_MS);
    }
    return true;
  };

  /** Removes the club's interface, if it came to that, and starts what served its devices before. */
  const goBack = async ({ how, publicKey }: z.output<typeof Moved>) => {
    const place = await placeOf(publicKey);
    if (place !== undefined) {
      const use = (await parts.configs.usage.byInterface(parts.db, true)).get(place.interface.id);
      await changes.remove(OPERATOR, place.server.id, place.interface.id, use?.configs ?? 0);
    }
    const isGone = async () => (await host.read()).every((each) => each.publicKey !== publicKey);
    if (place !== undefined && !(await until(isGone))) throw new Error(say.stillHere(place.interface.interface_name));
    await startOld(how);
    rmSync(record, { force: true });
  };

  const takeOver = async (program: OldProgram): Promise<string> => {
    const { how } = program;
    if (how === null) throw new Error(say.container(program.name, program.files.map(({ name }) => name).join(", ")));
    const first = await preview(program);
    const left = wishOf(first, options, null).left;
    if (options.yes !== true && !(await around.isConfirmed(say.takeQuestion(program.name, String(left)))))
      return say.nothing;
    const owner = options.to === undefined ? null : await parts.members.findByIdOrUsername(parts.db, options.to);
    if (owner === undefined) throw new Error(say.noMember(options.to ?? ""));
    const moved = { name: program.name, how, serverId: server.id, publicKey: first.publicKey };
    // Before anything ends, so that the way back is there whatever happens to this command.
    writeFileSync(record, `${JSON.stringify(moved)}\n`, { mode: 0o600 });
    let links: string[] = [];
    try {
      const { devices } = wishOf(first, options, owner?.id ?? null);
      const { invited } = await importing.takeIn(
        OPERATOR,
        server.id,
        {
          ...readOf(program),
          devices,
          ...(options["new-members"] === undefined ? {} : { newMembersUntil: options["new-members"] }),
        },
        config.publicUrl?.origin ?? `http://127.0.0.1:${config.port}`,
      );
      links = invited.map(({ username, link }) => `${username}  ${link}`);
      const place = await placeOf(first.publicKey);
      if (place === undefined || !(await until(() => parts.probe.answers(place.interface.id))))
        throw new Error(say.silent);
      await retireOld(how);
      return [say.done(program.name, String(devices.length)), ...(links.length > 0 ? [say.links, ...links] : [])].join(
        "\n",
      );
    } catch (error) {
      await goBack(moved);
      const stayed = links.length > 0 ? [say.stayed, ...links] : [];
      throw new Error([say.wentBack(around.sentenceOf(error)), ...stayed].join("\n"), { cause: error });
    }
  };

  if (options.back === true) {
    if (!existsSync(record)) throw new Error(say.nothingMoved);
    const moved = Moved.parse(JSON.parse(readFileSync(record, "utf8")));
    if (options.yes !== true && !(await around.isConfirmed(say.backQuestion(moved.name)))) return say.nothing;
    await goBack(moved);
    return say.back(moved.name);
  }
  const programs = await findPrograms();
  if (name !== "") {
    const program = programs.find((each) => each.name === name);
    if (program === undefined) throw new Error(say.notFound(name));
    if (existsSync(record)) throw new Error(say.oneAtATime);
    return takeOver(program);
  }
  const shown = programs.map(async (program) =>
    preview(program).then(
      (seen) => described(program, seen, say),
      (error: unknown) => `${program.name}: ${around.sentenceOf(error)}`,
    ),
  );
  return programs.length === 0 ? say.none : [...(await Promise.all(shown)), say.how].join("\n\n");
}

/** What to do with each device, and how many stay behind. */
function wishOf({ devices }: Preview, options: ImportOptions, toId: string | null) {
  const names = new Set<string>();
  const wished = devices.flatMap((device) => {
    if (device.strange !== null) return [];
    const memberId = device.suggestedOwner?.id ?? toId;
    const newMember = { username: device.suggestedUsername, displayName: device.name ?? device.suggestedUsername };
    const whose =
      memberId !== null ? { userId: memberId } : options["new-members"] !== undefined ? { newMember } : null;
    if (whose === null && options.to === undefined) return [];
    names.add(device.suggestedName);
    return [{ publicKey: device.publicKey, ...whose, name: device.suggestedName, deviceType: "computer" as const }];
  });
  return { devices: wished, left: devices.length - wished.length };
}

function described(program: OldProgram, seen: Preview, say: MovingWords): string {
  const port = program.port ?? seen.listenPort;
  const kind = seen.amneziawg === null ? "WireGuard" : `AmneziaWG ${seen.amneziawg.version}`;
  const lines = seen.devices.map((device) =>
    [
      `  ${device.address ?? "-"}`,
      device.name ?? device.publicKey,
      ...(device.suggestedOwner === null ? [] : [say.owner(device.suggestedOwner.username)]),
      ...(device.isEnabled ? [] : [say.off]),
      ...(device.endsAt === null ? [] : [say.until(device.endsAt.slice(0, 10))]),
      ...(device.traffic === null
        ? []
        : [say.traffic(formatBytes(device.traffic.sent), formatBytes(device.traffic.received))]),
      ...(device.hasPrivateKey ? [] : [say.noKey]),
      ...(device.strange === null ? [] : [say.stays]),
    ].join("  "),
  );
  const left = [...seen.ignored, ...seen.unread.map(({ field }) => field)];
  return [
    `${program.name}: ${kind}, ${seen.subnet}${port === null ? "" : `, ${port}/udp`}`,
    ...lines,
    ...(left.length > 0 ? [say.left(left.join(", "))] : []),
  ].join("\n");
}

/** It does not come back at the next start of the machine. */
async function retireOld(how: How): Promise<void> {
  if (how.isEnabled) await run("systemctl", ["disable", `${how.quick}@${how.name}`]);
}

async function startOld(how: How): Promise<void> {
  if (how.isEnabled) await run("systemctl", ["enable", `${how.quick}@${how.name}`]);
  if ((await attempt("ip", ["link", "show", how.name])) === null) {
    if (how.isEnabled) await run("systemctl", ["restart", `${how.quick}@${how.name}`]);
    else await run(how.quick, ["up", how.name]);
  }
}
