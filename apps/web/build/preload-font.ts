import type { Plugin } from "vite";

/** Adds `<link rel="preload">` for one font whose file name in the build starts with `name`: its hash is known only then. */
export function preloadFont(name: string): Plugin {
  return {
    name: "krug:preload-font",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const file = Object.keys(bundle ?? {}).find((path) => path.includes(`/${name}`) && path.endsWith(".woff2"));
        if (!file) throw new Error(`No font ${name} in the build: the preload would be a dead link`);
        return [
          {
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: true },
            injectTo: "head-prepend",
          },
        ];
      },
    },
  };
}
