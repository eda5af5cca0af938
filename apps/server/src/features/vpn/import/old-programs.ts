import type { PublicKey } from "@krug/wireguard/key-text";
import { joinParts, partOf } from "@krug/wireguard/moved-files";
import { z } from "zod";
import { withLog } from "./database-log.ts";
import { DATABASE_PREFIX } from "./read-database.ts";

/** Of systemd's units and Docker's containers; it goes into a command. */
const NAME = /^[A-Za-z0-9_][\w.=+@-]{0,127}$/;
const Name = z.string().regex(NAME);

/** How another program starts its interface. */
export const How = z.discriminatedUnion("by", [
  z.object({
    by: z.literal("quick"),
    quick: z.enum(["wg-quick", "awg-quick"]),
    name: Name,
    /** As systemctl says it: 'enabled' starts with the machine. */
    enabled: z.string().regex(/^[a-z-]{1,20}$/),
    wasRunning: z.boolean(),
  }),
  z.object({
    by: z.literal("container"),
    name: Name,
    /** As `docker update --restart` takes it. */
    restart: z.string().regex(/^(?:no|always|unless-stopped|on-failure(?::\d{1,9})?)$/),
    wasRunning: z.boolean(),
    /** Stopping it deletes it, so that it could not come back. */
    removesItself: z.boolean(),
  }),
]);
export type How = z.output<typeof How>;

/** An interface of another program on a machine. */
export interface OldProgram {
  /** As the operator names it: the interface's, or its container's. */
  name: string;
  files: { name: string; content: string }[];
  /** If only its container's settings say. */
  port: number | null;
  isAmneziawg: boolean;
  how: How;
}

/** Runs old-programs.sh as the machine's root. @throws if it fails */
export type RunScript = (...args: string[]) => Promise<string>;

export type OldPrograms = ReturnType<typeof makeOldPrograms>;

/* What a machine prints is a stranger's: nothing is taken of it beyond what a real one has. */
const MOST_PROGRAMS = 20;
const MOST_FILES = 2_020;
const MOST_TEXT = 512 * 1024;
const MOST_DATABASE = 3 * 1024 * 1024;
const MOST_NAME = 200;

/** Other VPN programs of a machine. */
export function makeOldPrograms(run: RunScript) {
  return {
    /** Those with files; changes nothing. */
    find: async (): Promise<OldProgram[]> => programsIn(await run("look")),

    /** Frees a container's port. One that runs by wg-quick goes on until the panel has it. */
    async stop(how: How): Promise<void> {
      if (how.by === "container") await run("stop_container", how.name);
    },

    /** It does not come back at the machine's next start. */
    async retire(how: How): Promise<void> {
      if (how.by === "quick") await run("retire_quick", how.quick, how.name, how.enabled);
    },

    /** As it was before, whatever has been done of `stop` and `retire`. */
    async start(how: How): Promise<void> {
      const running = how.wasRunning ? "yes" : "no";
      if (how.by === "container") await run("start_container", how.name, how.restart, running);
      else await run("start_quick", how.quick, how.name, how.enabled, running);
    },
  };
}

/** From what `look` printed. */
export function programsIn(printed: string): OldProgram[] {
  const found: OldProgram[] = [];
  const beside: OldProgram["files"] = [];
  // Files belong to the program above them, also to one that is left out.
  let current: OldProgram["files"] = [];
  for (const line of printed.split("\n")) {
    const [word, ...fields] = line.split("\t");
    if (word === "quick" || word === "container") {
      const program = word === "quick" ? quickOf(fields) : containerOf(fields);
      current = program?.files ?? [];
      if (program !== null && found.length < MOST_PROGRAMS && found.every(({ name }) => name !== program.name))
        found.push(program);
    } else if (word === "file" || word === "beside") {
      const files = word === "file" ? current : beside;
      const file = files.length < MOST_FILES ? fileOf(fields) : null;
      if (file !== null) files.push(file);
    }
  }
  const details = whole(beside).filter((file) => file.name.endsWith(".db") || isDetails(file));
  const pieces = wireguardUi(beside);
  const programs = found
    .filter(({ files }) => files.length > 0)
    .map((program) => {
      const own = whole(program.files);
      if (program.how.by === "container") return { ...program, files: withoutOlder(own) };
      const isItsUi = pieces.key !== null && keyOf(own) === pieces.key;
      return { ...program, files: [...own, ...details, ...(isItsUi ? pieces.files : [])] };
    });
  return withoutTwice(programs);
}

/** wg-easy 15 has its devices in a database. The file that it read them from stays behind, with those deleted since. */
function withoutOlder(files: OldProgram["files"]): OldProgram["files"] {
  const isNewer = files.some(({ name }) => name.endsWith("/wg-easy.db"));
  return isNewer ? files.filter(({ name }) => !name.endsWith("/wg0.json")) : files;
}

