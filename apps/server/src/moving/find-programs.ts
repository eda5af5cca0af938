import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { partOf } from "@krug/wireguard/moved-files";
import { z } from "zod";
import { DATABASE_PREFIX } from "../features/vpn/import/read-database.ts";
import { attempt } from "./run.ts";

/** How another program starts its interface, by hand or with the machine. */
export const How = z.object({ quick: z.enum(["wg-quick", "awg-quick"]), name: z.string(), isEnabled: z.boolean() });
export type How = z.output<typeof How>;

/** An interface of another program on this machine. */
export interface OldProgram {
  /** As the operator names it: the interface's, or its container's. */
  name: string;
  files: { name: string; content: string }[];
  /** If only its container's settings say. */
  port: number | null;
  isAmneziawg: boolean;
  /** Null for one in a container. */
  how: How | null;
}

const MOST_BYTES = 3 * 2 ** 20;
const MOST_BESIDE = 2_000;
/** Files of wg-quick and awg-quick. */
const FOLDERS = { "wg-quick": "/etc/wireguard", "awg-quick": "/etc/amnezia/amneziawg" } as const;
/** What PiVPN, scripts and panels keep beside them, with names and devices' keys. */
const BESIDE = ["/etc/wireguard/configs", "/etc/wireguard/keys", "/root"];
const DASHBOARDS = ["/root/WGDashboard", "/opt/WGDashboard", "/opt/wgdashboard"].map((folder) => `${folder}/src/db`);
const AMNEZIA_FILES = ["wg0.conf", "awg0.conf", "clientsTable"];
const AMNEZIA_FOLDERS = ["/opt/amnezia/awg", "/opt/amnezia/wireguard"];

/** Looks for containers and files of other programs; changes nothing. */
export async function findPrograms(): Promise<OldProgram[]> {
  const found = [...(await inContainers()), ...(await onMachine())];
  return found.filter(({ files }) => files.length > 0);
}

async function onMachine(): Promise<OldProgram[]> {
  const beside = [
    ...BESIDE.flatMap((folder) => filesIn(folder, /\.conf$|_priv$|^clients\.txt$/)).filter(isDetails),
    ...DASHBOARDS.flatMap((folder) => filesIn(folder, /^wgdashboard(?:_job)?\.db$/)),
  ].slice(0, MOST_BESIDE);
  const programs = (["wg-quick", "awg-quick"] as const).flatMap((quick) =>
    filesIn(FOLDERS[quick], /\.conf$/).map((file) => ({ quick, file })),
  );
  return Promise.all(
    programs.map(async ({ quick, file }): Promise<OldProgram> => {
      const name = basename(file.name, ".conf");
      const isEnabled = (await attempt("systemctl", ["is-enabled", `${quick}@${name}`]))?.trim() === "enabled";
      return { name, files: [file, ...beside], port: null, isAmneziawg: false, how: { quick, name, isEnabled } };
    }),
  );
}

const Container = z.object({
  Name: z.string(),
  Mounts: z.array(z.object({ Source: z.string().optional(), Destination: z.string() })).default([]),
  Config: z.object({ Env: z.array(z.string()).nullish() }),
  HostConfig: z.object({
    PortBindings: z.record(z.string(), z.array(z.object({ HostPort: z.string() })).nullish()).nullish(),
  }),
});

async function inContainers(): Promise<OldProgram[]> {
  const ids = (await attempt("docker", ["ps", "-aq"]))?.split("\n").filter(Boolean) ?? [];
  if (ids.length === 0) return [];
  const read = z.array(Container).safeParse(JSON.parse((await attempt("docker", ["inspect", ...ids])) ?? "[]"));
  if (!read.success) return [];
  return Promise.all(
    read.data.map(async (container): Promise<OldProgram> => {
      const name = container.Name.replace(/^\//, "");
      const { PortBindings } = container.HostConfig;
      const [udp] = Object.entries(PortBindings ?? {}).flatMap(([port, to]) =>
        port.endsWith("/udp") ? (to ?? []) : [],
      );
      const env = container.Config.Env ?? [];
      return {
        name,
        files: /^amnezia-(?:awg|wireguard)/.test(name) ? await amneziaFiles(name) : mountedFiles(container.Mounts),
        port:
          Number(udp?.HostPort ?? env.find((each) => each.startsWith("WG_PORT="))?.slice("WG_PORT=".length)) || null,
        isAmneziawg: env.includes("EXPERIMENTAL_AWG=true"),
        how: null,
      };
    }),
  );
}

const mountedFiles = (mounts: z.output<typeof Container>["Mounts"]) =>
  mounts.flatMap(({ Source = "", Destination }) => {
    if (Destination === "/etc/wireguard") return filesIn(Source, /^(?:wg0\.json|wg-easy\.db|wg0\.conf)$/);
    return Destination === "/data" ? filesIn(join(Source, "db"), /^wgdashboard(?:_job)?\.db$/) : [];
  });

async function amneziaFiles(container: string) {
  const files: OldProgram["files"] = [];
  for (const path of AMNEZIA_FOLDERS.flatMap((folder) => AMNEZIA_FILES.map((file) => join(folder, file)))) {
    const content = await attempt("docker", ["exec", container, "cat", path]);
    if (content) files.push({ name: path, content });
  }
  return files;
}

/** By their whole paths; without those that are no files, or too large to be any of these. */
function filesIn(folder: string, wanted: RegExp): OldProgram["files"] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((each) => {
    const path = join(folder, each);
    const about = statSync(path, { throwIfNoEntry: false });
    if (!wanted.test(each) || !about?.isFile() || about.size === 0 || about.size > MOST_BYTES) return [];
    const content = /\.db$/.test(each) ? DATABASE_PREFIX + readFileSync(path, "base64") : readFileSync(path, "utf8");
    return [{ name: path, content }];
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
