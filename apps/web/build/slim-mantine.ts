import type { Plugin } from "vite";

/** What the library's variables are made of, which are in src/ui/theme-variables.css. Blue, its default primary colour, stays. */
const COLOURS = /^\s*(?:dark|gray|red|pink|grape|violet|indigo|cyan|teal|green|lime|yellow|orange): \[[^\]]*\],?$/gm;
const SIZES = /^\t(fontSizes|lineHeights|fontWeights|headings|radius|spacing|shadows): \{[\s\S]*?^\t\}/gm;
const VARIABLES = /^\s*withCssVariables && [\s\S]*?withGlobalClasses && [^\n]*\n/m;

/** Every dialog takes one small hook from a library that positions pop-ups. Importing it pulls in the whole library. */
const MERGE_REFS = 'import { useMergeRefs } from "@floating-ui/react";';
const OWN_MERGE_REFS =
  'import { useMergedRef } from "@mantine/hooks";\nconst useMergeRefs = (refs) => useMergedRef(...refs);';

/** Buttons wait with our own ring (src/ui/theme.ts). */
const LOADERS = /(?<=const defaultLoaders = )\{[^}]*\}/;

/** Ways of appearing that no page uses. */
const TRANSITIONS = /^\t"?(?:skew|rotate|scale|pop-|fade-[lr])[\w-]*"?: \{[\s\S]*?^\t\},?$/gm;

/** Every component would look for some fifty properties that set its style (`mt`, `hiddenFrom`). Ours do that in style sheets. */
const STYLE_PROPS: Record<string, string> = {
  "Box/style-props/extract-style-props/extract-style-props":
    "export const extractStyleProps = (rest) => ({ styleProps: {}, rest });",
  "Box/style-props/parse-style-props/parse-style-props":
    "export const parseStyleProps = () => ({ hasResponsiveStyles: false, inlineStyles: {} });",
  "Box/style-props/style-props-data": "export const STYLE_PROPS_DATA = {};",
  "InlineStyles/InlineStyles": "export const InlineStyles = () => null;",
  "InlineStyles/hash-styles": "export const hashStyleProps = () => undefined;",
};

/** A component brings along every attached part (`Menu.Search`), whether a page uses it or not. No page uses these. */
const UNUSED_PARTS: Record<string, readonly string[]> = {
  ActionIcon: ["Group", "GroupSection"],
  Button: ["Group", "GroupSection"],
  Checkbox: ["Card", "Group", "Indicator"],
  Drawer: ["Header", "Stack", "Title"],
  Input: ["ClearButton", "Placeholder"],
  Menu: ["CheckboxGroup", "ContextMenu", "Label", "RadioGroup", "Search", "Sub"],
  Modal: ["Stack"],
  Popover: ["ContextMenu"],
};
const COMPOUND = /@mantine\/core\/esm\/components\/(\w+)\/\1\.mjs$/;
const ANY_UNUSED_PART = new RegExp(
  Object.entries(UNUSED_PARTS)
    .map(([name, parts]) => `\\b${name}\\.(?:${parts.join("|")})\\b`)
    .join("|"),
);

/** Removes what the component library would add to a first screen without using it. */
export function slimMantine(): Plugin {
  return {
    name: "krug:slim-mantine",
    enforce: "pre",
    apply: "build",
    transform(code, id) {
      if (id.endsWith("/MantineProvider/default-colors.mjs")) return changed(code, COLOURS, "");
      if (id.endsWith("/MantineProvider/MantineProvider.mjs")) return changed(code, VARIABLES, "");
      if (id.endsWith("/MantineProvider/default-theme.mjs"))
        return changed(changed(code, SIZES, "\t$1: {}"), "variantColorResolver: defaultVariantColorsResolver,", "");
      if (id.endsWith("/Transition/transitions.mjs")) return changed(code, TRANSITIONS, "");
      if (id.endsWith("/Loader/Loader.mjs")) return changed(code, LOADERS, "{}");
      const stub = STYLE_PROPS[/\/esm\/core\/(.*)\.mjs$/.exec(id)?.[1] ?? ""];
      if (stub) return stub;
      if (id.endsWith("/ScrollArea/ScrollArea.mjs")) return changed(code, MERGE_REFS, OWN_MERGE_REFS);
      const unused = UNUSED_PARTS[COMPOUND.exec(id)?.[1] ?? ""];
      if (unused)
        return unused.reduce((left, part) => changed(left, new RegExp(`^\\w+\\.${part} = \\w+;$`, "m"), ""), code);
      if (id.endsWith(".tsx")) refuse(ANY_UNUSED_PART.exec(code)?.[0] ?? styleProperty(code));
      return null;
    },
  };
}

const STYLE_PROPERTY =
  /^(?:m[trblxys]?|p[trblxys]?|b[dg]|c|opacity|f[fzw]|lts|ta|lh|m?[wh]|m[ia][wh]|pos|inset|display|flex|(?:hidden|visible)From)$/;

/** The first of those properties among the attributes of any component: `Button mt`. Without `me`, which is a member to us. */
export function styleProperty(code: string): string | undefined {
  const text = code.replace(/"[^"\n]*"/g, '""');
  for (const { 0: start, 1: name, index } of text.matchAll(/<([A-Z][\w.]*)(?=\s)/g)) {
    let depth = 0;
    let own = "";
    for (const at of text.slice(index + start.length)) {
      if (at === "}") depth--;
      if (depth === 0) own += at;
      if (at === "{") depth++;
      if (at === ">" && depth === 0) break;
    }
    const found = own.match(/[\w-]+/g)?.find((word) => STYLE_PROPERTY.test(word));
    if (found) return `${name} ${found}`;
  }
  return undefined;
}

function refuse(part: string | undefined) {
  if (part) throw new Error(`${part} is used, which the build leaves out: do without it, or take it off the list`);
}

/** @throws Error if the code is no longer found, so that an upgrade cannot bring it back unnoticed */
function changed(code: string, what: string | RegExp, replacement: string): string {
  const result = code.replace(what, replacement);
  if (result === code) throw new Error(`Mantine has changed: check whether leaving out ${what} is still needed`);
  return result;
}