/**
 * A container in the machine's own network and wg-quick may show one interface. It belongs to systemd if that starts it, and the
 * container then only adds what it knows of devices.
 */
function withoutTwice(programs: readonly OldProgram[]): OldProgram[] {
  const keys = new Map(programs.map((program) => [program, keyOf(program.files)]));
  const twinOf = (program: OldProgram) =>
    programs.find(
      (other) => other.how.by !== program.how.by && keys.get(other) !== null && keys.get(other) === keys.get(program),
    );
  return programs.flatMap((program) => {
    const twin = twinOf(program);
    if (twin === undefined) return [program];
    const quick = program.how.by === "quick" ? program.how : twin.how;
    const isQuicks = quick.by === "quick" && quick.enabled === "enabled";
    if ((program.how.by === "quick") !== isQuicks) return [];
    const mine = new Set(program.files.map(({ name }) => name));
    return [{ ...program, files: [...program.files, ...twin.files.filter(({ name }) => !mine.has(name))] }];
  });
}

/** Of the interface that these files are; null if that cannot be told from texts. */
function keyOf(files: OldProgram["files"]): PublicKey | null {
  const texts = files.filter(({ content }) => !content.startsWith(DATABASE_PREFIX));
  try {
    return joinParts(texts.map(({ name, content }) => partOf({ name, text: content }))).publicKey;
  } catch {
    return null;
  }
}

function quickOf([quick, name, enabled, running]: string[]): OldProgram | null {
  const how = How.safeParse({ by: "quick", quick, name, enabled, wasRunning: running === "yes" });
  if (!how.success) return null;
  return { name: how.data.name, files: [], port: null, isAmneziawg: false, how: how.data };
}

function containerOf([name, running, policy = "", removed, ports = "", environment = ""]: string[]): OldProgram | null {
  const [kind = "no", tries = "0"] = policy.split(":");
  const how = How.safeParse({
    by: "container",
    name,
    restart: kind === "on-failure" && tries !== "0" ? `${kind}:${tries}` : kind || "no",
    wasRunning: running === "true",
    removesItself: removed === "true",
  });
  if (!how.success) return null;
  const [published] = ports.split(" ").flatMap((each) => /\/udp=(\d{1,5})$/.exec(each)?.[1] ?? []);
  const told = Number(published ?? /(?:^| )WG_PORT=(\d{1,5})(?: |$)/.exec(environment)?.[1]);
  return {
    name: how.data.name,
    files: [],
    port: told >= 1 && told <= 65_535 ? told : null,
    isAmneziawg: environment.split(" ").includes("EXPERIMENTAL_AWG=true"),
    how: how.data,
  };
}

function fileOf([path = "", content = ""]: string[]): OldProgram["files"][number] | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const name = path.replace(/[\u0000-\u001f\u007f]/g, "").slice(-MOST_NAME);
  if (content.length > (MOST_DATABASE / 3) * 4 + 4 || !/^[A-Za-z0-9+/]*={0,2}$/.test(content)) return null;
  if (/\.db(?:-wal)?$/.test(name)) return { name, content: DATABASE_PREFIX + content };
  const text = Buffer.from(content, "base64").toString("utf8");
  // A database is one by its name only.
  return text.length > MOST_TEXT || text.startsWith("data:") ? null : { name, content: text };
}

/** Databases with what is still in their logs. */
function whole(files: OldProgram["files"]): OldProgram["files"] {
  const bytesOf = (content: string) => Buffer.from(content.slice(DATABASE_PREFIX.length), "base64");
  return files.flatMap((file) => {
    if (file.name.endsWith("-wal")) return [];
    const log = files.find(({ name }) => name === `${file.name}-wal`);
    if (log === undefined) return [file];
    const database = withLog(bytesOf(file.content), bytesOf(log.content));
    return [{ ...file, content: DATABASE_PREFIX + database.toString("base64") }];
  });
}

/** Beside the server's file only devices' files count: another interface's own would be a second one. */
const isDetails = (file: OldProgram["files"][number]): boolean => kindOf(file) === "details";

/** What wireguard-ui keeps in its folder, and the key of the interface that it is about. */
function wireguardUi(beside: OldProgram["files"]): { files: OldProgram["files"]; key: PublicKey | null } {
  const files = beside.filter((file) => file.name.endsWith(".json") && kindOf(file) === "piece");
  return { files, key: keyOf(files) };
}

function kindOf({ name, content }: OldProgram["files"][number]) {
  try {
    return partOf({ name, text: content }).kind;
  } catch {
    return null;
  }
}
