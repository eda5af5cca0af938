// Fonts are fetched beside the application, except where this script took so long to come that they would hold it up: there
// the text shows first.
if (performance.now() < 900)
  for (const font of document.querySelectorAll('link[as="font"]')) font.removeAttribute("media");

// Runs before the first paint, so that nobody sees the other theme flash. Keys: src/lib/browser-storage.ts.
(() => {
  // An invitation link: the code leaves the address bar and waits in this tab, also through the gate, maintenance and a reload.
  const takeCode = () => {
    if (!location.hash.startsWith("#code=")) return;
    try {
      sessionStorage.setItem("krug.invite", location.hash.slice(6, 70));
      history.replaceState(history.state, "", location.pathname + location.search);
    } catch {
      // A browser that keeps nothing leaves the boxes to be filled by hand.
    }
  };
  takeCode();
  addEventListener("hashchange", takeCode);

  const root = document.documentElement;
  // Browsers offer passkeys only to a secure page under a name (packages/domain/src/passkey-rules.ts).
  if (!window.PublicKeyCredential || /^[\d.]+$|^\[/.test(location.hostname)) root.dataset.passkeys = "none";
  try {
    const theme = localStorage.getItem("krug.theme");
    if (theme === "light" || (theme === "auto" && matchMedia("(prefers-color-scheme: light)").matches)) {
      root.setAttribute("data-mantine-color-scheme", "light");
      document.querySelector('meta[name="theme-color"]').setAttribute("content", "#EBF0EA");
    }
    if (localStorage.getItem("krug.language") === "en") root.lang = "en";
    if (localStorage.getItem("maintenanceMode") === "true") return;
  } catch {
    // A browser that keeps nothing gets the dark theme and Russian.
  }
  // The prepared picture is in Russian, and for guests the gate lets in.
  const answers = JSON.parse(document.getElementById("first-answers")?.textContent || "{}");
  const mayEnter = answers["/security/gate"]?.enabled === false || /(^|; )krug\.gate=/.test(document.cookie);
  if (mayEnter && root.lang !== "en" && !answers["/auth/me"]) root.dataset.prepared = "shown";
})();
