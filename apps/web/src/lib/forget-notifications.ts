/** What this browser shows of the club while the page is closed (features/messages/push). */
export async function forgetNotifications() {
  try {
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
    for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  } catch {
    // Without workers, or where they are forbidden, nothing is shown either.
  }
}
