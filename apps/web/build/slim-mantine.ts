import type { Plugin } from "vite";

/** Colours that the club does not use. Its own are in src/ui/theme.ts. Together they are half of the library's variables. */
const UNUSED = "pink|grape|violet|indigo|cyan|teal|green|lime|yellow|orange";
/** The library's default primary colour is blue, so its code needs that one. Its style sheet does not. */
const IN_STYLES = new RegExp(`\\s*--mantine-color-(?:blue|${UNUSED})-[a-z0-9-]+:[^;}]*;?`, "g");
const IN_CODE = new RegExp(`^\\s*(?:${UNUSED}): \\[[^\\]]*\\],?$`, "gm");

/** Every dialog takes one small hook from a library that positions pop-ups. Importing it pulls in the whole library. */
const MERGE_REFS = 'import { useMergeRefs } from "@floating-ui/react";';
const OWN_MERGE_REFS =
  'import { useMergedRef } from "@mantine/hooks";\nconst useMergeRefs = (refs) => useMergedRef(...refs);';

/** A component brings along every attached part (`Menu.Search`), whether a page uses it or not. No page uses these. */
const UNUSED_PARTS: Record<string, readonly string[]> = {
  ActionIcon: ["Group", "GroupSection"],
  Button: ["Group", "GroupSection"],
  Checkbox: ["Card", "Group", "Indicator"],
  Drawer: ["Header", "Stack", "Title"],
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
      if (id.includes("/styles/default-css-variables.layer.css")) return changed(code, IN_STYLES, "");
      if (id.endsWith("/MantineProvider/default-colors.mjs")) return changed(code, IN_CODE, "");
      if (id.endsWith("/ScrollArea/ScrollArea.mjs")) return changed(code, MERGE_REFS, OWN_MERGE_REFS);
      const unused = UNUSED_PARTS[COMPOUND.exec(id)?.[1] ?? ""];
      if (unused)
        return unused.reduce((left, part) => changed(left, new RegExp(`^\\w+\\.${part} = \\w+;$`, "m"), ""), code);
      if (id.endsWith(".tsx")) refuse(ANY_UNUSED_PART.exec(code)?.[0]);
      return null;
    },
  };
}

function refuse(part: string | undefined) {
  if (part) throw new Error(`${part} is used now: take it off the list of parts that the build leaves out`);
}

/** @throws Error if the code is no longer found, so that an upgrade cannot bring it back unnoticed */
function changed(code: string, what: string | RegExp, replacement: string): string {
  const result = code.replace(what, replacement);
  if (result === code) throw new Error(`Mantine has changed: check whether leaving out ${what} is still needed`);
  return result;
}
