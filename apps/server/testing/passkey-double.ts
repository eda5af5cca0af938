import { createHash, generateKeyPairSync, randomBytes, randomUUID, sign } from "node:crypto";
import type { AssertedInput, AttestedInput } from "@krug/contract/access/passkeys";
import { insert } from "../src/features/access/passkeys/repository.ts";
import type { Answer, Club, Person } from "./start-club.ts";

/** What an authenticator does otherwise than it should. */
interface Fault {
  /** Of the page that asks. */
  origin?: string;
  /** Whom the page claims to be. */
  host?: string;
  /** The person was not recognized. */
  unverified?: boolean;
  challenge?: string;
  type?: string;
  count?: number;
  userHandle?: string | null;
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();
const text = (data: Buffer) => data.toString("base64url");

/** CBOR (RFC 8949), as much of it as authenticators need. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([name, item]) => [cbor(name), cbor(item as never)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const PRESENT = 1;
const VERIFIED = 4;
const HAS_CREDENTIAL = 64;

/** An authenticator with one passkey, as in a phone or a security key: real keys and signatures. `counts` false: it stays at 0. */
export function makeAuthenticator({ origin, host }: { origin: string; host: string }, { counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let count = 0;
  let owner: string | null = null;
  const cose = () => {
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const point = (half: string) => Buffer.from(half, "base64url");
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, point(x)],
        [-3, point(y)],
      ]),
    ); // prettier-ignore
  };
  const clientData = (type: string, challenge: string, fault: Fault) =>
    Buffer.from(
      JSON.stringify({
        type: fault.type ?? type,
        challenge: fault.challenge ?? challenge,
        origin: fault.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authData = (flags: number, fault: Fault, credential = Buffer.alloc(0)) => {
    if (counts) count++;
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(fault.count ?? count);
    const seen = PRESENT | (fault.unverified ? 0 : VERIFIED) | flags;
    return Buffer.concat([sha256(fault.host ?? host), Buffer.from([seen]), counted, credential]);
  };

  return {
    id: text(id),
    /** Makes the passkey. `statement`: what it says of its maker. */
    create(
      options: { challenge: string; user: { id: string } },
      fault: Fault = {},
      statement: Map<string, unknown> = new Map(),
    ): AttestedInput {
      owner = options.user.id;
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose()]);
      const attested = cbor(
        new Map<string, unknown>([
          ["fmt", statement.size > 0 ? "packed" : "none"],
          ["attStmt", statement],
          ["authData", authData(HAS_CREDENTIAL, fault, credential)],
        ]),
      );
      return {
        id: text(id),
        clientDataJSON: text(clientData("webauthn.create", options.challenge, fault)),
        attestationObject: text(attested),
        transports: ["internal"],
      };
    },
    get(options: { challenge: string }, fault: Fault = {}): AssertedInput {
      const client = clientData("webauthn.get", options.challenge, fault);
      const data = authData(0, fault);
      return {
        id: text(id),
        clientDataJSON: text(client),
        authenticatorData: text(data),
        signature: text(sign("sha256", Buffer.concat([data, sha256(client)]), privateKey)),
        userHandle: fault.userHandle === undefined ? owner : fault.userHandle,
      };
    },
  };
}

export type Authenticator = ReturnType<typeof makeAuthenticator>;

/** Where the test club's pages are, if it is started with `environment: { PUBLIC_URL: PASSKEY_PLACE.origin }`. */
export const PASSKEY_PLACE = { origin: "http://localhost:3001", host: "localhost" };

/** The person adds a passkey with this authenticator, as their page does. */
export async function addPasskey(club: Pick<Club, "as">, who: Person, device: Authenticator, name = "Телефон") {
  const asked = await club.as(who).call("POST /passkeys/options");
  return club.as(who).call("POST /passkeys", { body: { ...device.create(asked.body), name } });
}

/** A passkey in the database of a club where none can be added, since it has no public address. */
export async function storedPasskey(club: Pick<Club, "transact">, { id: memberId }: Pick<Person, "id">) {
  const { id } = makeAuthenticator(PASSKEY_PLACE);
  const row = {
    id: randomUUID(),
    member_id: memberId,
    credential_id: id,
    public_key: "",
    transports: "[]",
    counter: 0,
  };
  await club.transact((tx) =>
    insert(tx, { ...row, host: "localhost", name: "Телефон", created_at: 0, last_used_at: null }),
  );
  return row.id;
}

type Guest = Club["guest"];

/** Signs in with it, as the sign-in page does. */
export async function signInByPasskey(guest: Guest, device: Authenticator, fault: Fault = {}) {
  const asked = await guest.call("POST /auth/passkey/options");
  return guest.call("POST /auth/passkey", { body: device.get(asked.body, fault) });
}

/** Passes the two-factor check; the person continues with the new token. */
export async function enterByPasskey(club: Pick<Club, "as">, who: Person, device: Authenticator, fault: Fault = {}) {
  const asked = await club.as(who).call("POST /passkeys/entry/options");
  const answer: Answer<{ token: string }> = await club
    .as(who)
    .call("POST /passkeys/entry", { body: device.get(asked.body ?? { challenge: "" }, fault) });
  if (answer.status === 200) who.token = answer.body.token;
  return answer;
}
