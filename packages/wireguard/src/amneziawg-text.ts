import {
  AMNEZIA_FIELDS,
  type AmneziaField,
  type AmneziaProfile,
  type AmneziaVersion,
  amneziaFieldsOf,
  amneziaValue,
} from "./amneziawg.ts";
import { readLines } from "./config-lines.ts";
import { type ClientConfig, ConfigTextError, parseConfig, writeConfig } from "./config-text.ts";
import { linesOf } from "./text-lines.ts";

/** A member's file for AmneziaWG: WireGuard's and the profile. Secret, also without a private key. */
export interface AmneziaConfig extends ClientConfig {
  profile: AmneziaProfile;
}

/**
 * Fields of a profile as written to its files. Jc to H4 always, because older apps recognise AmneziaWG by them, except zero junk.
 * The rest only if set, because apps refuse a file with a key they do not know, even if it is off.
 */
export function amneziaLines(profile: AmneziaProfile): { field: AmneziaField; text: string }[] {
  const unknown = Object.keys(profile.parameters).find(
    (name) => !amneziaFieldsOf(profile.version).some((each) => each.name === name),
  );
  if (unknown !== undefined) throw new ConfigTextError(`AmneziaWG ${profile.version} has no ${unknown}`, null);
  return amneziaFieldsOf(profile.version).flatMap((field) => {
    const value = field.parse(amneziaValue(profile, field.name));
    if (value === null) throw new ConfigTextError(`not a valid ${field.key}`, null);
    return isAlwaysWritten(field, value) || value !== field.initial ? [{ field, text: field.toText(value) }] : [];
  });
}

/** Engines refuse an explicit junk count of zero. */
const isAlwaysWritten = ({ key, canReturn, initial }: AmneziaField, value: string) =>
  /^(?:Jc|Jmin|Jmax|[SH][1-4])$/.test(key) && (canReturn !== false || value !== initial);

/** In the order of Amnezia's own files, ending with a newline. Throws ConfigTextError. */
export function writeAmneziaConfig({ profile, ...config }: AmneziaConfig): string {
  const [own = "", peer = ""] = writeConfig(config).split("\n\n");
  const [section = "", ...lines] = own.split("\n");
  const place = (line: string) => ["Address", "DNS", "PrivateKey", "MTU"].indexOf(line.split(" ", 1)[0] ?? "");
  const ordered = lines.sort((one, other) => place(one) - place(other));
  const disguise = amneziaLines(profile).map(({ field, text }) => `${field.key} = ${text}`);
  return `${[section, ...ordered, ...disguise].join("\n")}\n\n${peer}`;
}

/** Parses such a text as `parseConfig` does; its version is the first that has all its keys. Throws ConfigTextError. */
export function parseAmneziaConfig(text: string): AmneziaConfig {
  const rest = linesOf(text);
  const parameters: Record<string, string> = {};
  let version: AmneziaVersion = "2.0";
  let section = "";
  for (const line of readLines(text)) {
    if (line.kind === "section") section = line.name;
    if (line.kind !== "field" || section !== "interface") continue;
    const field = AMNEZIA_FIELDS.find(({ key }) => key.toLowerCase() === line.key.toLowerCase());
    if (field === undefined) continue;
    if (parameters[field.name] !== undefined) throw new ConfigTextError(`a second ${field.key}`, line.number);
    const value = field.fromText(line.value);
    if (value === null) throw new ConfigTextError(`not a valid ${field.key}`, line.number);
    parameters[field.name] = value;
    if (field.since > version) version = field.since;
    // Its line stays, so that the other lines keep their numbers.
    rest[line.number - 1] = "";
  }
  const all = amneziaFieldsOf(version).map(({ name, initial }) => [name, parameters[name] ?? initial]);
  return { ...parseConfig(rest.join("\n")), profile: { version, parameters: Object.fromEntries(all) } };
}
