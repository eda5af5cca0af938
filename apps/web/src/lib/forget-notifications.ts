/** Closes the club's notifications that this browser shows while the page is closed (features/messages/push). */
export async function forgetNotifications() {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
    for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  } catch {
    // Without workers, or if they are forbidden, there is nothing to close.
  }
}
