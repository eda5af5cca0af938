import { openOutside } from "./outside.ts";

/** Where a geolocation service locates the visitor; texts in the service's own words. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  country: string;
  countryName: string | null;
  city: string | null;
  timeZone: string | null;
}

/** How long one service may take (decisions, section 9). */
const SERVICE_TIMEOUT_MS = 1500;
/** After this long without an answer the next service is asked too. */
export const NEXT_AFTER_MS = 500;

/** The time limit for the frame that asks: it comes from the panel, which has just answered. */
const FRAME_TIMEOUT_MS = 1000;

export interface Asking {
  /** The answer of the first service that names a country; null if none does. */
  readonly first: Promise<Place | null>;
  /** Of the answers so far, the one from the service that comes first in the order. */
  preferred(): Place | null;
  /** The answer is no longer needed. */
  stop(): void;
}

/** Asks services in order: the next one as soon as one has failed, or has been silent for a while. */
export function askServices(addresses: readonly string[]): Asking {
  if (addresses.length === 0) return { first: Promise.resolve(null), preferred: () => null, stop: () => {} };
  const outside = openOutside();
  const places: (Place | null)[] = addresses.map(() => null);
  const preferred = () => places.find((place) => place !== null) ?? null;
  const first = new Promise<Place | null>((resolve) => {
    let started = 0;
    let failed = 0;
    let patience: ReturnType<typeof setTimeout> | undefined;
    const askNext = async () => {
      clearTimeout(patience);
      const index = started;
      const address = addresses[index];
      if (address === undefined || preferred() !== null) return;
      started += 1;
      patience = setTimeout(askNext, NEXT_AFTER_MS);
      const place = await within(SERVICE_TIMEOUT_MS, outside.ask(address).then(readPlace));
      places[index] = place;
      if (place !== null) return resolve(preferred());
      failed += 1;
      if (failed === addresses.length) resolve(null);
      else if (index === started - 1) void askNext();
    };
    void within(FRAME_TIMEOUT_MS, outside.ready).then((isReady) => (isReady ? askNext() : resolve(null)));
  });
  return { first, preferred, stop: outside.close };
}

/** Null when the time is over. */
function within<Value>(ms: number, work: Promise<Value>): Promise<Value | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, null);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      () => resolve(null),
    );
  });
}

/** Services name the same things differently: country_code, countryCode or a two-letter country. The time zone may be nested. */
export function readPlace(answer: unknown): Place | null {
  if (typeof answer !== "object" || answer === null) return null;
  const text = (...paths: string[]) => {
    const found = paths.map((path) => valueAt(answer, path)).find(isText);
    return typeof found === "string" ? found : null;
  };
  const country = [text("country_code"), text("countryCode"), text("country")]
    .map((code) => code?.toUpperCase() ?? "")
    .find((code) => /^[A-Z]{2}$/.test(code));
  if (country === undefined) return null;
  const name = text("country_name", "countryName", "country");
  return {
    country,
    countryName: name === null || name.length === 2 ? null : name,
    city: text("city", "cityName"),
    timeZone: text("timezone", "time_zone", "timeZone", "location.time_zone"),
  };
}

const valueAt = (answer: unknown, path: string) =>
  path
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], answer);

const isText = (value: unknown) => typeof value === "string" && value !== "" && value.length <= 100;
