import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type Rolldown } from "vite";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const REACT = /node_modules[\\/](react|react-dom|scheduler)[\\/]/;

/**
 * Which file of the build each module goes to, so that a first screen comes in few files: on a slow phone each of fifty small
 * ones costs more than its bytes. What starts before any screen is `base`, and `react` beside it, which changes least; what
 * the main screen has in common with another is `shared`; what else first screens need is one file for each set of screens
 * that need it; all other is the bundler's. A module's imports are needed wherever it is, so no two of the files wait for
 * each other. What a page needs is known only once unused code is gone, and is therefore read from a build made for that.
 * @param screens  name → a first screen's module, from the project's root
 * @param main     the screen that people open every day
 */
export async function planChunks(screens: Record<string, string>, main: string): Promise<ReadonlyMap<string, string>> {
  const built = (await build({
    root: ROOT,
    configFile: false,
    plugins: [react()],
    logLevel: "error",
    build: { write: false, minify: false, reportCompressedSize: false },
  })) as Rolldown.RolldownOutput;
  const chunks = built.output.filter((file) => file.type === "chunk");
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const modulesOf = (isStart: (chunk: (typeof chunks)[number]) => boolean) => {
    const start = chunks.find(isStart);
    if (start === undefined) throw new Error("a first screen has no chunk of its own");
    const seen = new Set([start]);
    for (const chunk of seen)
      for (const name of chunk.imports) {
        const imported = byName.get(name);
        if (imported) seen.add(imported);
      }
    return new Set([...seen].flatMap(({ moduleIds }) => moduleIds));
  };
  const base = modulesOf(({ isEntry }) => isEntry);
  const neededBy = new Map<string, string[]>();
  for (const [name, file] of Object.entries(screens))
    for (const module of modulesOf(({ facadeModuleId }) => facadeModuleId === ROOT + file))
      neededBy.set(module, [...(neededBy.get(module) ?? []), name]);
  const plan = new Map<string, string>();
  for (const [module, names] of neededBy)
    plan.set(module, names.length > 1 && names.includes(main) ? "shared" : names.join("-"));
  for (const module of base) plan.set(module, REACT.test(module) ? "react" : "base");
  return plan;
}
