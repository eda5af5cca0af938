import ssh2 from "ssh2";

const { generateKeyPairSync, parseKey } = ssh2.utils;

/**
 * A new ed25519 key pair: the public half as OpenSSH's one line without a comment, the private one as OpenSSH's PEM. ssh2 1.17
 * drops leading zero bytes, so no program can read one in 256 of its own pairs; such a pair is discarded.
 */
export function newSshKey(): { publicKey: string; privateKey: string } {
  for (;;) {
    const pair = generateKeyPairSync("ed25519");
    if (isReadable(pair.private) && isReadable(pair.public))
      return { publicKey: pair.public.trim(), privateKey: pair.private };
  }
}

const isReadable = (key: string) => !(parseKey(key) instanceof Error);
