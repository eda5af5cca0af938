const EVENT = "krug:two-factor";

/** A staff call answered `auth.two_factor_required`: whoever shows the dialog is asked to show it. */
export function askForTwoFactor() {
  window.dispatchEvent(new Event(EVENT));
}

export function onTwoFactorAsked(listener: () => void) {
  window.addEventListener(EVENT, listener);
  return () => window.removeEventListener(EVENT, listener);
}
