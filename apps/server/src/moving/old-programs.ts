import { partOf } from "@krug/wireguard/moved-files";
import { z } from "zod";
import { withLog } from "../features/vpn/import/database-log.ts";
import { DATABASE_PREFIX } from "../features/vpn/import/read-database.ts";

/** How another program starts its interface. */
export const How = z.discriminatedUnion("by", [
  z.object({
    by: z.literal("quick"),
    quick: z.enum(["wg-quick", "awg-quick"]),
    name: z.string(),
    /** As systemctl says it: 'enabled' starts with the machine. */
    enabled: z.string(),
    wasRunning: z.boolean(),
  }),
  z.object({
    by: z.literal("container"),
    name: z.string(),
    /** As `docker update --restart` takes it. */
    restart: z.string(),
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

/** Of systemd's units and Docker's containers; it goes into a command. */
const NAME = /^[A-Za-z0-9_][\w.=+@-]{0,127}$/;

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
  for (const line of printed.split("\n")) {
    const [word, ...fields] = line.split("\t");
    if (word === "quick") found.push(...quickOf(fields));
    else if (word === "container") found.push(...containerOf(fields));
    else if (word === "file") found.at(-1)?.files.push(fileOf(fields));
    else if (word === "beside") beside.push(fileOf(fields));
  }
  const details = whole(beside).filter((file) => file.name.endsWith(".db") || isDetails(file));
  return found
    .filter(({ files }) => files.length > 0)
    .map((program) => {
      const own = whole(program.files);
      return { ...program, files: program.how.by === "quick" ? [...own, ...details] : own };
    });
}

function quickOf([quick, name = "", enabled = "", running]: string[]): OldProgram[] {
  const how = How.safeParse({ by: "quick", quick, name, enabled, wasRunning: running === "yes" });
  if (!how.success || !NAME.test(name)) return [];
  return [{ name, files: [], port: null, isAmneziawg: false, how: how.data }];
}

function containerOf([name = "", running, policy = "", removed, ports = "", environment = ""]: string[]): OldProgram[] {
  if (!NAME.test(name)) return [];
  const [kind = "no", tries = "0"] = policy.split(":");
  const [published] = ports.split(" ").flatMap((each) => /\/udp=(\d+)$/.exec(each)?.[1] ?? []);
  const told = /(?:^| )WG_PORT=(\d+)/.exec(environment)?.[1];
  return [
    {
      name,
      files: [],
      port: Number(published ?? told) || null,
      isAmneziawg: environment.split(" ").includes("EXPERIMENTAL_AWG=true"),
      how: {
        by: "container",
        name,
        restart: kind === "on-failure" && tries !== "0" ? `${kind}:${tries}` : kind || "no",
        wasRunning: running === "true",
        removesItself: removed === "true",
      },
    },
  ];
}

function fileOf([name = "", content = ""]: string[]): OldProgram["files"][number] {
  const isDatabase = /\.db(?:-wal)?$/.test(name);
  return { name, content: isDatabase ? DATABASE_PREFIX + content : Buffer.from(content, "base64").toString("utf8") };
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
function isDetails({ name, content }: OldProgram["files"][number]): boolean {
  try {
    return partOf({ name, text: content }).kind === "details";
  } catch {
    return false;
  }
}
