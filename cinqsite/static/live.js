// Keeps a page true while others play. Everything here is comfort: the same forms work without it.
// A push says only "table, version"; the page then fetches its own live part and morphs it in.
(() => {
  "use strict";
  const $ = (selector) => document.querySelector(selector);
  const words = $("#words")?.dataset ?? {};
  const form = $("#act");
  const title = document.title;
  const language = document.documentElement.lang || "fr";
  let live = $("#live");
  let elsewhere = Number($("#turns b")?.textContent) || 0; // tables that wait for me, this one not counted
  const version = () => Number(live.dataset.version);
  const myTurn = () => live?.dataset.turn === "1";

  // ---- What time it is for the server: this device's clock may be wrong.
  let drift = 0;
  const setClock = (iso) => { if (iso) drift = Date.parse(iso) - Date.now(); };
  setClock($("meta[name=server-now]")?.content);

  const timeZone = zoneOf(document.documentElement.dataset.zone);
  const asDay = new Intl.DateTimeFormat(language, { weekday: "short", day: "numeric", month: "short", timeZone });
  const asHour = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", timeZone });
  const unit = (n, name) => new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "short" }).format(n);
  function asLeft(ms) {
    const s = Math.floor(ms / 1000), min = Math.floor(s / 60), h = Math.floor(min / 60);
    if (h >= 48) return `${unit(Math.floor(h / 24), "day")} ${unit(h % 24, "hour")}`;
    if (h >= 10) return unit(h, "hour");
    if (h >= 1) return `${unit(h, "hour")} ${unit(min % 60, "minute")}`;
    return min >= 2 ? unit(min, "minute") : unit(s, "second");
  }
  // The zone the player has chosen; the device's own where he has none, or one that this browser does not know.
  function zoneOf(chosen) {
    try { return new Intl.DateTimeFormat(language, { timeZone: chosen }).resolvedOptions().timeZone; } catch { return undefined; }
  }
  function localTimes() {
    for (const time of document.querySelectorAll("time[datetime]")) {
      const moment = new Date(time.dateTime), text = `${asDay.format(moment)} ${asHour.format(moment)}`;
      if (time.textContent !== text) time.textContent = text;
    }
    countdown();
  }
  function countdown() {
    const time = $(".due time"), left = $(".due .left");
    if (!time || !left) return;
    const ms = Date.parse(time.dateTime) - Date.now() - drift;
    const text = ms > 0 ? words.left.replace("[time]", asLeft(ms)) : words.late;
    if (left.textContent !== text) left.textContent = text;
    left.classList.toggle("late", ms < 3600e3);
  }

  // ---- How many tables wait: header, title, favicon, app badge.
  function showCount() {
    const total = elsewhere + (myTurn() ? 1 : 0), pill = $("#turns"), icon = $("link[rel=icon]");
    if (pill) {
      pill.hidden = !elsewhere;
      pill.querySelector("b").textContent = elsewhere;
    }
    document.title = total ? `(${total}) ${title}` : title;
    icon.dataset.idle ??= icon.getAttribute("href");
    const href = total ? icon.dataset.turn : icon.dataset.idle;
    if (icon.getAttribute("href") !== href) icon.href = href;
    if (navigator.setAppBadge) navigator.setAppBadge(total).catch(() => {});
  }
  async function askCount() {
    try {
      const answer = await fetch(`/tables/count.json?here=${live?.dataset.code ?? ""}`);
      if (answer.ok) elsewhere = (await answer.json()).elsewhere;
    } catch { /* the next push or poll asks again */ }
    showCount();
  }

  // ---- Sockets: one a page. They reconnect for ever, ever slower, never in step with other pages.
  let socket, tries = 0, retry;
  function connect() {
    clearTimeout(retry);
    if (socket && socket.readyState < 2) return;
    const path = live ? `/ws/t/${live.dataset.code}/?v=${version()}` : "/ws/me/";
    socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`);
    socket.onopen = () => { tries = 0; };
    socket.onmessage = (event) => {
      const news = JSON.parse(event.data);
      if (news.turns) askCount();
      if (live && news.version > version()) refresh();
    };
    socket.onclose = (event) => {
      if (event.code === 4401) { // logged out elsewhere: show nothing that was only for that person
        if (live) location.reload();
        return;
      }
      if (live) refresh(); // also finds out why, when the table is not ours to see any more
      retry = setTimeout(connect, Math.min(30e3, 1e3 * 2 ** tries++) * (0.5 + Math.random()));
    };
  }
  const deaf = () => !socket || socket.readyState !== 1;

  document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(); });
  addEventListener("online", wake);
  function wake() {
    if (live) refresh(); else askCount();
    connect();
  }

  if (!live) {
    if ($("#turns")) {
      showCount();
      connect();
      setInterval(() => { if (deaf() && !document.hidden) askCount(); }, 60e3);
    }
    localTimes();
    document.addEventListener("click", (event) => {
      const menu = $(".menu[open]");
      if (menu && !menu.contains(event.target)) menu.open = false;
    });
    return;
  }

  // ---- Table page from here on.
  const news = $("#news");
  let hush;
  function say(text, seconds = 6) {
    clearTimeout(hush);
    news.textContent = text === news.textContent ? `${text}\u00a0` : text;
    if (seconds) hush = setTimeout(() => { news.textContent = ""; }, seconds * 1e3);
  }

  // "Seen" is told only of somebody who is there: focus, and a touch or a key in the last minute.
  let lastInput = Date.now(), seenVersion = version();
  const present = () => document.hasFocus() && Date.now() - lastInput < 60e3;
  for (const kind of ["pointerdown", "keydown", "scroll"])
    addEventListener(kind, () => {
      lastInput = Date.now();
      if (myTurn() && seenVersion !== version() && document.hasFocus()) refresh();
    }, { passive: true });

  let asking = false, askAgain = false;
  async function refresh() {
    if (asking) { askAgain = true; return; }
    asking = true;
    const seen = present(), chat = $("#chat"), read = seen && chat?.open ? `&chat=${chat.dataset.last}` : "";
    try {
      const answer = await fetch(`/t/${live.dataset.code}/live/?v=${version()}${seen ? "&seen=1" : ""}${read}`, { signal: AbortSignal.timeout(15e3) });
      if (answer.status === 404) location.reload();
      if (answer.ok) await take(answer);
      if (answer.ok && seen) seenVersion = version();
      live.inert = false;
    } catch { /* the socket, the poll or the next wake-up asks again */ }
    asking = false;
    if (askAgain) { askAgain = false; refresh(); }
  }

  async function take(answer, own = false) {
    setClock(answer.headers.get("X-Server-Now"));
    if (answer.status === 204) return;
    const html = await answer.text();
    if (Number(answer.headers.get("X-Version")) >= version()) paint(html, own);
  }

  // What the player has chosen: the radios and checkboxes of the live part. A move of one part is the radio named "move".
  const boxes = () => [...live.querySelectorAll("input:is([type=radio], [type=checkbox])")];
  const chosen = () => boxes().filter((box) => box.checked && box.form === form);
  const picked = () => $("input[name=move]:checked");

  function paint(html, own) {
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const fresh = holder.content.querySelector("#live");
    if (fresh.className.split(" ")[0] !== live.className.split(" ")[0]) { location.reload(); return; } // the match has started
    const chosenBefore = new Map(boxes().map((box) => [box.id, box.checked])), spoken = $("#turn")?.textContent, before = places(), wasMine = myTurn();
    const focused = live.contains(document.activeElement), unread = Number($("#talk-link")?.dataset.unread) || 0;
    Idiomorph.morph(live, fresh, {
      morphStyle: "outerHTML",
      // What only the browser knows stays: which details are open, that copying works here, a message half written.
      callbacks: { beforeAttributeUpdated: (name, node) => !(name === "open" && node.localName === "details") && !(name === "hidden" && node.dataset?.copy)
        && !(name === "value" && node.localName === "textarea") },
    });
    live = $("#live");
    keepChoices(chosenBefore, own);
    nameButton();
    document.dispatchEvent(new CustomEvent("table:painted", { detail: { own } }));
    localTimes();
    showTalk(unread);
    if (wasMine !== myTurn()) askCount();
    showCount();
    if ($("#turn")?.textContent === spoken) $("#turn").append("\u00a0"); // a repeated sentence is spoken again
    if (focused && document.activeElement === document.body) $(".turn")?.focus();
    fly(before);
  }

  // Morphing sets the boxes to what the server wrote. One that was there before stays as its player left it, unless he has
  // just moved; what was chosen and is gone is told.
  function keepChoices(before, own) {
    for (const box of boxes()) if (own || !before.has(box.id)) box.checked = box.defaultChecked;
    if (own) return;
    let gone = false;
    for (const [id, checked] of before) {
      const box = document.getElementById(id);
      if (box?.localName === "input" && !box.disabled) box.checked = checked;
      else if (checked) gone = true;
    }
    if (gone && !sending) say(words.gone, 12); // a push may be quicker than the answer to one's own move
  }

  // ---- The chat. Open, it shows its end and counts as read; closed, a new message is told.
  function showTalk(before) {
    const chat = $("#chat"), link = $("#talk-link"), now = Number(link?.dataset.unread) || 0;
    if (chat?.open) { forgetUnread(); toEnd(); } else if (now > before) say(words.message);
  }
  function toEnd() {
    const list = $("#chat .said");
    if (list) list.scrollTop = list.scrollHeight;
  }
  function forgetUnread() {
    const link = $("#talk-link");
    $("#chat .unread")?.remove();
    link?.querySelector(".badge")?.remove();
    if (link) link.dataset.unread = 0;
  }
  document.addEventListener("toggle", (event) => {
    if (event.target.id !== "chat" || !event.target.open) return;
    toEnd();
    refresh(); // tells what has been read
    forgetUnread();
  }, true);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#talk-link")) $("#chat").open = true;
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.id !== "say" || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (event.target.value.trim()) talk.requestSubmit();
  });

  const talk = $("#talk");
  let talking = false;
  talk.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (talking) return;
    const button = event.submitter, other = button?.hasAttribute("formaction"), data = new URLSearchParams(new FormData(talk));
    if (button?.name) data.set(button.name, button.value);
    talking = true;
    const answer = await post(other ? button.formAction : talk.action, data);
    talking = false;
    if (!answer) say(words.lost, 0);
    else if (answer.headers.has("X-Version")) {
      if (answer.ok && !other) {
        talk.elements.request.value = crypto.randomUUID();
        $("#say").value = "";
      }
      await take(answer);
    } else if (answer.status === 403) await renewToken();
    else if (answer.status === 429) say(words.often);
    else refresh();
  });

  // Cards glide from where they were: 250 ms, never in the way.
  function places() {
    const found = new Map();
    for (const card of live.querySelectorAll("[data-card]")) found.set(card.dataset.card, card.getBoundingClientRect());
    return found;
  }
  function fly(before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.documentElement.classList.contains("calm")) return;
    for (const card of live.querySelectorAll("[data-card]")) {
      const to = card.getBoundingClientRect();
      const from = before.get(card.dataset.card) ?? (card.dataset.by && document.getElementById(`s-${card.dataset.by}`)?.getBoundingClientRect());
      if (!from || !to.width || Math.hypot(from.x - to.x, from.y - to.y) < 3) continue;
      const x = from.x + from.width / 2 - to.x - to.width / 2, y = from.y + from.height / 2 - to.y - to.height / 2;
      card.animate([{ transform: `translate(${x}px, ${y}px)`, zIndex: 5 }, { transform: "none", zIndex: 5 }], { duration: 250, easing: "ease-out" });
    }
  }

  // ---- Choosing. The button names a move of one part (its data-none is what it says before); a game whose moves have more
  // parts names it with a script of its own, which listens to "change", "reset" and "table:painted".
  function nameButton() {
    const choice = picked(), go = $("#go"), undo = $("#undo");
    for (const label of live.querySelectorAll(".slot.can label")) label.parentNode.classList.toggle("picked", choice?.id === label.htmlFor);
    if (undo) undo.hidden = !chosen().length;
    if (go?.dataset.none === undefined) return;
    go.textContent = choice ? choice.dataset.do : go.dataset.none;
    go.disabled = !choice || sending;
  }
  function clear() {
    for (const box of chosen()) box.checked = false;
    nameButton();
  }
  document.addEventListener("change", (event) => { if (event.target.form === form) nameButton(); });
  form.addEventListener("reset", (event) => { event.preventDefault(); clear(); });
  document.addEventListener("click", (event) => {
    event.target.closest?.(".h.no button")?.focus(); // Safari does not focus buttons by touch
    if (event.target.closest?.("label[for^='m-']") && oneClick()) setTimeout(() => { if (picked()) form.requestSubmit($("#go")); });
  });

  // ---- Sending: the same request id until there is an answer, so a click is one move however often it is sent.
  let sending = false;
  const pause = (seconds) => new Promise((done) => setTimeout(done, seconds * 1e3));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!sending) send(event.submitter);
  });

  async function send(button) {
    const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
    const data = new URLSearchParams(new FormData(form));
    if (button?.name) data.set(button.name, button.value);
    sending = true;
    live.setAttribute("aria-busy", "true");
    nameButton();
    say(words.sending, 0);
    const answer = await post(address, data);
    sending = false;
    live.removeAttribute("aria-busy");
    if (answer) await settle(answer, address); else say(words.lost, 0);
    nameButton();
  }

  async function post(address, data) {
    for (const wait of [2, 4, 8, 0]) {
      try {
        const answer = await fetch(address, { method: "POST", body: data, headers: { "X-Requested-With": "live" }, signal: AbortSignal.timeout(15e3) });
        if (answer.status < 500) return answer;
      } catch { /* no connection: the same click is sent again */ }
      if (!wait) return null;
      say(words.again, 0);
      await pause(wait);
    }
  }

  async function settle(answer, address) {
    if (answer.headers.has("X-Version")) {
      form.elements.request.value = crypto.randomUUID();
      const played = answer.ok;
      await take(answer, played);
      say(played ? words.sent : "", 2);
    } else if (answer.status === 403) await renewToken();
    else if (answer.status === 429) say(words.often);
    else if (answer.redirected && new URL(answer.url).pathname !== location.pathname) location.assign(answer.url);
    else if (answer.ok && address !== form.action) { await refresh(); say(words.sent, 2); }
    else { say(words.refused); refresh(); }
  }

  async function renewToken() {
    const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
    const token = page.querySelector("#act [name=csrfmiddlewaretoken]");
    if (!token) { location.reload(); return; }
    form.elements.csrfmiddlewaretoken.value = talk.elements.csrfmiddlewaretoken.value = token.value;
    say(words.token, 0);
  }

  // ---- Switches of this device, and keys.
  const store = {
    get: (key) => { try { return localStorage.getItem(key); } catch { return null; } },
    set: (key, value) => { try { localStorage.setItem(key, value); } catch { /* private window: for this page only */ } },
  };
  const root = document.documentElement.dataset;
  root.oneClick = store.get("one-click") ?? "off";
  root.singleKeys = store.get("single-keys") ?? "on";
  const oneClick = () => root.oneClick === "on";
  for (const [id, name] of [["one-click", "oneClick"], ["single-keys", "singleKeys"]]) {
    const box = document.getElementById(id);
    if (!box) continue;
    box.checked = root[name] === "on";
    box.addEventListener("change", () => { root[name] = box.checked ? "on" : "off"; store.set(id, root[name]); });
  }
  if ($("#device")) $("#device").hidden = false;
  const keys = $("#keys");
  $("#help")?.addEventListener("click", () => keys.showModal());

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys?.open) return;
    const at = event.target, go = $("#go"), onBox = at.form === form && /radio|checkbox/.test(at.type);
    if (!onBox && at !== document.body && at.closest("input, textarea, select, button, a, summary, dialog")) {
      if (event.key !== "Escape") return;
    }
    if (event.key === "Enter" && go && chosen().length) {
      event.preventDefault();
      if (!go.disabled) form.requestSubmit(go);
    } else if (event.key === "Escape") form.reset();
    else if (!onBox && (event.key === "ArrowRight" || event.key === "ArrowLeft")) (chosen()[0] ?? boxes().find((box) => box.form === form && !box.disabled))?.focus();
    else if (root.singleKeys === "off") return;
    else if (event.key === "n" && !$("#turns")?.hidden) $("#turns")?.click();
    else if (event.key === "?") keys?.showModal();
  });

  // A page out of the back-forward cache may be days old: look before anything can be clicked.
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    live.inert = true;
    wake();
  });

  nameButton();
  localTimes();
  showCount();
  connect();
  setInterval(countdown, 1e3);
  setInterval(() => { if (deaf() && !document.hidden) refresh(); }, 30e3);
})();
