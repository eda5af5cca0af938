import { fillIn, type Language } from "@krug/domain/fill-in";

/** A refusal's status and its text in both languages; the refusal's details fill in `{name}`. */
interface Refusal {
  /** Unless set: 404 for what is not found, otherwise 409. */
  readonly status?: 400 | 401 | 403 | 404 | 408 | 413 | 415 | 421 | 422 | 429 | 431 | 503 | 507;
  readonly ru: string;
  readonly en: string;
}

/** Every expected refusal of the product (specification, section 8 of both sides; decisions, section 13). */
export const refusals = {
  "request.invalid": { status: 400, ru: "Поле «{field}»: {problem}", en: "Field “{field}”: {problem}" },
  "request.malformed": {
    status: 400,
    ru: "Запрос не удалось прочитать: тело должно быть правильным JSON.",
    en: "The request could not be read: the body must be valid JSON.",
  },
  "request.not_http": {
    status: 400,
    ru: "Это не запрос HTTP: прочитать его не удалось.",
    en: "This is not an HTTP request: it could not be read.",
  },
  "request.headers_too_large": {
    status: 431,
    ru: "Заголовки запроса слишком большие: всего можно {kilobytes} КБ. В браузере помогает удалить cookie этого сайта.",
    en: "The request's headers are too large: {kilobytes} kB in all at most. In a browser, clearing this site's cookies helps.",
  },
  "request.too_large": {
    status: 413,
    ru: "Запрос слишком большой: здесь можно не больше {kilobytes} КБ.",
    en: "The request is too large: at most {kilobytes} kB here.",
  },
  "request.media_type": {
    status: 415,
    ru: "Тело запроса должно быть в формате {media}.",
    en: "The request body must be {media}.",
  },
  "request.large_busy": {
    status: 429,
    ru: "Панель ещё принимает другие большие запросы. Попробуйте через {seconds} с.",
    en: "The panel is still receiving other large requests. Try again in {seconds} s.",
  },
  "request.too_slow": {
    status: 408,
    ru: "Запрос приходил слишком медленно и был прерван. Проверьте соединение и попробуйте ещё раз.",
    en: "The request came in too slowly and was cut off. Check your connection and try again.",
  },
  "request.not_found": { ru: "Такого адреса нет.", en: "There is no such address." },
  "request.foreign_origin": {
    status: 403,
    ru: "Запрос пришёл не со страницы панели и отклонён.",
    en: "The request did not come from the panel's own page and was refused.",
  },
  "request.wrong_host": {
    status: 421,
    ru: "По этому адресу панель не отвечает: откройте её по её собственному. Если вы её настраиваете: прокси должен передавать имя из запроса в заголовке Host (в nginx: proxy_set_header Host $host;).",
    en: "This is not the panel's address. Open the panel at its own address. If you run it, have the proxy pass the requested name on in the Host header (nginx: proxy_set_header Host $host;).",
  },
  "request.too_many": {
    status: 429,
    ru: "Слишком много запросов. Попробуйте через {seconds} с.",
    en: "Too many requests. Try again in {seconds} s.",
  },
  "request.idempotency_mismatch": {
    ru: "Этот Idempotency-Key уже использован с другими данными.",
    en: "This Idempotency-Key has been used with other data.",
  },
  "database.away": {
    status: 503,
    ru: "База данных панели сейчас не отвечает. Попробуйте через несколько секунд.",
    en: "The panel's database does not answer right now. Try again in a few seconds.",
  },
  "database.uncertain": {
    status: 503,
    ru: "Связь с базой данных оборвалась, и неизвестно, сохранилось ли изменение. Проверьте это, прежде чем повторять.",
    en: "The connection to the database broke. The change may or may not have been saved: check before you repeat it.",
  },
  "database.busy": {
    status: 503,
    ru: "База данных занята, изменение не сохранено. Попробуйте ещё раз через минуту.",
    en: "The database is busy and nothing was saved. Try again in a minute.",
  },
  "database.conflict": {
    status: 503,
    ru: "Это же сейчас меняли другие, и ваше изменение не сохранено. Повторите через {seconds} с.",
    en: "Others were changing the same thing, and your change was not saved. Try again in {seconds} s.",
  },
  "database.full": {
    status: 507,
    ru: "На диске панели кончилось место, изменение не сохранено. Смотреть и скачивать по-прежнему можно.",
    en: "The panel's disk is full and nothing was saved. You can still view and download.",
  },
  "auth.required": { status: 401, ru: "Войдите, чтобы продолжить.", en: "Sign in to continue." },
  "auth.forbidden": { status: 403, ru: "У вас нет доступа к этому.", en: "You have no access to this." },
  "auth.not_yourself": {
    status: 403,
    ru: "Это можно сделать только для себя.",
    en: "You can do this only for yourself.",
  },
  "auth.two_factor_required": {
    status: 403,
    ru: "Подтвердите вход кодом двухфакторной аутентификации.",
    en: "Confirm with a two-factor code.",
  },
  "auth.password_required": {
    status: 403,
    ru: "Подтвердите паролем, что это вы.",
    en: "Enter your password to confirm that it is you.",
  },
  "auth.wrong_credentials": {
    status: 401,
    ru: "Неверное имя пользователя или пароль.",
    en: "Wrong username or password.",
  },
  "auth.too_many_attempts": {
    status: 429,
    ru: "Слишком много попыток входа. Попробуйте через {seconds} с.",
    en: "Too many sign-in attempts. Try again in {seconds} s.",
  },
  "auth.link_invalid": {
    status: 400,
    ru: "Ссылка недействительна или уже использована.",
    en: "This link is invalid or has been used.",
  },
  "api_token.invalid": {
    status: 401,
    ru: "Этот API-токен не действует: он отозван, истёк или скопирован не целиком. Сделайте новый в своём профиле.",
    en: "This API token is not valid: it was revoked, has expired, or was not copied whole. Create a new one in your profile.",
  },
  "api_token.scope_missing": {
    status: 403,
    ru: "У этого API-токена нет права {scope}. Сделайте токен с ним.",
    en: "This API token lacks the scope {scope}. Create a token that has it.",
  },
  "api_token.not_for_tokens": {
    status: 403,
    ru: "API-токеном этого сделать нельзя: войдите в панель.",
    en: "An API token cannot do this: sign in to the panel.",
  },
  "api_token.scope_not_yours": {
    status: 403,
    ru: "Прав {scopes} с вашей ролью не бывает: уберите их.",
    en: "Your role cannot have the scopes {scopes}: leave them out.",
  },
  "api_token.too_many": {
    ru: "У вас уже {max} {max|API-токен|API-токена|API-токенов}. Отзовите ненужный и попробуйте ещё раз.",
    en: "You already have {max} API {max|token|tokens}. Revoke one and try again.",
  },
  "api_token.not_found": { ru: "Такого API-токена у вас нет.", en: "You have no such API token." },
  "member.blocked": {
    status: 403,
    ru: "Ваш аккаунт заблокирован. Пожалуйста, свяжитесь с администрацией.",
    en: "Your account is blocked. Please contact the administration.",
  },
  "member.not_found": { ru: "Участник не найден.", en: "Member not found." },
  "note.not_found": { ru: "Заметка не найдена.", en: "Note not found." },
  "note.too_many": {
    ru: "У участника уже {most} {most|заметка|заметки|заметок}. Удалите ненужную и попробуйте ещё раз.",
    en: "The member already has {most} {most|note|notes}. Delete one and try again.",
  },
  "group.not_found": { ru: "Группа не найдена.", en: "Group not found." },
  "group.unknown": { status: 400, ru: "Такой группы нет.", en: "There is no such group." },
  "group.name_taken": { ru: "Группа с таким названием уже есть.", en: "A group with this name already exists." },
  "group.too_many": {
    ru: "В клубе уже {most} {most|группа|группы|групп}. Удалите ненужную и попробуйте ещё раз.",
    en: "The club already has {most} {most|group|groups}. Delete one and try again.",
  },
  "group.changed_meanwhile": {
    ru: "Пока вы редактировали, группу изменил другой администратор.",
    en: "Another admin changed this group while you were editing it.",
  },
  "template.not_found": { ru: "Шаблон не найден.", en: "Template not found." },
  "template.unknown": { status: 400, ru: "Такого шаблона нет.", en: "There is no such template." },
  "template.name_taken": { ru: "Шаблон с таким названием уже есть.", en: "A template with this name already exists." },
  "template.too_many": {
    ru: "В клубе уже {most} {most|шаблон|шаблона|шаблонов}. Удалите ненужный и попробуйте ещё раз.",
    en: "The club already has {most} {most|template|templates}. Delete one and try again.",
  },
  "template.changed_meanwhile": {
    ru: "Пока вы редактировали, шаблон изменил другой администратор.",
    en: "Another admin changed this template while you were editing it.",
  },
  "member.username_taken": { ru: "Имя пользователя уже занято.", en: "This username is taken." },
  "member.username_invalid": {
    status: 400,
    ru: "Имя пользователя: от 3 до 32 латинских букв, цифр, дефисов и подчёркиваний.",
    en: "Username: 3 to 32 Latin letters, digits, hyphens and underscores.",
  },
  "member.display_name_invalid": {
    status: 400,
    ru: "Отображаемое имя: от 1 до 64 знаков.",
    en: "Display name: 1 to 64 characters.",
  },
  "member.line_refused": { ru: "Строка {line}: {problem}", en: "Line {line}: {problem}" },
  "member.last_admin": {
    ru: "Это последний администратор: его нельзя понизить, заблокировать или удалить.",
    en: "This is the last admin: they cannot be demoted, blocked or deleted.",
  },
  "member.not_staff": { ru: "Этот участник не сотрудник.", en: "This member is not on staff." },
  "member.not_others": {
    status: 403,
    ru: "Себя так убрать нельзя: это сделает другой администратор.",
    en: "You cannot do this to yourself: another admin can.",
  },
  "member.subscription_in_past": {
    status: 400,
    ru: "Дата окончания подписки не может быть раньше сегодняшней.",
    en: "The subscription cannot end earlier than today.",
  },
  "member.block_oneself": {
    ru: "Себя заблокировать вместе с другими нельзя.",
    en: "You cannot block yourself along with others.",
  },
  "member.changed_meanwhile": {
    ru: "Пока вы редактировали, данные участника изменились. Проверьте их и сохраните ещё раз.",
    en: "While you were editing, the member was changed. Check and save again.",
  },
  "member.unlimited": {
    ru: "Подписка безлимитная: продлевать нечего.",
    en: "The subscription is unlimited: there is nothing to extend.",
  },
  "password.too_short": {
    status: 400,
    ru: "Пароль должен быть не менее {min} {min|символа|символов|символов}",
    en: "The password must be at least {min} {min|character|characters}",
  },
  "password.too_long": {
    status: 400,
    ru: "Пароль должен быть не более {max} {max|символа|символов|символов}",
    en: "The password must be at most {max} {max|character|characters}",
  },
  "password.common": {
    status: 400,
    ru: "Этот пароль слишком известен. Придумайте другой.",
    en: "This password is too common. Choose another.",
  },
  "password.wrong_current": { status: 400, ru: "Неверный текущий пароль", en: "Wrong current password" },
  "password.same": {
    status: 400,
    ru: "Новый пароль должен отличаться от текущего.",
    en: "The new password must differ from the current one.",
  },
  "invite.wrong_code": { status: 400, ru: "Неверный код приглашения", en: "Wrong invite code" },
  "invite.banned": {
    status: 429,
    ru: "Попробуйте через {seconds} {seconds|секунду|секунды|секунд}",
    en: "Try again in {seconds} {seconds|second|seconds}",
  },
  "invite.not_found": { ru: "Код приглашения не найден.", en: "Invite code not found." },
  "invite.needs_subscription": {
    status: 403,
    ru: "Приглашать друзей можно с действующей подпиской.",
    en: "You need an active subscription to invite friends.",
  },
  "invite.on_trial": {
    status: 403,
    ru: "Приглашать друзей можно после пробного периода.",
    en: "You can invite friends after your trial.",
  },
  "invite.needs_rules": {
    status: 403,
    ru: "Сначала примите правила клуба.",
    en: "Accept the club rules first.",
  },
  "invite.monthly_limit": {
    status: 403,
    ru: "В этом месяце вы уже создали {limit} {limit|код|кода|кодов}. Новые — со следующего месяца.",
    en: "You have created {limit} {limit|code|codes} this month. You can create more next month.",
  },
  "invite.not_active": { ru: "Код уже не действует.", en: "The code is no longer active." },
  "invite.changed_meanwhile": {
    ru: "Пока вы редактировали, код изменил другой сотрудник. Проверьте значения и сохраните ещё раз.",
    en: "While you were editing, somebody else changed the code. Check the values and save again.",
  },
  "invite.days_or_date": {
    status: 400,
    ru: "Укажите либо число дней подписки, либо дату её окончания: subscriptionDays или subscriptionEndDate.",
    en: "Give either the days of the subscription or its end date: subscriptionDays or subscriptionEndDate.",
  },
  "invite.expires_in_past": {
    status: 400,
    ru: "Срок действия кода должен быть в будущем.",
    en: "The code must expire in the future.",
  },
  "joining.address_limit": {
    status: 429,
    ru: "Из вашей сети за сутки зарегистрировалось слишком много людей. Попробуйте через {hours} ч или напишите тому, кто вас пригласил.",
    en: "Too many people have registered from your network within a day. Try again in {hours} h or write to the person who invited you.",
  },
  "joining.code_limit": {
    status: 429,
    ru: "По этому коду за сутки зарегистрировалось слишком много людей. Попробуйте через {hours} ч или попросите другой код.",
    en: "Too many people have registered with this code within a day. Try again in {hours} h or ask for another code.",
  },
  "joining.names_limit": {
    status: 429,
    ru: "Слишком много попыток занять чужие имена. Попробуйте через {hours} ч.",
    en: "You have tried too many names that are taken. Try again in {hours} h.",
  },
  "two_factor.wrong_code": { status: 400, ru: "Неверный код подтверждения", en: "Invalid confirmation code" },
  "two_factor.locked": {
    status: 429,
    ru: "Слишком много попыток. Попробуйте через {seconds} {seconds|секунду|секунды|секунд}",
    en: "Too many attempts. Try again in {seconds} {seconds|second|seconds}",
  },
  "two_factor.not_enabled": {
    ru: "Двухфакторная аутентификация не включена.",
    en: "Two-factor authentication is not enabled.",
  },
  "two_factor.already_enabled": {
    ru: "Двухфакторная аутентификация уже включена.",
    en: "Two-factor authentication is already enabled.",
  },
  "two_factor.wrong_secret": {
    ru: "Секретный ключ устарел. Обновите страницу и отсканируйте QR-код ещё раз.",
    en: "The secret key is out of date. Refresh the page and scan the QR code again.",
  },
  "passkey.no_address": {
    ru: "По этому адресу панели вход по отпечатку или лицу не работает: для него нужны https и имя вместо IP-адреса. Входите паролем.",
    en: "Passkeys do not work at this address of the panel: they need https and a name instead of an IP address. Use your password.",
  },
  "passkey.not_accepted": {
    status: 401,
    ru: "Панель не приняла этот ключ доступа. Попробуйте ещё раз или войдите паролем.",
    en: "The panel did not accept this passkey. Try again, or use your password.",
  },
  "passkey.copied": {
    status: 403,
    ru: "Похоже, у этого ключа доступа есть копия, поэтому он не принят. Войдите паролем и удалите его в настройках.",
    en: "This passkey seems to have a copy, so it was refused. Sign in with your password and remove it in the settings.",
  },
  "passkey.too_many": {
    ru: "У вас уже {max} {max|ключ|ключа|ключей} доступа. Удалите ненужный и попробуйте ещё раз.",
    en: "You already have {max} {max|passkey|passkeys}. Remove one and try again.",
  },
  "passkey.already_added": { ru: "Этот ключ доступа уже добавлен.", en: "This passkey is already added." },
  "passkey.not_found": { ru: "Такого ключа доступа у вас нет.", en: "You have no such passkey." },
  "passkey.none": { ru: "Ключей доступа нет.", en: "There are no passkeys." },
  "session.not_found": { ru: "Сеанс не найден.", en: "Session not found." },
  "settings.changed_meanwhile": {
    ru: "Пока вы редактировали, настройки изменились. Проверьте их и сохраните ещё раз.",
    en: "While you were editing, the settings were changed. Check and save again.",
  },
  "settings.fixed": {
    ru: "Это задаёт переменная окружения {variable}: в панели не меняется.",
    en: "The environment variable {variable} sets this: it cannot be changed in the panel.",
  },
  "maintenance.on": {
    status: 503,
    ru: "Система находится на техническом обслуживании. Попробуйте позже.",
    en: "The system is under maintenance. Please try later.",
  },
  "panel.superseded": {
    status: 503,
    ru: "Клуб восстановлен из копии на другой панели, и теперь им управляет она. Эта панель — прежняя: здесь ничего больше не меняется.",
    en: "The club was restored on another panel, which runs it now. This is the old panel: nothing can be changed here any more.",
  },
  "telegram.not_linked": {
    status: 403,
    ru: "Привяжите Telegram для создания VPN",
    en: "Link Telegram to create a VPN",
  },
  "push.unavailable": {
    ru: "У панели нет своего адреса https, поэтому браузеры не могут получать от неё уведомления.",
    en: "The panel has no https address of its own, so browsers cannot get notifications from it.",
  },
  "push.keys_invalid": {
    status: 400,
    ru: "Браузер прислал ключи, которыми нельзя шифровать.",
    en: "The browser sent keys that cannot be used for encryption.",
  },
  "push.address_refused": {
    status: 400,
    ru: "Этот браузер получает уведомления по адресу, которого нет в интернете: туда панель не отправляет.",
    en: "This browser gets notifications at an address that is not on the internet: the panel sends nothing there.",
  },
  "push.too_many": {
    ru: "Уведомления уже включены в {max} {max|браузере|браузерах|браузерах}. Уберите из списка тот, которым не пользуетесь.",
    en: "Notifications are already on in {max} {max|browser|browsers}. Remove one that you no longer use from the list.",
  },
  "push.not_found": { ru: "Этого браузера в списке уже нет.", en: "This browser is no longer in the list." },
  "telegram.unavailable": {
    status: 503,
    ru: "Бот клуба сейчас не отвечает. Попробуйте через несколько минут.",
    en: "The club's bot is not answering. Try again in a few minutes.",
  },
  "telegram.already_linked": {
    ru: "Telegram уже привязан. Чтобы привязать другой, сначала отвяжите этот.",
    en: "Telegram is already linked. Unlink it first to link another.",
  },
  "telegram.open_again": {
    status: 401,
    ru: "Закройте это окно и откройте клуб в боте ещё раз.",
    en: "Close this window and open the club in the bot again.",
  },
  "telegram.account_taken": {
    ru: "Этот Telegram привязан к другому аккаунту.",
    en: "This Telegram is linked to another account.",
  },
  "telegram.not_connected": { ru: "Telegram не привязан.", en: "Telegram is not linked." },
  "telegram.wrong_code": { status: 400, ru: "Неверный код подтверждения", en: "Invalid confirmation code" },
  "telegram.code_expired": {
    ru: "Код больше не действует. Получите новый.",
    en: "The code is no longer valid. Get a new one.",
  },
  "telegram.no_token": {
    ru: "Сначала задайте TELEGRAM_BOT_TOKEN: без бота участникам нечего привязывать.",
    en: "Set TELEGRAM_BOT_TOKEN first: without a bot members have nothing to link.",
  },
  "subscription.inactive": {
    status: 403,
    ru: "У вас истекла подписка. Для создания конфигурации необходима активная подписка.",
    en: "Your subscription has expired. An active subscription is needed to create a configuration.",
  },
  "quota.used_up": {
    status: 403,
    ru: "Трафик на этот месяц израсходован. Создать конфигурацию можно будет, когда он обновится.",
    en: "This month's traffic is used up. You can create a configuration once it resets.",
  },
  "config.blocked": {
    status: 403,
    ru: "Администратор заблокировал ваши конфигурации, новую создать нельзя. Напишите в поддержку.",
    en: "An admin has blocked your configurations, so a new one cannot be created. Write to support.",
  },
  "config.limit_reached": { ru: "Достигнут лимит конфигураций", en: "Configuration limit reached" },
  "config.name_invalid": {
    status: 400,
    ru: "Некорректное имя конфигурации",
    en: "Invalid configuration name",
  },
  "config.name_taken": {
    ru: "У вас уже есть конфигурация с таким именем.",
    en: "You already have a configuration with this name.",
  },
  "config.end_in_past": {
    status: 400,
    ru: "Эта дата уже прошла. Выберите сегодня или позже.",
    en: "This date has passed. Choose today or later.",
  },
  "config.end_by_staff": {
    status: 403,
    ru: "Срок этого устройства задал администратор. Чтобы изменить его, напишите в поддержку.",
    en: "An admin set how long this device works. Write to support to change it.",
  },
  "config.not_found": { ru: "Конфигурация не найдена.", en: "Configuration not found." },
  "config.owner_blocked": {
    ru: "Участник или его конфигурации заблокированы: ссылка не сработала бы.",
    en: "The member or their configs are blocked: a link would not work.",
  },
  "config.handed_over": {
    ru: "Файл этой конфигурации уже у участника: новую ссылку сделать нельзя.",
    en: "The member already has this config's file, so there can be no new link.",
  },
  "config.deleted_by_staff": {
    ru: "Этот конфиг удалил администратор, вернуть его нельзя.",
    en: "An admin deleted this configuration: it cannot be brought back.",
  },
  "config.routes_unknown": {
    ru: "Устройство перенесено с готовыми настройками: какие сервисы в них, знает только оно. Нажмите «Изменить» и выберите сервисы, тогда можно получить новый файл.",
    en: "This device was imported with its own settings, and only it knows the services in them. Press “Edit” and choose services to get a new file.",
  },
  "config.restore_too_late": {
    ru: "Вернуть конфигурацию уже нельзя: прошло больше минуты.",
    en: "The configuration can no longer be brought back: more than a minute has passed.",
  },
  "config.address_given": {
    ru: "Вернуть конфигурацию нельзя: свободные адреса закончились, и её адрес получило другое устройство. Создайте новую.",
    en: "The configuration can't be brought back: addresses ran out and its own went to another device. Create a new one.",
  },
  "config.interface_gone": {
    ru: "Интерфейс этой конфигурации удалён. Создайте новую.",
    en: "This configuration's interface was deleted. Create a new one.",
  },
  "config.still_there": {
    ru: "С этого интерфейса устройство ещё не уехало. Вернуться на него можно будет позже.",
    en: "The device has not left this interface yet. It can move back later.",
  },
  "config.secret_lost": {
    ru: "Ключ этой конфигурации повреждён. Замените ключ или создайте новую.",
    en: "This configuration's key is damaged. Replace the key or create a new one.",
  },
  "config.no_link": { ru: "Ссылка есть только у устройств AmneziaWG.", en: "Only AmneziaWG devices have a link." },
  "config.key_in_browser": {
    ru: "Ключ этой конфигурации есть только на устройстве: скачать её ещё раз нельзя, можно заменить ключ.",
    en: "Only the device holds this configuration's key: it cannot be downloaded again, but the key can be replaced.",
  },
  "config.key_invalid": {
    status: 400,
    ru: "Открытый ключ не похож на ключ WireGuard.",
    en: "This is not a WireGuard public key.",
  },
  "config.key_taken": {
    ru: "Этот ключ уже используется. Создайте новый.",
    en: "This key is already in use. Create a new one.",
  },
  "config.not_routed": {
    ru: "Сервисы этого конфига записаны в его файле: их меняет участник.",
    en: "This config’s services are in its file: its owner changes them.",
  },
  "config.phone_limit": {
    status: 400,
    ru: "Превышен лимит IP-адресов для телефона (120). Выберите меньше сервисов.",
    en: "The IP address limit for a phone (120) is exceeded. Choose fewer services.",
  },
  "service.not_found": { ru: "Сервис не найден.", en: "Service not found." },
  "service.in_use": {
    ru: "Сервис используется в конфигурациях: {count}. Его нельзя удалить.",
    en: "The service is used by {count} {count|configuration|configurations} and cannot be deleted.",
  },
  "service.changed_meanwhile": {
    ru: "Пока вы редактировали, сервис изменили. Проверьте данные и сохраните ещё раз.",
    en: "While you were editing, the service was changed. Check and save again.",
  },
  "service.unknown": { status: 400, ru: "Такого сервиса нет.", en: "There is no such service." },
  "service.wrong_device": {
    status: 400,
    ru: "Сервис «{name}» не подходит для этого типа устройства.",
    en: "The service “{name}” is not available for this device type.",
  },
  "source.not_found": { ru: "Такого источника или его версии нет.", en: "There is no such source or version." },
  "source.changed_meanwhile": {
    ru: "Источник отдал уже другой список. Посмотрите на него и решите ещё раз.",
    en: "The source has another list by now. Look at it and decide again.",
  },
  "source.not_taken": { ru: "Список не принят: {reason}", en: "The list was not taken: {reason}" },
  "source.failed": {
    status: 400,
    ru: "Источник не отдал список, ничего не изменено. {source}: {reason}",
    en: "A source gave no list, nothing was changed. {source}: {reason}",
  },
  "service.name_taken": { ru: "Сервис с таким названием уже есть.", en: "A service with this name already exists." },
  "dns.not_found": { ru: "Запись DNS не найдена.", en: "DNS entry not found." },
  "dns.in_use": {
    ru: "Запись DNS используется в конфигурациях: {count}. Её нельзя удалить.",
    en: "The DNS entry is used by {count} {count|configuration|configurations} and cannot be deleted.",
  },
  "dns.changed_meanwhile": {
    ru: "Пока вы редактировали, запись DNS изменили. Проверьте данные и сохраните ещё раз.",
    en: "While you were editing, the DNS entry was changed. Check and save again.",
  },
  "dns.unknown": { status: 400, ru: "Такой записи DNS нет.", en: "There is no such DNS entry." },
  "dns.name_taken": { ru: "Запись DNS с таким названием уже есть.", en: "A DNS entry with this name already exists." },
  "interface.not_found": { ru: "Интерфейс не найден.", en: "Interface not found." },
  "interface.unknown": { status: 400, ru: "Такого интерфейса нет.", en: "There is no such interface." },
  "interface.not_available": {
    status: 403,
    ru: "Этот интерфейс вам недоступен.",
    en: "This interface is not available to you.",
  },
  "interface.inactive": { ru: "Интерфейс не активен", en: "The interface is not active" },
  "interface.awaits_look": {
    ru: "После восстановления из копии сервер интерфейса «{name}» ещё не отвечал: неизвестно, какие адреса на нём заняты. Попробуйте, когда он ответит.",
    en: "The server of “{name}” has not answered since the restore, so nobody knows which addresses are in use there. Try again once it answers.",
  },
  "unknown_peer.not_found": { ru: "Этого устройства в списке уже нет.", en: "This device is no longer on the list." },
  "unknown_peer.key_taken": {
    ru: "Ключ этого устройства — у устройства «{name}»: его перенесли после копии. Удалите то устройство или отключите это.",
    en: "The device “{name}” has this key: it was moved after the backup. Delete that one, or disconnect this one.",
  },
  "unknown_peer.address_taken": {
    ru: "По копии адрес этого устройства — у устройства «{name}». Удалите то устройство или отключите это.",
    en: "According to the backup, the device “{name}” has this address. Delete that one, or disconnect this one.",
  },
  "interface.full": {
    ru: "На этом интерфейсе не осталось свободных адресов.",
    en: "This interface has no free addresses left.",
  },
  "interface.none_available": {
    ru: "Нет доступных интерфейсов. Обратитесь к администратору.",
    en: "No interfaces are available. Contact the administrator.",
  },
  "interface.changed_meanwhile": {
    ru: "Пока вы редактировали, интерфейс изменили. Проверьте данные и сохраните ещё раз.",
    en: "While you were editing, the interface was changed. Check and save again.",
  },
  "interface.no_room": {
    ru: "На сервере не осталось свободных портов или частных подсетей.",
    en: "The server has no free ports or private subnets left.",
  },
  "interface.in_use": {
    ru: "На интерфейсе сейчас конфигураций: {count}. Подтвердите, что они будут удалены вместе с ним.",
    en: "The interface now has {count} {count|configuration|configurations}. Confirm that {count|it|they} will be deleted with it.",
  },
  "interface.port_taken": { ru: "Порт {port} на сервере уже занят.", en: "Port {port} is taken on the server." },
  "interface.parameter_invalid": {
    status: 400,
    ru: "Параметр {field} так задать нельзя.",
    en: "The parameter {field} cannot be set like that.",
  },
  "interface.cannot_route": {
    ru: "Этот сервер не может маршрутизировать трафик участников: {reason}.",
    en: "This server cannot route members’ traffic: {reason}.",
  },
  "interface.cuts_off": {
    ru: "Отключатся устройства с прежним файлом, сейчас их {count}. Подтвердите это.",
    en: "Devices with the old file will lose their connection, now {count}. Confirm that.",
  },
  "interface.subnet_invalid": {
    status: 400,
    ru: "Подсеть должна быть частной сетью IPv4 размером от /16 до /29, например 10.8.3.0/24.",
    en: "The subnet must be a private IPv4 network from /16 to /29, e.g. 10.8.3.0/24.",
  },
  "interface.subnet_taken": {
    ru: "Подсеть пересекается с сетью {with}, которая на сервере уже есть.",
    en: "The subnet overlaps {with}, which the server already uses.",
  },
  "interface.subnet_in_use": {
    ru: "В этой подсети заняты адреса: {count}. Изменить её можно, только пока она пуста.",
    en: "{count} {count|address|addresses} of this subnet {count|is|are} in use. It can be changed only while it is empty.",
  },
  "interface.already_here": {
    ru: "Этот интерфейс уже в клубе: «{name}» на сервере «{server}».",
    en: "The club already has this interface: “{name}” on the server “{server}”.",
  },
  "import.unreadable": {
    status: 400,
    ru: "Это не файл сервера WireGuard (wg0.conf) и не wg0.json или целый wg-easy.db от wg-easy.",
    en: "This is neither a WireGuard server file (wg0.conf) nor wg-easy's wg0.json or a whole wg-easy.db.",
  },
  "import.too_heavy": {
    status: 400,
    ru: "Файл не прочитан: на него нужно больше, чем {limit}. База повреждена или сделана не wg-easy.",
    en: "The file was not read: that would take more than {limit}. The database is damaged, or wg-easy did not make it.",
  },
  "import.device_file": {
    status: 400,
    ru: "Это файл устройства, а не сервера: в нём адрес, к которому подключаются. Нужен файл с сервера, обычно /etc/wireguard/wg0.conf.",
    en: "This is a device's file, not the server's: it says where to connect. Take the file from the server, usually /etc/wireguard/wg0.conf.",
  },
  "import.other_program": {
    status: 400,
    ru: "Это файл {program}, а не wg-quick. Выполните на сервере «wg showconf ИМЯ» и выберите файл с его выводом.",
    en: "This is {program}'s file, not wg-quick's. Run “wg showconf NAME” on the server and choose a file with its output.",
  },
  "import.no_server": {
    status: 400,
    ru: "Среди файлов нет файла сервера. Нужен ещё он, обычно /etc/wireguard/wg0.conf.",
    en: "None of these is the server's file. Choose that too, usually /etc/wireguard/wg0.conf.",
  },
  "import.several": {
    status: 400,
    ru: "Это файлы нескольких интерфейсов: {names}. Переносите их по одному.",
    en: "These are files of several interfaces: {names}. Import one at a time.",
  },
  "import.file_wrong": {
    status: 400,
    ru: "{file}: {why}",
    en: "{file}: {why}",
  },
  "import.names_only": {
    status: 400,
    ru: "Это clientsTable от AmneziaVPN, в ней только имена устройств. Выберите её вместе с файлом сервера (awg0.conf или wg0.conf) из того же контейнера.",
    en: "This is AmneziaVPN's clientsTable, which has only the devices' names. Choose it together with the server's file (awg0.conf or wg0.conf) of the same container.",
  },
  "import.names_unreadable": {
    status: 400,
    ru: "Второй файл не похож на clientsTable от AmneziaVPN.",
    en: "The second file is not AmneziaVPN's clientsTable.",
  },
  "import.line_wrong": {
    status: 400,
    ru: "Строка {line} файла записана неверно.",
    en: "Line {line} of the file is wrong.",
  },
  "import.field_missing": {
    status: 400,
    ru: "В файле нет поля {name}, или оно записано неверно.",
    en: "The file lacks the field {name}, or it is wrong.",
  },
  "import.amneziawg_outdated": {
    status: 400,
    ru: "Это AmneziaWG 1.5: параметров {names} в новых версиях нет. Обновите AmneziaWG на сервере и на устройствах, потом переносите.",
    en: "This is AmneziaWG 1.5: later versions have no {names}. Update AmneziaWG on the server and the devices before the import.",
  },
  "import.parameter_wrong": {
    status: 400,
    ru: "С таким значением {name} сервер AmneziaWG не запустится или упадёт. Проверьте файл.",
    en: "With this value of {name} an AmneziaWG server does not start, or exits. Check the file.",
  },
  "import.runs_otherwise": {
    ru: "Сейчас он работает на сервере как {name}, но не так, как в файле. Возьмите файл, с которым он запущен, или сначала остановите его.",
    en: "It runs on the server as {name}, but not as the file says. Use the file that it was started with, or stop it first.",
  },
  "import.runs_in_kernel": {
    ru: "{name} работает в модуле ядра AmneziaWG, а панель ведёт такие туннели своей программой. Сначала остановите его: awg-quick down {name}.",
    en: "{name} runs in the kernel's AmneziaWG module, but the panel runs such tunnels with its own program. Stop it first: awg-quick down {name}.",
  },
  "old_program.on_panel": {
    ru: "На машине самой панели программы находит команда krug import: выполните её там от root.",
    en: "On the panel's own machine, krug import finds programs: run it there as root.",
  },
  "old_program.gone": {
    ru: "{program} на сервере больше не находится. Поищите ещё раз.",
    en: "{program} is no longer found on the server. Look again.",
  },
  "old_program.changed": {
    ru: "У {program} теперь другой ключ сервера. Поищите ещё раз.",
    en: "{program} has another server key now. Look again.",
  },
  "old_program.busy": {
    ru: "На этом сервере уже идёт перенос {program}.",
    en: "{program} is being imported on this server.",
  },
  "old_program.can_go_back": {
    ru: "Перенос {program} ещё можно отменить. Сначала верните её или оставьте перенос насовсем.",
    en: "The import of {program} can still go back. First go back, or keep the import for good.",
  },
  "old_program.removes_itself": {
    ru: "{program} запущена с --rm: после остановки она удалится, и вернуть её нельзя. Сначала запустите её без --rm.",
    en: "{program} was started with --rm: stopped, it is deleted and could not come back. Start it without --rm first.",
  },
  "old_program.nothing_moved": {
    ru: "На этом сервере нечего возвращать.",
    en: "There is nothing to go back to on this server.",
  },
  "import.device_refused": {
    ru: "Устройство «{name}» перенести нельзя. Откройте файл ещё раз: список мог измениться.",
    en: "The device “{name}” cannot be imported. Open the file again: the list may have changed.",
  },
  "import.name_taken": {
    ru: "Имя «{name}» у этого участника уже занято. Дайте устройству другое имя.",
    en: "The member already has a config named “{name}”. Give the device another name.",
  },
  "interface.endpoint_invalid": {
    status: 400,
    ru: "Адрес подключения: имя или IP-адрес без порта, например vpn.example.org.",
    en: "Endpoint: a host name or IP address without a port, e.g. vpn.example.org.",
  },
  "payment.not_current_month": {
    status: 400,
    ru: "Оплата может быть подтверждена только за текущий месяц.",
    en: "A payment can be confirmed for the current month only.",
  },
  "payment.unlimited_member": {
    ru: "У участника безлимитная подписка: платить ему не нужно.",
    en: "This member's subscription is unlimited: there is nothing to pay.",
  },
  "payment.transition": {
    ru: "Так состояние платежа не меняется: из «{from}» в «{to}».",
    en: "A payment cannot change from “{from}” to “{to}”.",
  },
  "payment.changed_meanwhile": {
    ru: "Пока вы смотрели, платёж или подписка изменились. Проверьте ещё раз.",
    en: "The payment or the subscription changed while you were looking. Check again.",
  },
  "payment.nothing_due": { ru: "Вам не нужно платить.", en: "You have nothing to pay." },
  "payment.already_settled": {
    ru: "Оплата за этот месяц уже подтверждена.",
    en: "This month's payment is already confirmed.",
  },
  "payment.not_set_up": {
    ru: "Клуб ещё не указал, как платить. Спросите в поддержке.",
    en: "The club has not said how to pay yet. Ask support.",
  },
  "payment.length_not_offered": {
    ru: "За столько месяцев сразу платить пока нельзя.",
    en: "Paying for that many months at once is not offered.",
  },
  "payment.id_used": {
    ru: "Под этим номером уже записан другой платёж: {recorded}.",
    en: "Another payment is already recorded under this id: {recorded}.",
  },
  "payment.wrong_sum": { ru: "Сумма не та: нужно {expected}.", en: "This is not the price: {expected} is." },
  "payment.receipt_invalid": {
    status: 400,
    ru: "Чек должен быть картинкой PNG, JPEG, WebP или GIF не больше 5 МБ.",
    en: "The receipt must be a PNG, JPEG, WebP or GIF picture of at most 5 MB.",
  },
  "payment.receipt_not_found": { ru: "Чека нет.", en: "There is no receipt." },
  "payment.claim_not_found": { ru: "Такого сообщения об оплате нет.", en: "There is no such payment claim." },
  "payment.claim_decided": { ru: "Об этой оплате уже решено.", en: "This payment has already been decided." },
  "undo.nothing": { status: 404, ru: "Отменять здесь нечего.", en: "There is nothing to undo." },
  "undo.too_late": {
    ru: "Отменить уже нельзя: прошло больше 10 секунд. Срок можно поправить на странице участника.",
    en: "It is too late to undo: more than 10 seconds have passed. You can correct the date on the member's page.",
  },
  "undo.changed_meanwhile": {
    ru: "После этого подписку или оплату уже изменили.",
    en: "The subscription or the payment has been changed since.",
  },
  "undo.member_gone": { status: 404, ru: "Такого участника больше нет.", en: "There is no such member any more." },
  "picture.invalid": {
    status: 400,
    ru: "Это не картинка. Подойдут PNG, JPEG, WebP и GIF до 5 МБ.",
    en: "This is not a picture. Use PNG, JPEG, WebP or GIF, up to 5 MB.",
  },
  "picture.too_detailed": {
    status: 400,
    ru: "Картинка слишком большая: можно до {megapixels} {megapixels|мегапикселя|мегапикселей|мегапикселей}, у анимации вместе по всем кадрам. Уменьшите её.",
    en: "The picture is too large: at most {megapixels} {megapixels|megapixel|megapixels}, counting all frames of an animation. Make it smaller.",
  },
  "picture.upload_gone": {
    status: 400,
    ru: "Загруженная картинка уже не хранится. Загрузите её ещё раз.",
    en: "The uploaded picture has expired. Upload it again.",
  },
  "support.message_empty": {
    status: 400,
    ru: "Напишите что-нибудь или приложите изображение.",
    en: "Write something or attach an image.",
  },
  "support.message_too_long": {
    status: 400,
    ru: "Не больше {max} {max|знака|знаков|знаков} в одном сообщении.",
    en: "At most {max} {max|character|characters} in one message.",
  },
  "support.too_many_images": {
    status: 400,
    ru: "Не больше {max} {max|изображения|изображений|изображений} в одном сообщении.",
    en: "At most {max} {max|image|images} in one message.",
  },
  "support.image_invalid": {
    status: 400,
    ru: "Изображение {number}: подходят PNG, JPEG, WebP и GIF до 5 МБ.",
    en: "Image {number}: use PNG, JPEG, WebP or GIF, up to 5 MB.",
  },
  "support.images_a_day": {
    status: 429,
    ru: "За сутки можно отправить не больше {max} {max|изображения|изображений|изображений}. Напишите словами или попробуйте позже.",
    en: "You can send at most {max} {max|image|images} a day. Describe it in words or try later.",
  },
  "support.subject_invalid": {
    status: 400,
    ru: "Тема: от 1 до {max} {max|знака|знаков|знаков}.",
    en: "Subject: 1 to {max} {max|character|characters}.",
  },
  "support.description_missing": {
    status: 400,
    ru: "Опишите, что случилось.",
    en: "Describe what happened.",
  },
  "support.ticket_not_found": { ru: "Обращение не найдено.", en: "Ticket not found." },
  "support.ticket_closed": {
    ru: "Обращение закрыто. Напишите в чат или создайте новое.",
    en: "The ticket is closed. Write in the chat or create a new one.",
  },
  "support.ticket_backwards": {
    ru: "Обращение идёт только вперёд: открыто, в работе, закрыто.",
    en: "A ticket only moves forward: open, in progress, closed.",
  },
  "support.ticket_changed_meanwhile": {
    ru: "Пока вы смотрели, обращение изменил другой сотрудник.",
    en: "Somebody else has changed the ticket in the meantime.",
  },
  "support.conversation_not_found": {
    ru: "С этим участником ещё не переписывались.",
    en: "There is no conversation with this member yet.",
  },
  "support.conversation_changed_meanwhile": {
    ru: "Пока вы смотрели, диалог передал другой сотрудник.",
    en: "Somebody else has reassigned the conversation in the meantime.",
  },
  "support.assignee_unknown": {
    status: 400,
    ru: "Поручить можно модератору или администратору.",
    en: "Only a moderator or an admin can be put in charge.",
  },
  "support.assignee_sees_not": {
    status: 400,
    ru: "VIP-участников видят только администраторы: поручите это одному из них.",
    en: "Only admins see VIP members: put one of them in charge.",
  },
  "support.attachment_not_found": { ru: "Изображение не найдено.", en: "Image not found." },
  "answer_template.not_found": { ru: "Заготовка не найдена.", en: "Answer template not found." },
  "answer_template.title_taken": {
    ru: "Заготовка с таким названием уже есть.",
    en: "An answer template with this title already exists.",
  },
  "answer_template.too_many": {
    ru: "В клубе уже {most} {most|заготовка|заготовки|заготовок}. Удалите ненужную и попробуйте ещё раз.",
    en: "The club already has {most} answer {most|template|templates}. Delete one and try again.",
  },
  "answer_template.placeholder_unknown": {
    status: 400,
    ru: "Вместо {placeholder} подставить нечего: панель подставляет только имя и логин участника.",
    en: "{placeholder} cannot be filled in: only the member's name and username can.",
  },
  "answer_template.changed_meanwhile": {
    ru: "Пока вы редактировали, заготовку изменил другой администратор.",
    en: "Another admin changed this answer template while you were editing it.",
  },
  "webhook.url_invalid": {
    status: 400,
    ru: "Нужен адрес, который начинается с https://, без имени, пароля и части после #.",
    en: "The address must begin with https:// and have no name, password or part after #.",
  },
  "webhook.address_refused": {
    status: 400,
    ru: "Такого имени нет, или оно ведёт во внутреннюю сеть либо на сервер клуба: туда панель не отправляет.",
    en: "The name does not exist, or points to a private network or to a server of the club: the panel sends nothing there.",
  },
  "webhook.too_many": {
    ru: "В клубе уже {max} {max|вебхук|вебхука|вебхуков}. Удалите ненужный и попробуйте ещё раз.",
    en: "The club already has {max} {max|webhook|webhooks}. Delete one and try again.",
  },
  "webhook.not_found": { ru: "Вебхук не найден.", en: "Webhook not found." },
  "webhook.changed_meanwhile": {
    ru: "Пока вы редактировали, вебхук изменил другой администратор.",
    en: "Another admin changed this webhook while you were editing it.",
  },
  "webhook.delivery_not_found": {
    ru: "Этой отправки в журнале уже нет.",
    en: "This delivery is no longer in the log.",
  },
  "webhook.off": {
    ru: "Вебхук выключен. Включите его и попробуйте ещё раз.",
    en: "The webhook is off. Switch it on and try again.",
  },
  "security.region": {
    status: 403,
    ru: "Доступ запрещён: сервис недоступен в вашем регионе",
    en: "Access denied: service unavailable in your region",
  },
  "security.vpn": {
    status: 403,
    ru: "Доступ запрещён: обнаружено использование VPN/Proxy",
    en: "Access denied: VPN/Proxy usage detected",
  },
  "security.unmet": {
    status: 403,
    ru: "Ваше соединение не отвечает требованиям безопасности",
    en: "Your connection does not meet security requirements",
  },
  "security.exception_invalid": {
    status: 400,
    ru: "Исключение «{value}» не похоже на адрес или сеть.",
    en: "The exception “{value}” is not an address or network.",
  },
  "rule.not_found": { ru: "Правило не найдено.", en: "Rule not found." },
  "rule.target_invalid": {
    status: 400,
    ru: "Укажите IP-адрес, сеть вида 203.0.113.0/24 или домен вида example.org: без https://, пути и звёздочек.",
    en: "Enter an IP address, a network like 203.0.113.0/24 or a domain like example.org, without https://, a path or asterisks.",
  },
  "rule.target_closed": {
    status: 400,
    ru: "Эта сеть закрыта для всех всегда: частные сети, сам сервер и другие участники. Правило ничего не изменит.",
    en: "Private networks, the server itself and other members are always closed to everybody, so a rule would change nothing.",
  },
  "rule.exists": { ru: "Такое правило уже есть.", en: "This rule already exists." },
  "rule.member_unknown": {
    status: 400,
    ru: "Кого-то из выбранных участников больше нет. Выберите заново.",
    en: "One of the selected members no longer exists. Select again.",
  },
  "rule.too_many": {
    ru: "Правил может быть не больше {max}. Удалите ненужные.",
    en: "There can be at most {max} {max|rule|rules}. Delete some that you no longer need.",
  },
  "rule.too_many_selected": {
    ru: "Во всех правилах вместе можно выбрать участников не больше {max} {max|раза|раз|раз}. Сделайте правило для всех.",
    en: "All rules together can name members at most {max} {max|time|times}. Make this rule for everyone.",
  },
  "rule.check_network": {
    status: 400,
    ru: "Проверить можно адрес или домен, но не сеть целиком.",
    en: "Only an address or a domain can be checked, not a whole network.",
  },
  "statistics.span_backwards": {
    status: 400,
    ru: "Начало периода позже его конца.",
    en: "The period starts after it ends.",
  },
  "statistics.span_in_future": {
    status: 400,
    ru: "Период ещё не наступил: сегодня {today}.",
    en: "The period is in the future: today is {today}.",
  },
  "server.not_found": { ru: "Сервер не найден.", en: "Server not found." },
  "server.unreachable": {
    status: 503,
    ru: "Сервер не отвечает: {reason}",
    en: "The server does not answer: {reason}",
  },
  "server.exists": {
    ru: "Сервер с таким адресом и портом уже есть: {name}.",
    en: "A server with this address and port already exists: {name}.",
  },
  "server.fingerprint_differs": {
    ru: "Машина показала другой отпечаток ключа: {shown}. Пароль не отправлен, сервер не добавлен.",
    en: "The machine showed another key fingerprint: {shown}. No password was sent, and the server was not added.",
  },
  "server.password_missing": {
    ru: "Панель не знает прежнего пароля. Введите и его.",
    en: "The panel does not know the current password. Enter it too.",
  },
  "server.password_refused": {
    ru: "Машина не приняла новый пароль: {reason}",
    en: "The machine did not accept the new password: {reason}",
  },
  "server.not_set_up": { ru: "Сервер ещё не настроен.", en: "The server is not set up yet." },
  "setup.not_yet": {
    ru: "Сначала нужно выполнить предыдущий шаг настройки.",
    en: "The previous set-up step comes first.",
  },
  "setup.busy": {
    ru: "На сервере уже выполняется другой шаг настройки.",
    en: "Another set-up step is running on the server.",
  },
  "server.endpoint_invalid": {
    status: 400,
    ru: "Адрес подключения: имя или IP-адрес без порта, например vpn.example.org.",
    en: "Endpoint: a host name or IP address without a port, e.g. vpn.example.org.",
  },
  "server.changed_meanwhile": {
    ru: "Пока вы редактировали, сервер изменили. Проверьте данные и сохраните ещё раз.",
    en: "While you were editing, the server was changed. Check and save again.",
  },
  "server.is_main": {
    ru: "Это главный сервер. Сначала сделайте главным другой.",
    en: "This is the main server. Make another one the main server first.",
  },
  "server.is_exit": {
    ru: "Через этот сервер выходит трафик других: {names}. Сначала выберите им другой выход.",
    en: "Traffic of other servers leaves by this one: {names}. Choose another exit for it first.",
  },
  "exit.not_found": { ru: "Такого сервера для выхода нет.", en: "There is no such server to leave by." },
  "exit.cannot_disguise": {
    ru: "На сервере «{name}» не работает AmneziaWG: {reason}",
    en: "AmneziaWG does not work on the server “{name}”: {reason}",
  },
  "exit.cannot_route": {
    ru: "Сервер «{name}» не может быть выходом: {reason}",
    en: "Traffic cannot leave by the server “{name}”: {reason}",
  },
  "server.is_local": {
    ru: "На этом сервере работает сама панель, поэтому он появился бы снова. Его отключает LOCAL_SERVER=off.",
    en: "The panel runs on this server, so it would reappear. LOCAL_SERVER=off turns it off.",
  },
  "server.being_emptied": {
    ru: "Устройства этого сервера уже переносятся на «{name}».",
    en: "Devices of this server are already being moved to “{name}”.",
  },
  "interface.being_emptied": {
    ru: "Устройства этого интерфейса уже переносятся на «{name}».",
    en: "Devices of this interface are already being moved to “{name}”.",
  },
  "interface.not_up": {
    ru: "Новый интерфейс не поднялся, ничего не изменено: {reason}",
    en: "The new interface did not come up. Nothing was changed: {reason}",
  },
  "interface.takes_none": {
    ru: "На интерфейс «{name}» переносить нельзя: он не работает, закрыт для новых конфигов или это он сам.",
    en: "Nothing can be moved to “{name}”: it is not up, it is closed to new configs, or it is the same interface.",
  },
  "server.takes_none": {
    ru: "На сервер «{name}» переносить нельзя: он не настроен, закрыт для новых конфигов или это тот же сервер.",
    en: "Nothing can be moved to “{name}”: it is not set up, it is closed to new configs, or it is the same server.",
  },
  "server.in_use": {
    ru: "На сервере конфигураций: {count}. Сначала удалите их.",
    en: "The server has {count} {count|configuration|configurations}. Delete {count|it|them} first.",
  },
} as const satisfies Record<string, Refusal>;

export type RefusalCode = keyof typeof refusals;

export type { Language } from "@krug/domain/fill-in";

export const statusOf = (code: RefusalCode): number => {
  const { status }: Refusal = refusals[code];
  return status ?? (code.endsWith("not_found") ? 404 : 409);
};

/** The refusal's sentence with its details filled in; unused details are ignored. */
export const refusalText = (
  code: RefusalCode,
  language: Language,
  details: Readonly<Record<string, unknown>> = {},
): string => fillIn(refusals[code][language], language, details);
