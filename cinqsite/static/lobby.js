/* Comforts of the pages before a match; every one of them works without. */
"use strict";
(() => {
  /* Player counts that the chosen options refuse cannot be chosen, and a count chosen before moves to one that fits. Options
     that stand below the counts are the other way round: the count decides. */
  const allow = (radios, refused) => {
    for (const radio of radios) radio.disabled = refused(radio);
    if (radios.some((radio) => radio.checked && !radio.disabled)) return;
    const free = radios.find((radio) => radio.defaultChecked && !radio.disabled) ?? radios.find((radio) => !radio.disabled);
    if (free) free.checked = true;
  };
  const unfitFor = (radio) => radio.dataset.unfit?.split(" ") ?? [];
  const fit = (form) => {
    const unfit = new Set([...form.querySelectorAll("fieldset:not(.by-seats) [data-unfit]:checked")].flatMap(unfitFor));
    allow([...form.querySelectorAll('[name="seats"]')], (radio) => unfit.has(radio.value));
    const seats = form.querySelector('[name="seats"]:checked').value;
    for (const field of form.querySelectorAll(".by-seats")) {
      allow([...field.querySelectorAll("[type=radio]")], (radio) => unfitFor(radio).includes(seats));
      const high = field.querySelector(`.for-${seats}[data-high]`)?.dataset.high;
      if (high) field.querySelector("[data-chooses]").max = high;
    }
    for (const button of form.querySelectorAll("[data-fields]")) button.ariaPressed = String(fieldsOf(button).every(([name, value]) => form.elements[name].value === value));
  };
  const fieldsOf = (button) => Object.entries(JSON.parse(button.dataset.fields));
  for (const form of document.querySelectorAll("form.new")) {
    form.addEventListener("change", () => fit(form));
    window.addEventListener("pageshow", () => fit(form));
    fit(form);
    /* A preset sets its options here; without script the site does it. */
    form.addEventListener("click", (event) => {
      const button = event.target.closest("[data-fields]");
      if (!button) return;
      event.preventDefault();
      for (const [name, value] of fieldsOf(button)) form.elements[name].value = value;
      fit(form);
    });
  }

  /* A number written in the field beside "another number" chooses that. */
  document.addEventListener("input", (event) => {
    const choice = event.target.dataset.chooses && document.getElementById(event.target.dataset.chooses);
    if (choice) choice.checked = true;
  });

  /* A seed that its player left empty is drawn here, in his own browser, not by the site. */
  document.addEventListener("submit", (event) => {
    const seed = event.target.elements.namedItem("client_seed");
    if (!seed || seed.value) return;
    seed.value = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }, true);

  /* A second click on a button that opens or takes something does nothing while the first is under way. The live form
     of a table has a guard of its own. */
  const sent = new WeakSet();
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || form.id === "act") return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
    setTimeout(() => sent.delete(form), 5000);
  });

  /* Copy buttons, shown only where the clipboard is there. */
  const reveal = () => {
    if (navigator.clipboard) for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.done;
    } catch {
      field.select();
    }
  });
  document.addEventListener("live:changed", reveal);
  reveal();
})();
