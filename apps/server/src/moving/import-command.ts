import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { formatBytes } from "@krug/domain/traffic";
import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import type { Importing } from "../features/vpn/import/importing.ts";
import type { Host } from "../hosts/host.ts";
import { writeWhole } from "../platform/archive/whole-file.ts";
import { makeOldPrograms, type OldProgram } from "./old-programs.ts";
import { runHere } from "./run.ts";
import { type Invited, Moved, makeTakeOver, Silent, StillHere, WentBack } from "./take-over.ts";
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
  /** old-programs.sh */
  script: string;
  say: MovingWords;
  sentenceOf(error: unknown): string;
  isConfirmed(question: string): Promise<boolean>;
}

type Preview = Awaited<ReturnType<Importing["preview"]>>;

/**
 * Imports the interface of another program on this machine. The panel goes on with it; if it does not answer then, the old program
 * brings it up again (docs/adr/0202-the-old-program-can-come-back.md).
 */
export async function importCommand(name: string, options: ImportOptions, around: Around): Promise<string> {
  const { app, config, host, say } = around;
  const { parts } = app;
  const file = join(config.dataDir, "moved-in.json");
  const server = (await parts.servers.all(parts.db)).find(
    ({ driver, panel_id }) => driver === "local" && panel_id === parts.panelId,
  );
  if (server === undefined) throw new Error(say.noServer);
  const programs = makeOldPrograms(runHere(around.script));
  const givenUp = new AbortController();
  const record = {
    write: async (moved: Moved) => void (await writeWhole(Readable.from([`${JSON.stringify(moved)}\n`]), file)),
    clear: async () => rmSync(file, { force: true }),
  };
  const moving = makeTakeOver({
    parts,
    server,
    host,
    programs,
    record,
    memberId: null,
    origin: config.publicUrl?.origin ?? `http://127.0.0.1:${config.port}`,
    signal: givenUp.signal,
  });
  const last = existsSync(file) ? Moved.parse(JSON.parse(readFileSync(file, "utf8"))) : null;

  const sentence = (error: unknown): string => {
    if (error instanceof Silent) return say.silent;
    if (error instanceof StillHere) return say.stillHere(error.message);
    return around.sentenceOf(error);
  };
  const linksOf = (invited: Invited) => invited.map(({ username, link }) => `${username}  ${link}`);

  const takeOver = async (program: OldProgram): Promise<string> => {
    if (program.how.by === "container" && program.how.removesItself) throw new Error(say.removesItself(program.name));
    const first = await moving.preview(program);
    const left = wishOf(first, options, null).left;
    if (options.yes !== true && !(await around.isConfirmed(say.takeQuestion(program.name, String(left)))))
      return say.nothing;
    const owner = options.to === undefined ? null : await parts.members.findByIdOrUsername(parts.db, options.to);
    if (owner === undefined) throw new Error(say.noMember(options.to ?? ""));
    const { devices } = wishOf(first, options, owner?.id ?? null);
    const until = options["new-members"];
    const listenPort = program.port ?? first.listenPort;
    try {
      const { invited, opened } = await moving.takeOver(program, first.publicKey, {
        devices,
        ...(until === undefined ? {} : { newMembersUntil: until }),
        ...(listenPort === null ? {} : { listenPort }),
      });
      const links = invited.length > 0 ? [say.links, ...linksOf(invited)] : [];
      return [say.done(program.name, String(devices.length)), ...(opened ? [say.opened] : []), ...links].join("\n");
    } catch (error) {
      if (!(error instanceof WentBack)) throw new Error(sentence(error), { cause: error });
      const stayed = error.invited.length > 0 ? [say.stayed, ...linksOf(error.invited)] : [];
      throw new Error([say.wentBack(sentence(error.cause)), ...stayed].join("\n"), { cause: error });
    }
  };

  /** The shell that started it may end, for it may be connected by the very tunnel; a key press goes back in order. */
  const finished = async (work: () => Promise<string>): Promise<string> => {
    const end = () => givenUp.abort();
    const goOn = () => {};
    process.on("SIGINT", end).on("SIGTERM", end).on("SIGHUP", goOn);
    try {
      return await work();
    } finally {
      process.off("SIGINT", end).off("SIGTERM", end).off("SIGHUP", goOn);
    }
  };

  if (options.back === true) {
    if (last === null) throw new Error(say.nothingMoved);
    if (options.yes !== true && !(await around.isConfirmed(say.backQuestion(last.name)))) return say.nothing;
    return finished(async () => {
      await moving.goBack(last).catch((error: unknown) => {
        throw new Error(sentence(error), { cause: error });
      });
      return say.back(last.name);
    });
  }
  const found = await programs.find();
  if (name !== "") {
    const program = found.find((each) => each.name === name);
    if (program === undefined) throw new Error(say.notFound(name));
    if (last !== null) throw new Error(last.isDone ? say.oneAtATime : say.interrupted(last.name));
    return finished(() => takeOver(program));
  }
  const shown = found.map(async (program) =>
    moving.preview(program).then(
      (seen) => described(program, seen, say),
      (error: unknown) => `${program.name}: ${around.sentenceOf(error)}`,
    ),
  );
  const unfinished = last === null || last.isDone ? [] : [say.interrupted(last.name)];
  if (found.length === 0) return [...unfinished, say.none].join("\n\n");
  return [...unfinished, ...(await Promise.all(shown)), say.how].join("\n\n");
}

/** What to do with each device, and how many stay behind. */
function wishOf({ devices }: Preview, options: ImportOptions, toId: string | null) {
  const wished = devices.flatMap((device) => {
    if (device.strange !== null) return [];
    const memberId = device.suggestedOwner?.id ?? toId;
    const newMember = { username: device.suggestedUsername, displayName: device.name ?? device.suggestedUsername };
    const whose =
      memberId !== null ? { userId: memberId } : options["new-members"] !== undefined ? { newMember } : null;
    if (whose === null && options.to === undefined) return [];
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
