// The Mini App's page only, before everything else (ADR 170). Telegram puts into the address what it signed: it leaves the
// address, and so the history, at once, and is in the page's memory until the sign-in.
(() => {
  const said = new URLSearchParams(location.hash.slice(1));
  const version = said.get("tgWebAppVersion");
  // On a reload there is only the program around the page.
  if (!version && parent === window && !window.TelegramWebviewProxy && !window.external?.notify) {
    location.replace("/");
    return;
  }
  window.krugTelegram = { initData: said.get("tgWebAppData"), version };
  history.replaceState(null, "", location.pathname.replace(/^\/tg\/?$/, "/tg/dashboard") + location.search);
  try {
    const { bg_color: ground } = JSON.parse(said.get("tgWebAppThemeParams") || "{}");
    if (/^#[0-9a-f]{6}$/i.test(ground)) {
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16));
      // before-paint.js reads it next, and the page later.
      localStorage.setItem("krug.theme", red * 0.3 + green * 0.6 + blue * 0.1 > 127 ? "light" : "dark");
    }
    const { language_code: language = "" } = JSON.parse(
      new URLSearchParams(window.krugTelegram.initData || "").get("user") || "{}",
    );
    if (language.startsWith("en") && !localStorage.getItem("krug.language"))
      localStorage.setItem("krug.language", "en");
  } catch {
    // A browser that keeps nothing gets the dark theme and Russian.
  }
})();
