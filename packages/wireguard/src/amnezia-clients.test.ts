import { expect, test } from "vitest";
import { parseAmneziaClients } from "./amnezia-clients.ts";
import { generateKeyPair } from "./keys.ts";

const [anna, boris] = [generateKeyPair().publicKey, generateKeyPair().publicKey];

test("AmneziaVPN's table gives the devices' names", () => {
  const table = [
    { clientId: anna, userData: { clientName: "anna", allowedIps: "10.8.1.1/32" } },
    { clientId: boris, userData: { clientName: "Телефон Бориса [Android 15]" } },
    { clientId: "broken", userData: { clientName: "nobody" } },
    null,
  ];
  const names = new Map([
    [anna, "anna"],
    [boris, "Телефон Бориса [Android 15]"],
  ]);
  expect(parseAmneziaClients(JSON.stringify(table))).toEqual(names);
  expect(parseAmneziaClients(JSON.stringify({ [anna]: { clientName: "anna" } }))).toEqual(new Map([[anna, "anna"]]));
});

test.each(["", "[]", "{", "[Interface]", '{"server":{},"clients":{}}', "[1]"])("%j is no such table", (text) =>
  expect(parseAmneziaClients(text)).toBeNull(),
);
