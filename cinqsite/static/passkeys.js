// Says on the page what a passkey's failure would otherwise say to the console alone.
"use strict";
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const trouble = document.getElementById("passkey-trouble");
  if (trouble) {
    trouble.hidden = true;
    requestAnimationFrame(() => { trouble.hidden = false; });
  }
});
