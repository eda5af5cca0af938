import { DEVICE_TYPES } from "@krug/domain/config-rules";
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { Id, line, Named, TimeOrDay } from "../fields.ts";
import { OneTimeLink, Username } from "../members/members.ts";
import { AmneziaVersion, Interface } from "./interfaces.ts";

/** A thousand devices with their keys, as the most verbose program writes them. */
const MOST_FILE_CHARACTERS = 512 * 1024;
const MOST_DEVICES = 1_000;
/** A database with as many, and with what its program accumulated over the years. */
const MOST_DATABASE_BYTES = 3 * 1024 * 1024;
const MOST_DATABASE_CHARACTERS = (MOST_DATABASE_BYTES / 3) * 4 + 64;
/** Some programs keep two files for each device. */
const MOST_FILES = 2 * MOST_DEVICES + 20;
const ROOM = { bodyLimit: MOST_DATABASE_CHARACTERS + 256 * 1024, bodyValues: MOST_DEVICES * 8 + MOST_FILES * 3 + 100 };

/** Why a device in the file cannot be taken over unchanged. */
export const StrangeDevice = z.enum([
  /** The interface would never give a device this address. */
  "address",
  /** It routes its own networks, or has no address at all. */
  "networks",
  /** Its key is the interface's key. */
  "twice",
  /** A later peer in the file has its address, so it has none. */
  "replaced",
  /** Its address or preshared key cannot be read. */
  "unreadable",
  /** The club already has this key. */
  "key_taken",
]);
export type StrangeDevice = z.output<typeof StrangeDevice>;

/** What is wrong with a parameter of AmneziaWG (packages/wireguard/src/amneziawg.ts). */
const FaultReason = z.enum([
  "not_in_version",
  "not_a_value",
  "too_small",
  "too_large",
  "below_other",
  "same_size_as_other",
  "differs_from_other",
  "overlaps_other",
  "not_one_value",
  "too_long_together",
  "missing",
]);

/** A server file's text, or wg-easy's or WGDashboard's database as a data URL. */
const OneFile = z.union([
  z.string().min(1).max(MOST_FILE_CHARACTERS),
  z
    .string()
    .max(MOST_DATABASE_CHARACTERS)
    .regex(/^data:application\/vnd\.sqlite3;base64,[A-Za-z0-9+/]+={0,2}$/),
]);
/** The same, or all files of one interface: the server's, and those next to it with devices' names and keys. */
const File = z.union([
  OneFile,
  z
    .array(z.strictObject({ name: line(200), content: OneFile }))
    .min(1)
    .max(MOST_FILES),
]);
/** AmneziaVPN's table of device names, which is next to its server file. */
const ClientsTable = z.string().max(MOST_FILE_CHARACTERS).optional();
const Port = z.int().min(1).max(65_535);
const PublicKey = z.string().max(44);
/** For a file that also has AmneziaWG's parameters with a plain tunnel; plain unless it runs here as AmneziaWG. */
const IsAmneziawg = z.boolean().optional();

/** What the file's interface becomes in the club. */
export const Found = z.object({
  publicKey: z.string(),
  subnet: z.string(),
  listenPort: Port.nullable(),
  mtu: z.int().nullable(),
  /** Null for plain WireGuard. */
  amneziawg: z
    .object({
      version: AmneziaVersion,
      /** Parameters that harm the tunnel; by their keys in a config file. */
      faults: z.array(
        z.object({ field: z.string(), reason: FaultReason, other: z.string().optional(), limit: z.int().optional() }),
      ),
    })
    .nullable(),
  /** The file does not say whether it is AmneziaWG, and it does not run here: the request's `amneziawg` decides. */
  isTypeOpen: z.boolean(),
  /** Its name on the server's machine if it runs there now: then no device is disconnected. */
  runsAs: z.string().nullable(),
  /** Unused interfaces with this one's subnet or port: they get new ones. */
  givesWay: z.array(
    z.object({
      name: z.string(),
      subnet: z.object({ from: z.string(), to: z.string() }).nullable(),
      port: z.object({ from: Port, to: Port }).nullable(),
    }),
  ),
  /** Fields of the file that are ignored here, e.g. PostUp. */
  ignored: z.array(z.string()),
  /** Unreadable fields that are skipped, with their 1-based line if the file has lines. */
  unread: z.array(z.object({ line: z.int().nullable(), field: z.string() })),
  devices: z.array(
    z.object({
      publicKey: z.string(),
      /** Its name in the file. */
      name: z.string().nullable(),
      /** A valid config name derived from it. */
      suggestedName: z.string(),
      /** For a new member who owns it: free, and derived from its name. */
      suggestedUsername: z.string(),
      address: z.string().nullable(),
      /** The panel can write its file. */
      hasPrivateKey: z.boolean(),
      /** False: it is switched off in the file, and is imported that way. */
      isEnabled: z.boolean(),
      /** When its program would have ended it; here it has no end. */
      endsAt: z.iso.datetime().nullable(),
      /** Bytes that its program counted: they stay there. */
      traffic: z.object({ received: z.number(), sent: z.number() }).nullable(),
      /** Its IPv6 address is not used here. */
      losesV6: z.boolean(),
      strange: StrangeDevice.nullable(),
      /** The member whose username is the device's name. */
      suggestedOwner: Named.nullable(),
    }),
  ),
  /** Of the members named in `owners` and those suggested: who is not entitled, and who would exceed their limit. */
  owners: z.array(Named.extend({ isEntitled: z.boolean(), configLimit: z.int(), configs: z.int().nonnegative() })),
});

