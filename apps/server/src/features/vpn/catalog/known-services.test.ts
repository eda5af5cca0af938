import { KNOWN_SERVICES, KNOWN_SERVICES_DATED } from "@krug/domain/known-services";
import { GROUP_NAMES, MOST_SENTENCE, SERVICE_PICTURE } from "@krug/domain/service-groups";
import { readSource } from "@krug/wireguard/list-source";
import { expect, test } from "vitest";

/** Numbers that the registries gave to nobody: documentation, private use, reserved (RFC 7607, 5398, 6996, 7300), and not yet given. */
const isPlausible = (number: number) =>
  number > 0 && number !== 23_456 && (number < 64_496 || number > 131_071) && number < 402_333;

test.each(KNOWN_SERVICES.flatMap(({ name, sources }) => sources.map((source) => [name, source] as const)))(
  "%s: %s is a public https address, an AS number or a domain, as the panel stores it",
  (_, source) => {
    const read = readSource(source);
    expect(read?.key).toBe(source);
    if (read?.kind === "as") expect(isPlausible(Number(source.slice(2)))).toBe(true);
    else if (read?.kind !== "domain")
      expect(new URL(source)).toMatchObject({ protocol: "https:", port: "", search: "", username: "" });
  },
);

test("each has a source, a picture, a sentence in both languages, and a group; names differ", () => {
  for (const { sources, picture, description, group } of KNOWN_SERVICES) {
    expect(sources.length).toBeGreaterThan(0);
    expect(picture).toMatch(SERVICE_PICTURE);
    expect(GROUP_NAMES).toContain(group);
    for (const text of [description.ru, description.en]) expect(text.length).toBeLessThanOrEqual(MOST_SENTENCE);
  }
  const names = KNOWN_SERVICES.map(({ name }) => name.toLowerCase());
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(25);
  expect(KNOWN_SERVICES_DATED).toMatch(/^2026-\d\d-\d\d$/);
});
