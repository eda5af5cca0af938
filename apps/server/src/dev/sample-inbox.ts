type Send = (url: string, payload: object) => Promise<unknown>;

/** What an admin wrote to Marina; her payment and an answer of support have told her of themselves. */
export async function fillSampleInbox(sendAsAdmin: Send): Promise<void> {
  await sendAsAdmin("/api/telegram/notify/marina", {
    message:
      "Марина, в субботу переносим сервер в Хельсинки. Менять ничего не нужно: конфиги подключатся сами, перерыв займёт минут пять.",
  });
}
