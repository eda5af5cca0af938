import type { Plugin } from "vite";

/**
 * Adds `<link rel="preload">` for the fonts whose file names in the build start with these names: their hashes are known only then.
 * The links apply to no medium until public/before-paint.js has found the connection fast enough.
 */
export function preloadFonts(...names: string[]): Plugin {
  return {
    name: "krug:preload-fonts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const files = Object.keys(bundle ?? {});
        return names.map((name) => {
          const file = files.find((path) => path.includes(`/${name}`) && path.endsWith(".woff2"));
          if (!file) throw new Error(`No font ${name} in the build: the preload would be a dead link`);
          return {
            tag: "link",
            attrs: {
              rel: "preload",
              as: "font",
              type: "font/woff2",
              href: `/${file}`,
              crossorigin: true,
              media: "not all",
            },
            injectTo: "head-prepend" as const,
          };
        });
      },
    },
  };
}
