import type { Api } from "@krug/contract/api";
import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { api, Refusal } from "./api.ts";
import type { Language } from "./i18n/language.ts";
import { passkeyWords } from "./i18n/passkeys.ts";

type Asserted = Api["POST /auth/passkey"]["body"];

/** Asks the device. The browser's own refusals are in its language and name no way out: they get our words. */
async function ask<Answer>(language: Language, device: () => Promise<Answer>, none: string): Promise<Answer> {
  const { device: say } = passkeyWords[language];
  try {
    return await device();
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
      throw new Refusal(say.already);
    const name = error instanceof Error ? error.name : "";
    throw new Refusal(["NotAllowedError", "AbortError"].includes(name) ? none : say.failed);
  }
}

async function assert(
  language: Language,
  optionsJSON: Api["POST /auth/passkey/options"]["answer"],
  none: string,
): Promise<Asserted> {
  const { id, response } = await ask(
    language,
    // The browser's own list of ways to reach a key is longer than the library's.
    () => startAuthentication({ optionsJSON: optionsJSON as never }),
    none,
  );
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return { id, clientDataJSON, authenticatorData, signature, userHandle };
}

/** Signs in, without a name: the device knows whose passkey it keeps. */
export async function signInByPasskey(language: Language) {
  const options = await api("POST /auth/passkey/options");
  const body = await assert(language, options, passkeyWords[language].device.noneToSignIn);
  return (await api("POST /auth/passkey", { body })).user;
}

/** Passes the two-factor check. */
export async function enterByPasskey(language: Language): Promise<void> {
  const options = await api("POST /passkeys/entry/options");
  const body = await assert(language, options, passkeyWords[language].device.noneToEnter);
  await api("POST /passkeys/entry", { body });
}

/** Adds a passkey of this device, or of another that it can reach. An empty name is the browser's own. */
export async function addPasskey(language: Language, name: string) {
  const options = await api("POST /passkeys/options");
  const { id, response } = await ask(
    language,
    () => startRegistration({ optionsJSON: options as never }),
    passkeyWords[language].device.notMade,
  );
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const body = { id, clientDataJSON, attestationObject, transports, ...(name === "" ? {} : { name }) };
  return api("POST /passkeys", { body });
}
