/** A feature's folder, on either side. Its tests may import anything. */
const FEATURE = /^(apps\/(?:server|web)\/src\/features\/[^/]+\/[^/]+)\//;
const TEST = /[.]test[.]tsx?$/;

/**
 * Features that depend on each other, also for a type only or through others, each as a cycle 'a → b → a'. Two such features
 * are one feature, or one names what it needs of the other as a part (docs/architecture.md).
 * @param {readonly Pick<import("dependency-cruiser").IModule, "source" | "dependencies">[]} modules
 * @returns {string[]}
 */
export function circlesOfFeatures(modules) {
  /** @type {Map<string, Set<string>>} */
  const needs = new Map();
  for (const { source, dependencies } of modules) {
    const feature = FEATURE.exec(source)?.[1];
    if (feature === undefined || TEST.test(source)) continue;
    const others = needs.get(feature) ?? new Set();
    needs.set(feature, others);
    for (const { resolved } of dependencies) {
      const other = FEATURE.exec(resolved)?.[1];
      if (other !== undefined && other !== feature) others.add(other);
    }
  }
  /** @type {string[]} */
  const circles = [];
  const done = new Set();
  /** @param {string} feature @param {string[]} way */
  const follow = (feature, way) => {
    const seen = way.indexOf(feature);
    if (seen >= 0) circles.push([...way.slice(seen), feature].join(" → "));
    if (seen >= 0 || done.has(feature)) return;
    for (const other of needs.get(feature) ?? []) follow(other, [...way, feature]);
    done.add(feature);
  };
  for (const feature of needs.keys()) follow(feature, []);
  return circles;
}
