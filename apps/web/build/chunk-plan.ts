import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { build, type Rolldown } from "vite";
import { slimMantine } from "./slim-mantine.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Assigns each module to a file of the build, so that a screen loads few files: on a slow phone each of fifty small ones costs
 * more than its bytes. What starts before any screen is `base`. What else screens need goes where `place` says. The bundler
 * places the rest. A preliminary build shows what a page needs, because that is known only after unused code is removed.
 * @param screens  name → modules that a screen starts with, from the project's root
 * @param place    the screens that need a module → its file; undefined leaves it to the bundler. At least the same screens need a
 *   module's imports. A larger set must go to an earlier file, or two files would wait for each other
 */
export async function planChunks<Screen extends string>(
  screens: Record<Screen, readonly string[]>,
  place: (neededBy: ReadonlySet<Screen>) => string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const built = (await build({
    root: ROOT,
    configFile: false,
    plugins: [react(), slimMantine()],
    logLevel: "error",
    build: { write: false, minify: false, reportCompressedSize: false },
  })) as Rolldown.RolldownOutput;
  const chunks = built.output.filter((file) => file.type === "chunk");
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const modulesOf = (starts: readonly (typeof chunks)[number][]) => {
    const seen = new Set(starts);
    for (const chunk of seen)
      for (const name of chunk.imports) {
        const imported = byName.get(name);
        if (imported) seen.add(imported);
      }
    return new Set([...seen].flatMap(({ moduleIds }) => moduleIds));
  };
  const startOf = (file: string) => {
    const start = chunks.find(
      ({ facadeModuleId, moduleIds }) => facadeModuleId === ROOT + file || moduleIds.includes(ROOT + file),
    );
    if (start === undefined) throw new Error(`${file} is in no file of the build`);
    return start;
  };
  const neededBy = new Map<string, Set<Screen>>();
  for (const [name, files] of Object.entries(screens) as [Screen, readonly string[]][])
    for (const module of modulesOf(files.map(startOf)))
      neededBy.set(module, (neededBy.get(module) ?? new Set()).add(name));
  const plan = new Map<string, string>();
  for (const [module, names] of neededBy) {
    const file = place(names);
    if (file !== undefined) plan.set(module, file);
  }
  for (const module of modulesOf(chunks.filter(({ isEntry }) => isEntry))) plan.set(module, "base");
  return plan;
}