/** What becomes of the interface and its devices. */
export const TakenIn = z.object({
  /** If the file does not name its port, or to use another one. */
  listenPort: Port.optional(),
  amneziawg: IsAmneziawg,
  /** 'Interface N' without one. */
  name: line(64).optional(),
  /** The new members' subscription; without one their devices are cut off until they have one. */
  newMembersUntil: TimeOrDay.optional(),
  devices: z
    .array(
      z
        .strictObject({
          publicKey: PublicKey,
          userId: Id.optional(),
          /** Instead: someone who becomes a member by this. Devices with the same username are one person's. */
          newMember: z.strictObject({ username: Username, displayName: z.string().max(200).optional() }).optional(),
          name: z.string().max(64),
          deviceType: z.enum(DEVICE_TYPES),
        })
        .refine(({ userId, newMember }) => (userId === undefined) !== (newMember === undefined), {
          path: ["userId"],
        }),
    )
    .min(1)
    .max(MOST_DEVICES),
});

/** Why files cannot be read, or their interface cannot be here. */
export const NOT_READ = [
  "server.not_found",
  "server.unreachable",
  "interface.subnet_invalid",
  "interface.subnet_taken",
  "interface.already_here",
  "import.unreadable",
  "import.too_heavy",
  "import.device_file",
  "import.other_program",
  "import.no_server",
  "import.several",
  "import.file_wrong",
  "import.names_only",
  "import.names_unreadable",
  "import.line_wrong",
  "import.field_missing",
  "import.amneziawg_outdated",
  "import.parameter_wrong",
  "import.runs_otherwise",
  "import.runs_in_kernel",
] as const;

/** Why an interface that could be read is not taken in. */
export const NOT_TAKEN = [
  "member.not_found",
  "member.username_invalid",
  "member.username_taken",
  "member.display_name_invalid",
  "member.subscription_in_past",
  "interface.port_taken",
  "config.name_invalid",
  "import.device_refused",
  "import.name_taken",
  "dns.unknown",
] as const;

/** Beyond the specifications: an interface made by another program becomes the club's, and its devices keep working. */
export const imports = {
  look: endpoint("POST /admin/servers/{id}/moving-in/preview", {
    needs: "servers.change",
    summary:
      "Read the files of wg-quick, AmneziaVPN, AmneziaWG, wg-easy, WGDashboard, PiVPN or wireguard-ui and report how each device would be imported; writes nothing",
    body: z.strictObject({
      file: File,
      clientsTable: ClientsTable,
      owners: z.array(Id).max(MOST_DEVICES).default([]),
      amneziawg: IsAmneziawg,
    }),
    answer: Found,
    ...ROOM,
    refusals: NOT_READ,
  }),
  takeIn: endpoint("POST /admin/servers/{id}/moving-in", {
    needs: "servers.change",
    // Whoever made the file has the interface's key, and with it everything that its devices send.
    trust: true,
    summary:
      "Import an interface from its files, with the chosen devices as members' configs; keys and addresses stay, and new members get a link",
    body: z.strictObject({
      file: File,
      clientsTable: ClientsTable,
      ...TakenIn.shape,
    }),
    answer: z.object({
      interface: Interface,
      configs: z.int().nonnegative(),
      /** The new members, each with the link by which they set their password. */
      invited: z.array(Named.extend(OneTimeLink.shape)),
    }),
    status: 201,
    creation: true,
    ...ROOM,
    refusals: [...NOT_READ, ...NOT_TAKEN],
  }),
};
