import ssh2 from "ssh2";
import { expect, test } from "vitest";
import { newSshKey } from "./new-key.ts";

test("each of 2,000 new keys can be read, and its two halves belong together", () => {
  for (let key = 0; key < 2000; key++) {
    const { publicKey, privateKey } = newSshKey();
    const read = ssh2.utils.parseKey(privateKey);
    if (read instanceof Error) throw read;
    expect(publicKey).toBe(`ssh-ed25519 ${read.getPublicSSH().toString("base64")}`);
  }
});
