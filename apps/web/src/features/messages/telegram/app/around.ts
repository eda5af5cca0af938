import { KEPT, keep, kept } from "../../../../lib/browser-storage.ts";
import { knows, post, subscribe } from "../../../../lib/telegram-bridge.ts";

/** The page looks and behaves like a part of the Telegram program around it. */
export function fitIn(): void {
  post("iframe_ready", { reload_supported: true });
  subscribe("reload_iframe", () => {
    post("iframe_will_reload");
    location.reload();
  });
  followTheme();
  followEdges();
  followBack();
  post("web_app_ready");
  post("web_app_expand");
  // A list that is pulled down must not close the club.
  if (knows(7, 7)) post("web_app_setup_swipe_behavior", { allow_vertical_swipe: false });
}

/** Light or dark, as Telegram is. The colours stay the club's, and Telegram's edges around the page take them. */
function followTheme() {
  const paintEdges = () => {
    const color = getComputedStyle(document.documentElement).getPropertyValue("--k-ground").trim();
    if (!/^#[0-9a-f]{6}$/i.test(color)) return;
    for (const part of ["header_color", "background_color", ...(knows(7, 10) ? ["bottom_bar_color"] : [])])
      post(`web_app_set_${part}`, { color });
  };
  paintEdges();
  new MutationObserver(paintEdges).observe(document.documentElement, {
    attributeFilter: ["data-mantine-color-scheme"],
  });
  subscribe("theme_changed", ({ theme_params }) => {
    const ground = String((theme_params as { bg_color?: unknown } | undefined)?.bg_color);
    if (!/^#[0-9a-f]{6}$/i.test(ground)) return;
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16));
    const oldValue = kept(KEPT.theme);
    const newValue = red * 0.3 + green * 0.6 + blue * 0.1 > 127 ? "light" : "dark";
    keep(KEPT.theme, newValue);
    // As if another tab had changed it: the component library listens to that.
    dispatchEvent(new StorageEvent("storage", { key: KEPT.theme, oldValue, newValue, storageArea: localStorage }));
  });
}

/** What the phone and Telegram's own buttons cover. The style sheets use the browser's own insets otherwise. */
function followEdges() {
  const { documentElement: page, body } = document;
  const covered = { safe_area: { top: 0, bottom: 0 }, content_safe_area: { top: 0, bottom: 0 } };
  for (const name of ["safe_area", "content_safe_area"] as const) {
    subscribe(`${name}_changed`, ({ top, bottom }) => {
      covered[name] = { top: Number(top) || 0, bottom: Number(bottom) || 0 };
      const { safe_area: phone, content_safe_area: buttons } = covered;
      body.style.paddingTop = `${phone.top + buttons.top}px`;
      page.style.setProperty("--k-safe", `${phone.bottom + buttons.bottom}px`);
    });
    post(`web_app_request_${name}`);
  }
}

/** Telegram's Back does what the browser's would, and is there while it would stay in the club. */
function followBack() {
  let isShown = false;
  const look = () => {
    const state = history.state as { layers?: number; __TSR_index?: number } | null;
    const is_visible = (state?.layers ?? 0) + (state?.__TSR_index ?? 0) > 0;
    if (is_visible !== isShown) post("web_app_setup_back_button", { is_visible });
    isShown = is_visible;
  };
  // Nothing else tells of entries that the page itself adds (lib/layers.ts).
  for (const name of ["pushState", "replaceState"] as const) {
    const change = History.prototype[name];
    History.prototype[name] = function (...entry) {
      change.apply(this, entry);
      look();
    };
  }
  addEventListener("popstate", look);
  subscribe("back_button_pressed", () => history.back());
  look();
}
