import { contract } from "@krug/contract/api";
import type { EndpointSpec } from "@krug/contract/endpoint";
import { isReservedUsername, whyNotUsername } from "@krug/domain/account-rules";
import { expect, test } from "vitest";

const endpoints: EndpointSpec[] = Object.values(contract).flatMap((feature) => Object.values(feature));
const isOpen = (segment: string | undefined) => segment?.startsWith("{") === true;

/** Fixed path segments where another path of the same method has a parameter. */
function wordsInPlaceOfNames(): Set<string> {
  const calls = endpoints.map(({ method, path }) => ({ method, segments: path.split("/") }));
  const found = calls.flatMap(({ method, segments }) =>
    calls
      .filter((other) => other.method === method && other.segments.length === segments.length)
      .flatMap((other) => {
        const places = segments.flatMap((segment, place) =>
          isOpen(segment) && !isOpen(other.segments[place]) ? [place] : [],
        );
        const isSibling = segments.every((segment, place) => isOpen(segment) || segment === other.segments[place]);
        return isSibling ? places.map((place) => other.segments[place] ?? "") : [];
      }),
  );
  return new Set(found);
}

test("no username can be a path segment of a call", () => {
  const words = [...wordsInPlaceOfNames()].filter((word) => whyNotUsername(word) === null);
  expect(words.length).toBeGreaterThan(0);
  expect(words.filter((word) => !isReservedUsername(word) || !isReservedUsername(word.toUpperCase()))).toEqual([]);
});
