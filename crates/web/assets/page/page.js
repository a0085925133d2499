// The entry: finds what is on the page and wires it. Where any of it fails, the page is the plain form
// that it was.

import { hostTime, wasSet } from "./clock.js";
import { all, announce, button, isBlank, make, one, recall, text } from "./dom.js";
import { Draft, sendHeldBack } from "./draft.js";
import { addFilter } from "./filter.js";
import { listen } from "./keys.js";
import { call, Gone, Live, part, Shown } from "./live.js";
import { commentOf, Pager } from "./pager.js";

const root = document.documentElement;
const form = one(document, "form#card", HTMLFormElement);
const request = form?.dataset.request ?? location.pathname.match(/^\/r\/([^/]+)/)?.[1] ?? "";
const shown = new Shown();

/** With less time left a deadline stands out; the host says so too. */
const SOON = 600_000;
/** A detail of more lines or characters is folded to its beginning. */
const LONG = { lines: 18, characters: 1_600 };
/** From this width of the card on, in CSS pixels, previews stand beside the options. As in the style. */
const WIDE = 720;
let isNearTold = false;
/** @type {Intl.DateTimeFormat | undefined} */
let calendar;
/** @type {Pager | null | undefined} */
let opened;

try {
  if (form?.dataset.state === "pending") opened = openCard(form);
  root.dataset.js = "on";
} catch (error) {
  console.error(error);
  for (const section of all(document, "section.question")) section.hidden = false;
}
if (request && form === null && document.body.dataset.page === "request") addComment(typedHere());
if (document.getElementById("inbox")) follow();
// Last, since it lays the page out.
opened?.arrive();

/** @param {HTMLFormElement} card */
function openCard(card) {
  shown.request = request;
  addStrip(card);
  wireDeadline(card);
  for (const detail of all(card, ".detail")) fold(detail);
  for (const section of all(card, "section.question")) {
    showPreviews(section);
    addFilter(section);
  }
  // Other faces of the card are forms to be posted: they hold what was entered, and show none of it.
  if (!card.querySelector("section[data-question]")) return null;
  one(card, "button[value=reply]", HTMLButtonElement)?.addEventListener("click", (event) => {
    const field = one(card, ".reply textarea", HTMLTextAreaElement);
    const error = one(card, ".question-error", HTMLElement);
    if (!field || !error || !isBlank(field.value)) return;
    event.preventDefault();
    error.textContent = text("unfinished-reply");
    error.hidden = false;
    field.focus();
  });

  const draft = new Draft(card);
  const pager = card.dataset.view === "questions" ? new Pager(card, draft) : null;
  listen(card, draft, pager);

  let isOver = false;
  let hasEnded = false;
  const ended = async () => {
    hasEnded = true;
    // What is being sent may be what has ended it: its reply says so, or its failure.
    if (isOver || pager?.isSending) return;
    isOver = true;
    isOver = await settle(card, draft);
    if (!isOver) setTimeout(ended, 2_000);
  };
  draft.onchange = (section) => pager?.edited(section);
  draft.onended = shown.onended = () => void ended();
  shown.ondraft = (revision) => draft.look(revision);
  shown.onup = () => {
    shown.onothers();
    draft.retry();
    pager?.hostIsBack();
  };
  if (pager) {
    pager.onended = () => void ended();
    pager.onfailed = () => hasEnded && void ended();
    pager.ondone = (how) => {
      draft.close(true);
      location.assign(`${nextPlace()}?${how}=${encodeURIComponent(request)}`);
    };
  }
  addEventListener("pagehide", () => draft.leave());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return;
    // A page that is out of sight may be ended without another word.
    draft.leave();
    void draft.save();
  });
  for (const control of all(document, "[data-act=language]")) {
    control.addEventListener("click", async (event) => {
      event.preventDefault();
      await draft.save();
      const there = new URL(location.href);
      there.searchParams.set("lang", control.dataset.lang ?? "");
      location.assign(there);
    });
  }
  return pager;
}

