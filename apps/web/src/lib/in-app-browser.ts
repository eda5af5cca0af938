interface Frames {
  TelegramWebview?: unknown;
  TelegramWebviewProxy?: unknown;
}

/** Messengers that name themselves; Telegram only leaves objects of its own in the page. */
const NAMED = /\b(?:FBA[NV]|Instagram|VKAndroidApp|VKClient|OKApp|Line)\//;

/** The page stands in a messenger's own browser, where downloads end nowhere. */
export function isInApp(): boolean {
  const { TelegramWebview, TelegramWebviewProxy } = window as Frames;
  return TelegramWebview !== undefined || TelegramWebviewProxy !== undefined || NAMED.test(navigator.userAgent);
}
