import { createServer } from "node:net";

/**
 * Ends with a sentence where somebody listens already at the address that the panel is to have: a newer version beside a
 * running one must change nothing. What else may be wrong with these variables the panel says itself.
 * @returns {Promise<void>}
 */
export const refuseTakenPort = () =>
  new Promise((resolve, reject) => {
    const port = process.env.PORT?.trim() || "3001";
    const host = process.env.HOST?.trim() || "127.0.0.1";
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return resolve();
    const probe = createServer();
    probe.once("error", (/** @type {NodeJS.ErrnoException} */ { code }) => {
      if (code !== "EADDRINUSE") return resolve();
      reject(
        new Error(
          `PORT ${port} is taken on ${host}: another panel or program listens there. Nothing was installed or built; to upgrade, stop the running panel first.`,
        ),
      );
    });
    probe.listen(Number(port), host, () => probe.close(() => resolve()));
  });
