// Proposes pseudonyms and codes of tables while somebody types into the search box of a list.
(() => {
  const list = document.getElementById("suggestions");
  const box = document.getElementById("searchbar");
  if (!list || !box) return;
  box.setAttribute("list", list.id);
  box.setAttribute("autocomplete", "off");
  let timer, last = "";
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const text = box.value.trim();
      if (text.length < 2 || text === last) return;
      last = text;
      const url = `${list.dataset.url}?${new URLSearchParams({ in: list.dataset.find, q: text })}`;
      const answer = await fetch(url, { headers: { Accept: "application/json" } }).catch(() => null);
      if (!answer || !answer.ok || box.value.trim() !== text) return;
      const { found } = await answer.json();
      list.replaceChildren(...found.map(({ value, label }) => {
        const option = document.createElement("option");
        option.value = value;
        option.label = label;
        return option;
      }));
    }, 150);
  });
})();
