type Send = (url: string, payload: object) => Promise<unknown>;

/** An admin's message to Marina; her payment and a support answer produce their own notices. */
export async function fillSampleInbox(sendAsAdmin: Send): Promise<void> {
  await sendAsAdmin("/api/telegram/notify/marina", {
    message:
      "Марина, в субботу переносим сервер в Хельсинки. Менять ничего не нужно: конфиги подключатся сами, перерыв займёт минут пять.",
  });
}
