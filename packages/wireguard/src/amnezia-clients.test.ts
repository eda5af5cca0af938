import { expect, test } from "vitest";
import { parseAmneziaClients } from "./amnezia-clients.ts";
import { generateKeyPair } from "./keys.ts";

const [anna, boris] = [generateKeyPair().publicKey, generateKeyPair().publicKey];

test("AmneziaVPN's table gives the devices' names and traffic", () => {
  const table = [
    { clientId: anna, userData: { clientName: "anna", dataReceived: "1.52 GiB", dataSent: "512 B" } },
    { clientId: boris, userData: { clientName: "Телефон Бориса [Android 15]" } },
    { clientId: "broken", userData: { clientName: "nobody" } },
    null,
  ];
  const devices = new Map<string, object>([
    [anna, { name: "anna", traffic: { received: 1_632_087_572, sent: 512 } }],
    [boris, { name: "Телефон Бориса [Android 15]" }],
  ]);
  expect(parseAmneziaClients(JSON.stringify(table))).toEqual(devices);
  const older = JSON.stringify({ [anna]: { clientName: "anna" } });
  expect(parseAmneziaClients(older)).toEqual(new Map([[anna, { name: "anna" }]]));
});

test.each(["", "[]", "{", "[Interface]", '{"server":{},"clients":{}}', "[1]"])("%j is no such table", (text) =>
  expect(parseAmneziaClients(text)).toBeNull(),
);
