import { createServer } from "node:net";

/**
 * Exits with a sentence if the panel's address is already in use: a newer version next to a running one must change nothing.
 * The panel itself reports other mistakes in these variables.
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
          `PORT ${port} на ${host} занят: там слушает другая панель или программа. Ничего не установлено и не собрано; чтобы обновиться, сначала остановите работающую панель. / PORT ${port} is taken on ${host}: another panel or program listens there. Nothing was installed or built; to upgrade, stop the running panel first.`,
        ),
      );
    });
    probe.listen(Number(port), host, () => probe.close(() => resolve()));
  });
