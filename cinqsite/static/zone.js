// Tells the site the browser's time zone, in a cookie that lasts as long as the browser is open: for whoever has chosen none.
(() => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone) document.cookie = `zone=${encodeURIComponent(zone)}; path=/; SameSite=Lax${location.protocol === "https:" ? "; Secure" : ""}`;
})();
