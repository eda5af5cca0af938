import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type CountryResponse, Reader } from "mmdb-lib";
import type { Log } from "../../../platform/log.ts";
import { networksWhere } from "./networks-where.ts";

/** The two shapes in which country databases name the country; the bundled one uses the first. */
type Entry = CountryResponse & { country_code?: string };

interface Loaded {
  file: string;
  changedAtMs: number;
  builtAt: Date | null;
  countryOf(address: string): string | null;
  networksOf(code: string): Promise<string[]>;
}

/** How long a loaded database is used before the folder is checked again. */
const LOOK_AGAIN_MS = 10 * 60_000;
const CODE = /^[A-Z]{2}$/;
/** Public resolvers, which every database of countries knows: one of AS numbers in the same folder is none. */
const KNOWN = ["8.8.8.8", "77.88.8.8", "2001:4860:4860::8888"];

/**
 * Countries by address, from a file on this machine: the newest .mmdb in `folder`, else the bundled one. Nothing is read before
 * the first lookup, and each file once. A file that cannot be read is skipped and logged.
 */
export function makeCountries({ packaged, folder, log }: { packaged: string; folder: string | null; log: Log }) {
  let loading: Promise<Loaded | null> | null = null;
  let known: Loaded | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  const candidates = async (): Promise<{ file: string; changedAtMs: number }[]> => {
    const names = folder === null ? [] : await readdir(folder).catch(() => []);
    const own = await Promise.all(
      names
        .filter((name) => name.endsWith(".mmdb"))
        .map(async (name) => {
          const file = join(folder ?? "", name);
          const found = await stat(file).catch(() => null);
          return found?.isFile() ? { file, changedAtMs: found.mtimeMs } : null;
        }),
    );
    const newestFirst = own.filter((entry) => entry !== null).sort((a, b) => b.changedAtMs - a.changedAtMs);
    return [...newestFirst, { file: packaged, changedAtMs: 0 }];
  };

  const load = async (): Promise<Loaded | null> => {
    for (const { file, changedAtMs } of await candidates()) {
      if (known?.file === file && known.changedAtMs === changedAtMs) return known;
      try {
        const bytes = await readFile(file);
        const reader = new Reader<Entry>(bytes);
        if (!KNOWN.some((address) => codeOf(reader.get(address)) !== null)) throw new Error("it names no countries");
        const builtAt = reader.metadata.buildEpoch ?? null;
        log.info({ file, builtAt: builtAt?.toISOString() ?? null }, "the country database is read");
        const countryOf = (address: string) => codeOf(reader.get(address));
        const networksOf = (code: string) =>
          networksWhere(bytes, reader.metadata, (address) => countryOf(address) === code);
        return { file, changedAtMs, builtAt, countryOf, networksOf };
      } catch (error) {
        log.warn({ file, reason: (error as Error).message }, "a country database could not be read");
      }
    }
    return null;
  };

  const current = async (): Promise<Loaded | null> => {
    if (performance.now() - lookedAtMs < LOOK_AGAIN_MS && loading === null) return known;
    loading ??= load().then((loaded) => {
      known = loaded;
      lookedAtMs = performance.now();
      loading = null;
      return loaded;
    });
    return loading;
  };

  return {
    /** ISO code of a plain address; null if the data has none. */
    countryOf: async (address: string): Promise<string | null> => (await current())?.countryOf(address) ?? null,
    /** All networks of a country; null without data. */
    networksOf: async (code: string): Promise<string[] | null> => (await current())?.networksOf(code) ?? null,
    /** Reads the data before the first lookup. */
    prepare: (): void => void current(),
    /** When the data in use was built; null before the first lookup. */
    builtAt: (): Date | null => known?.builtAt ?? null,
  };
}

function codeOf(entry: Entry | null): string | null {
  const code = entry?.country_code ?? entry?.country?.iso_code;
  return code !== undefined && CODE.test(code) ? code : null;
}
