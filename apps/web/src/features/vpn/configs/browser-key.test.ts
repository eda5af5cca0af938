import { createPrivateKey, createPublicKey } from "node:crypto";
import { expect, test } from "vitest";
import { makeKeyPair, withPrivateKey } from "./browser-key.ts";

test("a key made in the browser is a WireGuard pair: the public half derives from the private one", async () => {
  const pair = await makeKeyPair();
  expect(pair?.privateKey).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  // RFC 8410: the fixed prefix of an X25519 private key in PKCS #8.
  const der = Buffer.concat([
    Buffer.from("302e020100300506032b656e04220420", "hex"),
    Buffer.from(pair?.privateKey ?? "", "base64"),
  ]);
  const jwk = createPublicKey(createPrivateKey({ key: der, format: "der", type: "pkcs8" })).export({ format: "jwk" });
  expect(Buffer.from(String(jwk.x), "base64url").toString("base64")).toBe(pair?.publicKey);
});

test.each([
  "[Interface]\nPrivateKey =\nAddress = 10.8.0.2/32\n",
  "[Interface]\nPrivateKey = \nAddress = 10.8.0.2/32\n",
  "[Interface]\nAddress = 10.8.0.2/32\n",
])("the private key is inserted into the panel's file once, in [Interface]", (template) => {
  const key = "aaaa$&aaa=";
  const filled = withPrivateKey(template, key);
  expect(filled.match(/PrivateKey/g)).toHaveLength(1);
  expect(filled).toMatch(/^\[Interface\]\nPrivateKey = aaaa\$&aaa=\nAddress/);
});
