import { ApiError, api } from "../../../lib/api.ts";
import type { Language } from "../../../lib/i18n/language.ts";

/**
 * `home_screen`: available once the page is opened from there (iOS). `on`: it has a subscription. The panel knows whether it is
 * this member's.
 */
export type Standing = "unsupported" | "home_screen" | "denied" | "off" | "on";

/** The person did not agree; `denied`: and the browser will not ask again. */
export class NotAllowed extends Error {}
/** The browser could not get a subscription from its vendor's push service. */
export class NoPushService extends Error {}

const registered = () => navigator.serviceWorker.getRegistration();
const subscribed = async () => (await (await registered())?.pushManager.getSubscription()) ?? null;

export async function standingHere(): Promise<Standing> {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    return "standalone" in navigator && navigator.standalone === false ? "home_screen" : "unsupported";
  if (Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && (await subscribed()) !== null ? "on" : "off";
}

function sent(subscription: PushSubscription) {
  const { endpoint = "", keys = {} } = subscription.toJSON();
  return { endpoint, keys: { p256dh: keys.p256dh ?? "", auth: keys.auth ?? "" } };
}

/** Call it only from a press: the browser asks the person then. @throws NotAllowed, NoPushService, or the panel's error */
export async function turnOn(publicKey: string, language: Language) {
  if ((await Notification.requestPermission()) !== "granted") throw new NotAllowed();
  await navigator.serviceWorker.register("/worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  // An older one may be bound to another key.
  await (await subscribed())?.unsubscribe();
  const subscription = await pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
    .catch((error: unknown) => {
      throw new NoPushService("", { cause: error });
    });
  try {
    return await api("POST /push", { body: { ...sent(subscription), language } });
  } catch (error) {
    await subscription.unsubscribe();
    throw error;
  }
}

/** Removes it from the panel first: it would try once more to send to a subscription ended only in the browser. */
export async function turnOff(id: string | undefined): Promise<void> {
  if (id !== undefined) await remove(id);
  await (await subscribed())?.unsubscribe();
}

/** It may already be gone, which is the wanted result. */
export async function remove(id: string): Promise<void> {
  try {
    await api("DELETE /push/{id}", { params: { id } });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

/**
 * Reports that this browser is still used, after a new sign-in and in the page's language. If the subscription is not the member's,
 * it is ended: somebody else was signed in here, or it was removed from elsewhere.
 */
export async function keepHere(language: Language, signal?: AbortSignal): Promise<Standing> {
  const standing = await standingHere();
  const subscription = standing === "on" ? await subscribed() : null;
  if (subscription === null) return standing;
  const body = { ...sent(subscription), language };
  const { here } = await api("PUT /push/current", { body, background: true, ...(signal && { signal }) });
  if (here) return "on";
  await subscription.unsubscribe();
  return "off";
}
