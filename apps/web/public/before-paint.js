// Runs before the first paint, so that nobody sees the other theme flash. Keys: src/lib/kept.ts.
(() => {
  try {
    const root = document.documentElement;
    if (localStorage.getItem("krug.theme") === "light") {
      root.setAttribute("data-mantine-color-scheme", "light");
      document.querySelector('meta[name="theme-color"]').setAttribute("content", "#EBF0EA");
    }
    if (localStorage.getItem("krug.language") === "en") root.lang = "en";
  } catch {
    // A browser that keeps nothing gets the dark theme and Russian.
  }
})();
