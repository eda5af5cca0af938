import type { AssertedInput, AttestedInput } from "@krug/contract/access/passkeys";
import type { PasskeyRow } from "./table.ts";

/** Where a passkey is used: its pages' origin, and the host it is bound to. */
export interface Place {
  origin: string;
  host: string;
}

/** Loaded on first use: most runs of the panel see no passkey. */
const library = () => import("@simplewebauthn/server");
const helpers = () => import("@simplewebauthn/server/helpers");

/** What an authenticator may sign with: Ed25519, ECDSA on P-256, RSA. */
export const SIGNED_BY = [-8, -7, -257] as const;

/**
 * A new passkey of somebody whom the authenticator has recognized; null if it does not answer the challenge at this place. Who
 * made the authenticator is not asked: the statement is dropped unread, because checking it would call servers that it names.
 */
export async function readNew(
  { id, clientDataJSON, attestationObject }: AttestedInput,
  challenge: string,
  { origin, host }: Place,
): Promise<Pick<PasskeyRow, "credential_id" | "public_key" | "counter"> | null> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject, isoBase64URL, isoCBOR }] = [
    await library(),
    await helpers(),
  ];
  const read = async () => {
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get("authData");
    const unattested = isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, string>>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]),
    );
    const response = { clientDataJSON, attestationObject: isoBase64URL.fromBuffer(unattested) };
    return verifyRegistrationResponse({
      response: { id, rawId: id, type: "public-key", response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...SIGNED_BY],
    });
  };
  const { verified, registrationInfo } = (await unlessWrong(read)) ?? { verified: false };
  const credential = registrationInfo?.credential;
  if (!verified || credential === undefined || credential.id !== id) return null;
  return {
    credential_id: credential.id,
    public_key: isoBase64URL.fromBuffer(credential.publicKey),
    counter: credential.counter,
  };
}

/** How often the authenticator says it was used; null if this passkey did not sign the challenge at this place. */
export async function countIfSigned(
  { id, clientDataJSON, authenticatorData, signature }: AssertedInput,
  passkey: PasskeyRow,
  challenge: string,
  { origin, host }: Place,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const response = { clientDataJSON, authenticatorData, signature };
  const read = () =>
    verifyAuthenticationResponse({
      response: { id, rawId: id, type: "public-key", response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      // The library looks at the count before the signature. Ours is judged after it, under a lock.
      credential: { id, publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")), counter: 0 },
    });
  const proof = await unlessWrong(read);
  return proof?.verified === true ? proof.authenticationInfo.newCounter : null;
}

/** The library throws at whatever is wrong with an answer: all of it comes from outside. */
const unlessWrong = async <Result>(read: () => Promise<Result>): Promise<Result | null> => {
  try {
    return await read();
  } catch {
    return null;
  }
};
