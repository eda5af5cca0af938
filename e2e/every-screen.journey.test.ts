import { type Check, checkScreens, withLargeLetters } from "./check-screens.ts";
import { screens, sizesOf } from "./screens/all.ts";
import type { Screen } from "./screens/stage.ts";

/*
 * Each screen is checked twice: by default in Russian and dark, and in its other size, light and in English. It must fit both
 * windows, and passes axe in one of them. Of four neighbours, which share components, together all sizes, themes and
 * languages pass it. every-screen.soak.test.ts checks each screen in full, and
 * those too that other screens stand for here.
 */
const byTurns = (screen: Screen, at: number): Check[] => {
  const sizes = sizesOf(screen);
  const [size = "desktop", other = size] = at % 4 < 2 ? sizes : sizes.toReversed();
  const asItComes = at % 2 === 0;
  return [
    { language: "ru", size, theme: "dark", of: asItComes ? "all" : "width" },
    { language: "en", size: other, theme: "light", of: asItComes ? "width" : "all" },
    ...withLargeLetters(screen, { language: "ru", theme: "dark" }),
  ];
};

checkScreens(
  byTurns,
  screens.filter(({ isVariant, isComposed }) => !isVariant && !isComposed),
);