/** The next request that waits, or the inbox. */
function nextPlace() {
  const waiting = all(document, "#inbox a[data-request][data-state=pending]");
  const next = waiting.find((item) => item.dataset.request !== request);
  return next?.getAttribute("href") ?? "/";
}

/** The strip that is left of a card that is folded away. @param {HTMLFormElement} card */
function addStrip(card) {
  const collapse = one(card, "[data-act=collapse]", HTMLElement);
  if (!collapse) return;
  const title = make("p", { class: "strip-title", dir: "auto" });
  const strip = make(
    "div",
    { class: "strip" },
    title,
    make("p", { class: "strip-error", role: "alert" }),
  );
  one(card, ".card-head", HTMLElement)?.append(strip);
  collapse.hidden = false;
  collapse.addEventListener("click", () => {
    const isFolded = card.toggleAttribute("data-collapsed");
    collapse.setAttribute("aria-expanded", `${!isFolded}`);
    collapse.setAttribute("aria-label", text(isFolded ? "expand" : "collapse"));
  });
}

/** @param {HTMLFormElement} card */
function wireDeadline(card) {
  const deadline = one(card, "[data-deadline]", HTMLElement);
  let others = Promise.resolve();
  shown.onothers = () => (others = others.then(() => showOthers(card)));
  shown.onchanged = ({ awaySince, deadlineAt, answering }) => {
    if (answering) shown.onothers();
    if (deadline && deadlineAt) deadline.dataset.deadline = `${deadlineAt}`;
    const away = one(card, "[data-away]", HTMLElement);
    if (away) away.hidden = awaySince === undefined;
    showDeadline();
  };
  one(card, "[data-act=extend]", HTMLElement)?.addEventListener("click", async (event) => {
    event.preventDefault();
    const extended = await call("POST", `/requests/${request}/extend`).catch(() => null);
    const isDone = extended?.status === 200;
    if (isDone) shown.onchanged(extended.body);
    if (isDone) announce(deadline?.textContent ?? "");
    else if (extended) announce(`${text("rejected-title")} ${extended.body.detail ?? ""}`);
    else announce(text("host-away"));
  });
}

/** Who else is answering, as the host tells it. @param {HTMLFormElement} card */
async function showOthers(card) {
  const names = one(card, "[data-answering] [data-names]", HTMLElement);
  const place = `/r/${encodeURIComponent(request)}?part=others`;
  const fresh = names && (await part(place).catch(() => null));
  const told = names?.closest("[data-answering]");
  if (!fresh || !(told instanceof HTMLElement)) return;
  const known = new Set(all(names, "bdi").map((it) => it.dataset.person));
  const came = all(fresh, "bdi").filter((it) => !known.has(it.dataset.person));
  names.replaceChildren(fresh);
  told.hidden = !names.hasChildNodes();
  const news = came.map((it) => it.textContent).join(", ");
  if (news) announce(text("answering-now", { names: news }), "answering");
}

/** Whoever has not gone on for long is not told of any more. @param {Live} live */
function forgetOthers(live) {
  const isOver = (/** @type {HTMLElement} */ it) => Number(it.dataset.until) <= hostTime();
  if (all(document, "[data-answering] bdi").some(isOver)) shown.onothers();
  if (all(document, "#inbox [data-until]").some(isOver)) live.refresh();
}

function showDeadline() {
  const deadline = one(document, "[data-deadline]", HTMLElement);
  if (!deadline) return;
  const left = Number(deadline.dataset.deadline) - hostTime();
  const words = remaining(left);
  if (deadline.textContent !== words) deadline.textContent = words;
  deadline.parentElement?.toggleAttribute("data-soon", left < SOON);
  const isNear = left < 60_000;
  deadline.toggleAttribute("data-near", isNear);
  if (isNear && !isNearTold) announce(words, "deadline");
  isNearTold = isNear;
}

/** A length of time in its largest unit, as the host tells it. @param {number} millis */
function length(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  if (seconds < 60) return text("time-seconds", { count: seconds });
  if (seconds < 3_600) return text("time-minutes", { count: Math.floor(seconds / 60) });
  if (seconds < 172_800) return text("time-hours", { count: Math.floor(seconds / 3_600) });
  return text("time-days", { count: Math.floor(seconds / 86_400) });
}

