// Les Cinq Rois: one's own order of the hand, kept on this device. Everything works without it, in the site's groups.
(() => {
  "use strict";
  const hand = () => document.querySelector("#live .rois-hand");
  const part = (id) => document.getElementById(id);
  const cards = () => [...hand().querySelectorAll(".groups .h")];
  const seen = () => cards().sort((a, b) => a.style.order - b.style.order);
  const chosen = () => cards().find((card) => card.querySelector("input:checked"));
  const key = () => `rois-${hand().dataset.key}`;

  // What is kept: whether the hand lies in its player's order, and the cards in that order.
  function kept() {
    try { return JSON.parse(localStorage.getItem(key())) ?? {}; } catch { return {}; }
  }
  let memory = hand() ? kept() : {};
  function keep(own, order) {
    memory = { own, order };
    try { localStorage.setItem(key(), JSON.stringify(memory)); } catch { /* private window: for this page only */ }
  }

  function lay() {
    if (!hand()) return;
    const own = Boolean(memory.own), place = new Map((memory.order ?? []).map((mark, index) => [mark, index]));
    hand().classList.toggle("own", own);
    part("tools").hidden = false;
    part("own").setAttribute("aria-pressed", own);
    const known = (card) => place.get(card.dataset.card) ?? place.size; // a new card goes to the end
    const order = own ? cards().sort((a, b) => known(a) - known(b)) : [];
    for (const card of cards()) card.style.order = own ? order.indexOf(card) : "";
    if (own) keep(true, order.map((card) => card.dataset.card));
    arrows();
  }
  function arrows() {
    if (!hand()) return;
    const order = seen(), at = memory.own ? order.indexOf(chosen()) : -1;
    part("left").hidden = part("right").hidden = !memory.own;
    part("left").disabled = at <= 0;
    part("right").disabled = at < 0 || at === order.length - 1;
  }
  function move(card, to) {
    const order = seen().filter((other) => other !== card);
    order.splice(to, 0, card);
    keep(true, order.map((other) => other.dataset.card));
    lay();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("#own, #left, #right");
    if (!button) return;
    if (button.id === "own") { keep(!memory.own, memory.order ?? cards().map((card) => card.dataset.card)); lay(); }
    else move(chosen(), seen().indexOf(chosen()) + (button.id === "left" ? -1 : 1));
  });
  document.addEventListener("change", arrows);
  document.addEventListener("reset", () => setTimeout(arrows));
  document.addEventListener("table:painted", lay);

  // Radios follow the arrow keys in the order of the page; in one's own order they follow what is seen.
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key], card = event.target.closest?.(".rois-hand.own .groups .h");
    if (!step || !card) return;
    event.preventDefault();
    const order = seen().filter((other) => other.querySelector("input"));
    const next = order[(order.indexOf(card) + step + order.length) % order.length].querySelector("input");
    next.focus();
    next.click();
  });

  // A card is dragged sideways; a touch that begins up or down scrolls the page as ever.
  let drag;
  document.addEventListener("pointerdown", (event) => {
    const card = event.button === 0 && event.target.closest?.(".rois-hand.own .groups .h");
    drag = card ? { card, x: event.clientX, moved: false } : undefined;
  });
  document.addEventListener("pointermove", (event) => {
    if (!drag || (!drag.moved && Math.abs(event.clientX - drag.x) < 8)) return;
    drag.moved = true;
    drag.card.classList.add("dragged");
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".groups .h");
    if (over && over !== drag.card) move(drag.card, seen().indexOf(over));
  });
  for (const end of ["pointerup", "pointercancel"])
    document.addEventListener(end, () => {
      if (!drag) return;
      drag.card.classList.remove("dragged");
      // The click that follows a drag picks no card.
      if (drag.moved) addEventListener("click", (event) => event.preventDefault(), { capture: true, once: true });
      drag = undefined;
    });
  document.addEventListener("dragstart", (event) => { if (event.target.closest?.(".rois-hand")) event.preventDefault(); });

  lay();
})();
