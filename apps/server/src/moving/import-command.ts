import { formatBytes } from "@krug/domain/traffic";
import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import type { Importing, Invited } from "../features/vpn/import/importing.ts";
import { makeOldPrograms, type OldProgram } from "../features/vpn/import/old-programs.ts";
import * as repository from "../features/vpn/import/repository.ts";
import { invitedOf, makeTakeOver, Silent, StillHere } from "../features/vpn/import/take-over.ts";
import { makeInterfaceChanges } from "../features/vpn/interfaces/index.ts";
import type { Host } from "../hosts/host.ts";
import { runHere } from "./run.ts";
import type { MovingWords } from "./words-en.ts";

export interface ImportOptions {
  /** Devices without a member go to this one. */
  to?: string;
  /** Or become members, with a subscription until this day. */
  "new-members"?: string;
  back?: boolean;
  /** Forgets the way back. */
  keep?: boolean;
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
  const server = (await parts.servers.all(parts.db)).find(
    ({ driver, panel_id }) => driver === "local" && panel_id === parts.panelId,
  );
  if (server === undefined) throw new Error(say.noServer);
  const programs = makeOldPrograms(runHere(around.script));
  const givenUp = new AbortController();
  const { remove } = makeInterfaceChanges({ ...parts, usage: parts.configs.usage });
  const moving = makeTakeOver(
    { ...parts, removeInterface: remove },
    { server, host, programs, signal: givenUp.signal },
  );
  const origin = config.publicUrl?.origin ?? `http://127.0.0.1:${config.port}`;
  const found = await repository.find(parts.db, server.id);
  const last = found === undefined || found.state === "left" ? null : found;
  const forget = () => parts.transact(async (tx) => void (last && (await repository.remove(tx, last))));

  const sentence = (error: unknown): string => {
    if (error instanceof Silent) return say.silent;
    if (error instanceof StillHere) return say.stillHere(error.interfaceName);
    return around.sentenceOf(error);
  };
  const linksOf = (invited: readonly Invited[]) => invited.map(({ username, link }) => `${username}  ${link}`);

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
    let row = await moving.begin(
      { memberId: null },
      program,
      first.publicKey,
      {
        devices,
        ...(until === undefined ? {} : { newMembersUntil: until }),
        ...(listenPort === null ? {} : { listenPort }),
      },
      origin,
    );
    try {
      row = await moving.carryOut(row, program);
      row = await moving.prove(row);
      const invited = invitedOf(parts.sealing, row);
      const links = invited.length > 0 ? [say.links, ...linksOf(invited)] : [];
      const opened = row.opened === 1 ? [say.opened] : [];
      return [say.done(program.name, String(devices.length)), ...opened, ...links].join("\n");
    } catch (error) {
      // As far as it was written.
      const written = (await repository.find(parts.db, server.id)) ?? row;
      await moving.goBack(written).catch((stuck: unknown) => {
        throw new Error(sentence(stuck), { cause: stuck });
      });
      const invited = invitedOf(parts.sealing, written);
      const stayed = invited.length > 0 ? [say.stayed, ...linksOf(invited)] : [];
      throw new Error([say.wentBack(sentence(error)), ...stayed].join("\n"), { cause: error });
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
      await forget();
      return say.back(last.name);
    });
  }
  if (options.keep === true) {
    if (last === null) throw new Error(say.nothingMoved);
    await forget();
    return say.kept(last.name);
  }
  const here = await programs.find();
  if (name !== "") {
    const program = here.find((each) => each.name === name);
    if (program === undefined) throw new Error(say.notFound(name));
    if (last !== null) throw new Error(last.state === "done" ? say.oneAtATime : say.interrupted(last.name));
    return finished(() => takeOver(program));
  }
  const shown = here.map(async (program) =>
    moving.preview(program).then(
      (seen) => described(program, seen, say),
      (error: unknown) => `${program.name}: ${around.sentenceOf(error)}`,
    ),
  );
  const unfinished = last === null || last.state === "done" ? [] : [say.interrupted(last.name)];
  if (here.length === 0) return [...unfinished, say.none].join("\n\n");
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
