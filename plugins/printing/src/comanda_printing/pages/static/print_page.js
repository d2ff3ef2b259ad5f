// Prints what waits: claims a slip, prints it, confirms it, and looks again after a while.
const POLL_MS = 5000;
const form = document.getElementById("print-page");
const slip = document.getElementById("slip");

if (slip) {
  addEventListener("afterprint", () => form.requestSubmit());
  await slip.decode().catch(() => {});
  print();
} else if (Number(form.dataset.waiting)) {
  form.requestSubmit();
} else {
  setTimeout(() => location.reload(), POLL_MS);
}