/** How long until then, to the nearest minute, as the host tells it. @param {number} millis */
function remaining(millis) {
  return text("time-left", { time: length(millis < 60_000 ? millis : millis + 30_000) });
}

/** A point in time, by the person's own clock. @param {number} at */
function point(at) {
  // The first costs a browser tens of milliseconds; most pages tell no point in time.
  calendar ??= new Intl.DateTimeFormat(root.lang, { dateStyle: "medium", timeStyle: "short" });
  return calendar.format(at);
}

/** @param {string} style @param {number} at @param {number} now */
function timeIn(style, at, now) {
  if (style === "left") return remaining(at - now);
  if (style === "at") return point(at);
  const age = now - at < 60_000 ? text("time-now") : length(now - at);
  return style === "age" || now - at < 60_000 ? age : text("time-ago", { time: age });
}

function showTimes() {
  const now = hostTime();
  for (const time of all(document, "time[data-time]")) {
    const at = Number(time.dataset.time);
    const words = timeIn(time.dataset.style ?? "ago", at, now);
    if (time.textContent !== words) time.textContent = words;
    if (time.dataset.style === "left")
      time.parentElement?.toggleAttribute("data-soon", at - now < SOON);
  }
}

/** Folds a long detail, so that the options are in sight. @param {HTMLElement} detail */
function fold(detail) {
  const written = detail.textContent ?? "";
  if (written.length < LONG.characters && written.split("\n").length < LONG.lines) return;
  const onclick = () => show(detail.hasAttribute("data-folded"));
  const toggle = make("button", { type: "button", class: "link", "data-act": "show-all", onclick });
  const show = (/** @type {boolean} */ isWhole) => {
    detail.toggleAttribute("data-folded", !isWhole);
    toggle.textContent = text(isWhole ? "show-less" : "show-all");
    toggle.setAttribute("aria-expanded", `${isWhole}`);
  };
  detail.addEventListener("focusin", () => show(true));
  detail.after(toggle);
  show(false);
}

/**
 * Beside the options stands the preview of the one that is looked at, else of the chosen one; where
 * there is no room beside them, below its own option.
 * @param {HTMLElement} section
 */
function showPreviews(section) {
  const previews = all(section, ".preview");
  const home = one(section, ".previews", HTMLElement);
  if (!home) return;
  const options = all(section, ".opt");
  const placeOf = (/** @type {Element | null | undefined} */ option) =>
    option ? one(option, "input", HTMLInputElement)?.value : undefined;
  const show = (/** @type {string | undefined} */ place) => {
    for (const preview of previews)
      preview.toggleAttribute("data-active", preview.dataset.preview === place);
  };
  const chosen = () => options.find((it) => one(it, "input:checked", HTMLInputElement));
  const rest = () => show(placeOf(chosen()) ?? previews[0]?.dataset.preview);
  const look = (/** @type {Event} */ { target }) => {
    const option = target instanceof Element ? target.closest(".opt") : null;
    if (option) show(placeOf(option));
  };
  section.addEventListener("focusin", look);
  section.addEventListener("pointerover", look);
  section.addEventListener("change", look);
  section.addEventListener("pointerleave", rest);
  const settle = () => {
    const isNarrow = (section.closest(".card-body")?.clientWidth ?? 0) < WIDE;
    for (const preview of previews) {
      const own = options.find((it) => placeOf(it) === preview.dataset.preview);
      if (isNarrow && own) own.after(preview);
      else home.append(preview);
    }
  };
  addEventListener("resize", settle);
  settle();
  rest();
}

/**
 * The request has ended: shows how, read-only, and below it what was typed here. Whoever is in a
 * field stays in it. False where the host could not be asked.
 * @param {HTMLFormElement} card
 * @param {Draft} draft
 */
