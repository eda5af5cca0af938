import { makeApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { makeHost } from "../src/hosts/driver.ts";
import { openInstallation, packagedGeoFiles } from "../src/installation.ts";
import { makeFakeNames } from "./fake-names.ts";
import { makeFakeRemotes } from "./fake-remotes.ts";
import { machineAtParent } from "./machine-over-ipc.ts";

/** A panel in a separate process, which a test can freeze. Its machine is in the test, and its clock is fixed at the argument. */
const config = readConfig(process.env);
const clock = { now: () => new Date(Number(process.argv[2])) };
const app = await makeApp({
  config,
  ...(await openInstallation(config, clock.now())),
  clock,
  localHost: makeHost(machineAtParent()),
  remotes: makeFakeRemotes(),
  names: makeFakeNames(),
  version: "0.0.0-test",
  geoFiles: packagedGeoFiles(),
  webFolder: "",
  checkAnswers: true,
});
await app.prepare();
app.jobs.start();
await app.jobs.settled(await app.lookAtServers(), 30_000);
process.on("message", (message) => {
  if (message === "look") void app.lookAtServers();
});
process.once("disconnect", () => process.exit());
process.send?.("started");
