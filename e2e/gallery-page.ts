import { type Screen, SIZES } from "./screens/stage.ts";

/** The gallery's page: one figure per screen, controls for size, theme and language, and a filter by name. */
export const galleryPage = (screens: readonly Screen[]) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Screens</title>
<style>
  :root { color-scheme: dark light; font: 15px/1.4 system-ui, sans-serif; }
  body { margin: 0; }
  header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 12px; padding: 12px 16px; background: Canvas; border-bottom: 1px solid GrayText; }
  header input { flex: 1 1 200px; font: inherit; padding: 6px 10px; }
  header select { font: inherit; padding: 6px; }
  main { display: grid; gap: 24px; padding: 16px; grid-template-columns: repeat(auto-fill, minmax(var(--column), 1fr)); }
  figure { margin: 0; }
  figcaption { display: flex; justify-content: space-between; gap: 8px; padding-bottom: 6px; }
  figcaption span { color: GrayText; }
  figure a { display: block; aspect-ratio: var(--ratio); background: color-mix(in srgb, CanvasText 8%, Canvas); border-radius: 8px; overflow: hidden; }
  img { display: block; width: 100%; }
  figure.failed a::after { content: "could not be taken: open it to see why"; display: block; padding: 16px; }
</style>
</head>
<body>
<header>
  <input type="search" placeholder="Name of a screen" aria-label="Name of a screen" id="filter">
  <select id="size" aria-label="Size"><option value="phone">360 px</option><option value="desktop">1440 px</option></select>
  <select id="theme" aria-label="Theme"><option>dark</option><option>light</option></select>
  <select id="language" aria-label="Language"><option>ru</option><option>en</option></select>
  <output id="count"></output>
</header>
<main></main>
<script>
  const screens = ${JSON.stringify(screens.map(({ name, who, sizes = ["phone", "desktop"] }) => ({ name, who, sizes })))};
  const dimensions = ${JSON.stringify(SIZES)};
  const [filter, size, theme, language] = ["filter", "size", "theme", "language"].map((id) => document.getElementById(id));
  const kept = new URLSearchParams(location.hash.slice(1));
  for (const field of [filter, size, theme, language]) {
    field.value = kept.get(field.id) ?? field.value;
    field.addEventListener("input", show);
  }
  function show() {
    const look = new URLSearchParams({ size: size.value, theme: theme.value, language: language.value });
    history.replaceState(null, "", "#" + new URLSearchParams({ filter: filter.value, ...Object.fromEntries(look) }));
    const chosen = screens.filter(({ name, sizes }) => name.includes(filter.value.trim()) && sizes.includes(size.value));
    const { width, height } = dimensions[size.value];
    document.body.style.setProperty("--column", size.value === "phone" ? "240px" : "420px");
    document.body.style.setProperty("--ratio", width + " / " + height);
    document.getElementById("count").value = chosen.length + " of " + screens.length;
    document.querySelector("main").replaceChildren(...chosen.map(({ name, who }) => {
      const figure = document.createElement("figure");
      const caption = document.createElement("figcaption");
      const link = document.createElement("a");
      const picture = document.createElement("img");
      caption.append(name, Object.assign(document.createElement("span"), { textContent: who ?? "guest" }));
      link.href = picture.src = "/pictures/" + name + ".png?" + look;
      link.target = "_blank";
      picture.alt = "";
      picture.loading = "lazy";
      picture.addEventListener("error", () => { figure.classList.add("failed"); picture.remove(); });
      link.setAttribute("aria-label", name);
      link.append(picture);
      figure.append(caption, link);
      return figure;
    }));
  }
  show();
</script>
</body>
</html>`;
