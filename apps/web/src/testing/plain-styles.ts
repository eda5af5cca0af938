/*
 * For each question about an element's style jsdom matches every rule of the browser's default style sheet, for the element and
 * all above it: a fifth of a screen test's time. The tests ask only what hides an element, and which elements separate words.
 */

const NOWHERE = "[hidden], head, script, style, template, title, dialog:not([open]), input[type=hidden], noscript";
const IN_A_LINE = new Set(
  "a abbr b bdi bdo br button cite code data em i img input kbd label mark meter output progress q s samp select small span strong sub sup svg textarea time u var".split(
    " ",
  ),
);

const ownOf = (element: Element) => (element as Partial<HTMLElement>).style;

function inherited(element: Element, name: "visibility" | "pointerEvents"): string {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const own = ownOf(at)?.[name];
    if (own && own !== "inherit") return own;
  }
  return name === "visibility" ? "visible" : "auto";
}

function displayOf(element: Element): string {
  const own = ownOf(element)?.display;
  if (own) return own;
  if (element.matches(NOWHERE)) return "none";
  return IN_A_LINE.has(element.localName) ? "inline" : "block";
}

const SHOWN: Record<string, (element: Element) => string> = {
  display: displayOf,
  visibility: (element) => inherited(element, "visibility"),
  pointerEvents: (element) => inherited(element, "pointerEvents"),
  "pointer-events": (element) => inherited(element, "pointerEvents"),
};

/** As `window.getComputedStyle`, from inline styles and the few defaults above. A pseudo-element has none. */
export function plainStyles(element: Element, pseudo?: string | null): CSSStyleDeclaration {
  const own = pseudo ? undefined : ownOf(element);
  const read = (name: string): string => {
    if (!own) return "";
    return SHOWN[name]?.(element) ?? own.getPropertyValue(name);
  };
  return new Proxy({} as CSSStyleDeclaration, {
    get(_target, name) {
      if (typeof name === "symbol") return undefined;
      if (name === "getPropertyValue") return read;
      return own && !(name in SHOWN) ? own[name as keyof CSSStyleDeclaration] : read(name);
    },
  });
}
