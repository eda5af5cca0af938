import { checkScreens, withLargeLetters } from "./check-screens.ts";
import { sizesOf } from "./screens/all.ts";

/*
 * Each screen has two looks: as it comes, in Russian and dark, and in its other size, light and in English. It must fit both
 * windows, and passes axe in one of them. Four neighbours, which share components, pass it in both sizes, themes and
 * languages. every-screen.soak.test.ts leaves nothing to a neighbour.
 */
checkScreens((screen, at) => {
  const sizes = sizesOf(screen);
  const [size = "desktop", other = size] = at % 4 < 2 ? sizes : sizes.toReversed();
  const asItComes = at % 2 === 0;
  return [
    { language: "ru", size, theme: "dark", of: asItComes ? "all" : "width" },
    { language: "en", size: other, theme: "light", of: asItComes ? "width" : "all" },
    ...withLargeLetters(screen, { language: "ru", theme: "dark" }),
  ];
});
