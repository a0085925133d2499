// The host's time, by which ages and deadlines are reckoned: this browser's clock may be wrong, and may
// be set while a page is open.

/** How far the host's clock is ahead of ours. */
let ahead = Number(document.body.dataset.now ?? Date.now()) - Date.now();
/** When our clock was at zero of the one that nobody sets. */
let zero = Date.now() - performance.now();

/** The host's time. */
export function hostTime() {
  return Date.now() + ahead;
}

/** What the host has just said that its time is. @param {number} now */
export function tellTime(now) {
  ahead = now - Date.now();
}

/** Whether our clock was set since this was asked last; or time was slept through, which looks the same. */
export function wasSet() {
  const before = zero;
  zero = Date.now() - performance.now();
  return Math.abs(zero - before) > 2_000;
}
