/** Where the sources are whose imports have rules (.dependency-cruiser.mjs), as patterns from the repository's root. */
export const SOURCES = ["packages/*/src", "apps/*/src", "apps/server/testing"];
