/** Where a geolocation service sees the visitor; texts in the service's own words. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  country: string;
  countryName: string | null;
  city: string | null;
  timeZone: string | null;
}

/** How long one service may take (decisions, section 9). */
const SERVICE_TIMEOUT_MS = 1500;

/** The answer of the first service that gives a country, asked in order; null where none does. */
export async function askServices(addresses: readonly string[]): Promise<Place | null> {
  for (const address of addresses) {
    const place = await ask(address).catch(() => null);
    if (place) return place;
  }
  return null;
}

async function ask(address: string): Promise<Place | null> {
  const response = await fetch(address, {
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(SERVICE_TIMEOUT_MS),
  });
  return response.ok ? readPlace(await response.json()) : null;
}

/** Services name the same things differently: country_code, countryCode or a two-letter country; the zone may be nested. */
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