async function settle(card, draft) {
  await draft.save();
  const place = `/r/${encodeURIComponent(request)}?part=card`;
  const gone = (/** @type {unknown} */ error) => (error instanceof Gone ? forgotten() : null);
  const fresh = await part(place).catch(gone);
  if (!fresh || fresh.querySelector("form#card")) return false;
  draft.close(false);
  for (const dialog of all(document, "dialog"))
    if (dialog instanceof HTMLDialogElement) dialog.close();

  const { activeElement } = document;
  const wasInside = card.contains(activeElement);
  const said = new Set(textsOf(fresh));
  const fields = all(card, "section[data-question] textarea").filter(
    (field) => field instanceof HTMLTextAreaElement && !isBlank(field.value) && !field.readOnly,
  );
  const list = typedHere();
  card.after(fresh);
  for (const field of fields) {
    if (!(field instanceof HTMLTextAreaElement)) continue;
    if (said.has(field.value.trim())) {
      if (field !== activeElement) continue;
      // It stays where the person is, and is told once.
      for (const other of all(document, ".settled .unsent, .settled .typed")) {
        const texts = textsOf(other);
        if (texts.length === 1 && texts[0] === field.value.trim()) other.remove();
      }
    }
    const title = one(field.closest("section") ?? card, ".title", HTMLElement)?.textContent ?? "";
    addTyped(list, title, field);
  }
  addComment(list);
  card.remove();
  showTimes();
  announce(text("ended"), "ended");
  const heading = one(document, "main .settled h1, main .settled h2", HTMLElement);
  if (wasInside && document.activeElement === document.body && heading) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  return true;
}

/** The texts of a person that an ended request shows. @param {ParentNode} within */
function textsOf(within) {
  const fields = all(within, "textarea, blockquote, .kept-text");
  return fields.map((it) => (it instanceof HTMLTextAreaElement ? it.value : it.innerText).trim());
}

/** A request that the host has forgotten. */
function forgotten() {
  const fresh = new DocumentFragment();
  const said = make("div", { class: "card-body" }, make("p", { class: "outcome" }, text("gone")));
  fresh.append(make("article", { class: "card settled" }, said));
  return fresh;
}

/** A comment that was begun here and not sent stays to be copied. @param {HTMLElement} list */
function addComment(list) {
  const comment = recall(commentOf(request));
  if (!comment) return;
  addTyped(list, text("dismiss-comment"), make("textarea", { dir: "auto" }, comment));
}

/** Where texts stand that were typed here and are part of no answer. */
function typedHere() {
  const list = make("section", { class: "typed-here" }, make("h2", {}, text("typed-here")));
  list.hidden = true;
  document.querySelector("main")?.append(list);
  return list;
}

/** @param {HTMLElement} list @param {string} title @param {HTMLTextAreaElement} field */
function addTyped(list, title, field) {
  const copy = button(
    text("copy"),
    "copy",
    async () => {
      field.select();
      await navigator.clipboard?.writeText(field.value).catch(() => {});
      announce(text("copied"));
    },
    "quiet",
  );
  const item = make("div", { class: "typed-item" }, make("p", { dir: "auto" }, title), copy);
  list.append(item);
  list.hidden = false;
  field.readOnly = true;
  field.setAttribute("aria-label", title);
  // Moved and not taken out, it keeps focus and caret.
  if ("moveBefore" in item && field.isConnected) /** @type {any} */ (item).moveBefore(field, copy);
  else item.insertBefore(field, copy);
}

/** Follows the events of the host, and keeps the times on the page true. */
function follow() {
  shown.onlist = showTimes;
  const up = shown.onup;
  const send = async () => {
    const texts = await sendHeldBack(request, shown.request === "");
    const said = new Set(textsOf(document));
    const unseen = texts.filter((it) => !said.has(it.trim()));
    const list = unseen.length > 0 ? typedHere() : null;
    for (const written of unseen) {
      if (list) addTyped(list, text("your-text"), make("textarea", { dir: "auto" }, written));
    }
  };
  shown.onup = () => {
    up();
    void send();
  };
  void send();
  const live = new Live(shown);
  showTimes();
  setInterval(showTimes, 20_000);
  setInterval(() => forgetOthers(live), 20_000);
  setInterval(() => {
    // What is left is not known until the host has said what time it is.
    if (wasSet()) live.refresh();
    else showDeadline();
  }, 1_000);
}
